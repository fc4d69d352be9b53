package cli_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var reads = flag.Int("reads", 2, "at how many of its reads TestFaultAtEveryRead has a run fail; 0: at each")

// A file of ours that can't be read any more, or that lost its end, at whichever read of a
// night, begun anew or resumed: exit code 0 only when all was done, else the file is
// named; what was spooled of a page makes that page unread; and the next run ends with exactly the site.
func TestFaultAtEveryRead(t *testing.T) {
	v := newVillage(t)
	work, left := v.killed(t)
	resumed := func() {
		v.restore(t)
		if err := os.CopyFS(work, os.DirFS(left)); err != nil {
			t.Fatal(err)
		}
	}
	for name, before := range map[string]func(){
		"a run that begins":     func() { v.restore(t) },
		"a run that is resumed": resumed,
	} {
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
				if errno == syscall.EIO && strings.Contains(string(out), "damaged") {
					t.Error(what)
				}
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

// killed has a run killed when it has looked at the start page, and returns its work folder
// and a copy of what it left there.
func (v *village) killed(t *testing.T) (work, left string) {
	t.Helper()
	work, left = filepath.Join(v.dir, "village.db.work"), filepath.Join(t.TempDir(), "left")
	v.restore(t)
	if code := v.tampered(t, &tamper{dir: v.dir, on: "/wave-2-"}); code != -1 {
		t.Fatalf("a run that is killed before it looks at what the start page leads to: exit code %d", code)
	}
	if err := os.CopyFS(left, os.DirFS(work)); err != nil {
		t.Fatal(err)
	}
	return work, left
}

// Whatever a work file loses while no run is there, the next run ends with exactly the site.
func TestCutWorkFiles(t *testing.T) {
	v := newVillage(t)
	work, left := v.killed(t)
	err := fs.WalkDir(os.DirFS(left), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(left, name))
		if err != nil {
			return err
		}
		for quarters := range 4 {
			v.restore(t)
			if err := os.CopyFS(work, os.DirFS(left)); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(work, name), raw[:len(raw)*quarters/4], 0o600); err != nil {
				return err
			}
			what := fmt.Sprintf("%s with %d quarters", name, quarters)
			if code, out := v.sync(t); code != 0 {
				t.Errorf("%s: exit code %d\n%s", what, code, out)
			}
			v.compare(t, "village.db", what)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
