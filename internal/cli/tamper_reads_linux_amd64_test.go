package cli_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var reads = flag.Int("reads", 4, "at how many of its reads TestFaultAtEveryRead has a run fail; 0: at each")

// A file of ours that can't be read any more, or that lost its end, at whichever read of a
// night, begun anew or resumed: exit code 0 only when all was done, else the file is
// named; what was spooled of a page makes that page unread; and the next run ends with exactly the site.
func TestFaultAtEveryRead(t *testing.T) {
	v := newVillage(t)
	work, left := filepath.Join(v.dir, "village.db.work"), filepath.Join(t.TempDir(), "left")
	for name, before := range map[string]func(){
		"a run that begins": func() { v.restore(t) },
		"a run that is resumed": func() {
			v.restore(t)
			if err := os.CopyFS(work, os.DirFS(left)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		if strings.HasSuffix(name, "resumed") {
			v.restore(t)
			if code := v.tampered(t, &tamper{dir: v.dir, on: "/plan.jsonl"}); code != -1 {
				t.Fatalf("a run that is killed before it writes its plan: exit code %d", code)
			}
			if err := os.CopyFS(left, os.DirFS(work)); err != nil {
				t.Fatal(err)
			}
		}
		before()
		all := &tamper{dir: v.dir, reads: true}
		if code := v.tampered(t, all); code != 0 {
			t.Fatalf("%s, only watched: exit code %d\n%s", name, code, v.read(t, "../out.txt"))
		}
		t.Logf("%s: %d reads", name, all.n)
		points := *reads
		if points == 0 || points > all.n {
			points = all.n
		}
		codes := map[string]int{}
		for i := range points {
			for _, errno := range []syscall.Errno{0, syscall.EIO} {
				before()
				x := &tamper{dir: v.dir, reads: true, at: 1 + i*all.n/points, errno: errno}
				code := v.tampered(t, x)
				out := v.read(t, "../out.txt")
				what := fmt.Sprintf("%s, %s, the %dth, errno %d, exit code %d\n%s", name, x.call, x.at, errno, code, out)
				codes[fmt.Sprint(x.call, " ", code)]++
				file := filepath.Base(x.call[strings.LastIndexByte(x.call, ' ')+1:])
				switch {
				case code == 0:
					v.compare(t, "village.db", what)
				case !strings.Contains(string(out), file), code != 1 && !(file == "drafts.log" && (code == 3 || code == 4)): // one page is unread
					t.Error(what)
				}
				if code, out := v.sync(t); code != 0 {
					t.Fatalf("%s\nthen a clean run: exit code %d\n%s", what, code, out)
				}
				v.compare(t, "village.db", what)
			}
		}
		for call, n := range codes {
			t.Log(call, n)
		}
	}
}
