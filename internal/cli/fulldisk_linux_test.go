package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that fills up ends the run with a message that says so, and loses
// nothing: with room again, the next run ends as it should.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(40)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("SKIPPED: a small disk can't be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	w.dir = disk
	config := w.configure(t, "full", w.base, 4)
	w.run(t, 0, "", "sync", "-c", config)
	for left := 0; left < 60; left += 4 { // kilobytes
		w.set("/section-1/page-1.html", "This page has grown."+strings.Repeat(" And so it has more to say than before.", 40+left))
		filler := fill(t, disk, left<<10)
		var out bytes.Buffer
		code := w.try(t, &out, "", "sync", "-c", config)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if code != 0 && (code != 1 || !strings.Contains(out.String(), "no space left on device") && !strings.Contains(out.String(), "not enough disk space in "+disk)) {
			t.Fatalf("with %d KB left: exit code %d\n%s", left, code, out.String())
		}
		if code == 0 {
			t.Logf("%d KB were enough", left)
		}
		w.run(t, 0, "", "sync", "-c", config)
		if got := index(t, w.service, w.site.URL())["/section-1/page-1.html"]; !strings.Contains(got, w.pages["/section-1/page-1.html"]) {
			t.Fatalf("with %d KB left, then with room: indexed as %.80q", left, got)
		}
	}
}

// fill leaves so many bytes of the disk free.
func fill(t *testing.T, disk string, left int) string {
	t.Helper()
	var stat syscall.Statfs_t
	if err := syscall.Statfs(disk, &stat); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(disk, "filler")
	free := int(stat.Bavail) * int(stat.Bsize)
	if err := os.WriteFile(name, make([]byte, max(0, free-left)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
