package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Nothing is created, opened for writing, renamed or removed outside the store's
// folder, its cache for PDFium included.
func TestWritesStayInTheStore(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED: to compile the PDF reader takes minutes with the race detector")
	}
	w := newTown(t)
	w.build(10)
	w.configure(t, "sitesync", w.base, 4)
	trace := filepath.Join(t.TempDir(), "trace")
	watched := strace(t, "-qq", "--seccomp-bpf", "-s", "4096", "-o", trace,
		"-e", "trace=/^(open|creat|mkdir|mknod|rename|unlink|rmdir|link|symlink|truncate|chmod|fchmodat|chown|fchownat|utime)", program(t), "sync")
	// No home, and a folder for temporary files that can't be written.
	watched.Dir, watched.Env = w.dir, []string{"SITESYNC_API_KEY=" + apiKey, "TMPDIR=/proc", "EXIT_FILE=/dev/null", "PATH=/usr/bin:/bin:/usr/sbin:/sbin"}
	if out, err := watched.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(trace)
	if err == nil {
		_, err = os.Stat(filepath.Join(w.dir, "sitesync.db.cache"))
	}
	if err != nil {
		t.Fatal(err)
	}
	writes, quoted := 0, regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	for line := range strings.Lines(string(raw)) {
		opens := strings.Contains(line, " open") || strings.Contains(line, "> open")
		if opens && !strings.Contains(line, "O_WRONLY") && !strings.Contains(line, "O_RDWR") && !strings.Contains(line, "O_CREAT") || strings.Contains(line, "+++") || strings.Contains(line, "resumed>") {
			continue
		}
		for _, match := range quoted.FindAllStringSubmatch(line, -1) {
			path := match[1]
			if !filepath.IsAbs(path) {
				path = filepath.Join(w.dir, path)
			}
			if writes++; !strings.HasPrefix(path, w.dir+"/") && !strings.HasPrefix(path, "/dev/") {
				t.Errorf("outside the store's folder: %s", line)
			}
		}
	}
	if writes < 20 {
		t.Errorf("only %d writes were seen; the last lines are %.500s", writes, raw[max(0, len(raw)-500):])
	}
}
