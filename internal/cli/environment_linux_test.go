package cli_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// everybodysProgram returns a copy of what program does, which every user may start.
func everybodysProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	path := filepath.Join(t.TempDir(), "sitesync")
	entered(t, path)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(file, self)
	if closeErr := file.Close(); err != nil || closeErr != nil {
		t.Fatal(err, closeErr)
	}
	return path
}

// bare runs a command in the town's folder with no more of an environment than the
// key, and a folder for temporary files that can't be written.
func (w *town) bare(cmd *exec.Cmd, as *syscall.Credential) (string, error) {
	cmd.Dir, cmd.Env = w.dir, []string{"SITESYNC_API_KEY=" + apiKey, "TMPDIR=/proc", "EXIT_FILE=/dev/null", "PATH=/usr/bin:/bin:/usr/sbin:/sbin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Nothing is created, opened for writing, renamed or removed outside the store's
// folder, its cache for PDFium included.
func TestWritesStayInTheStore(t *testing.T) {
	t.Parallel()
	compilesAnew(t)
	w := newTown(t)
	w.build(10)
	w.configure(t, "sitesync", w.base, 4)
	trace := filepath.Join(t.TempDir(), "trace")
	watched := strace(t, "-qq", "--seccomp-bpf", "-s", "4096", "-o", trace,
		"-e", "trace=/^(open|creat|mkdir|mknod|rename|unlink|rmdir|link|symlink|truncate|chmod|fchmodat|chown|fchownat|utime)", program(t), "sync")
	if out, err := w.bare(watched, nil); err != nil {
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

// A user who is in no list, without a home, and without a place for temporary files.
// Whatever is created is for that user alone.
func TestRunsAsAnybody(t *testing.T) {
	t.Parallel()
	compilesAnew(t)
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root may start a process as somebody else")
	}
	w := newTown(t)
	w.build(10)
	w.configure(t, "sitesync", w.base, 4)
	w.opened(t)
	anybody := &syscall.Credential{Uid: 654321, Gid: 654321, NoSetGroups: true}
	sh := []string{"-c", `umask 0; exec "$0" "$@"`, everybodysProgram(t)}
	for _, args := range [][]string{{"sync"}, {"plan", "-o", "night.plan"}, {"backup", "night.db"}, {"restore", "night.db"}, {"sync"}, {"status"}} {
		if out, err := w.bare(exec.Command("/bin/sh", append(sh, args...)...), anybody); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	err := filepath.WalkDir(w.dir, func(path string, entry fs.DirEntry, err error) error {
		info, infoErr := os.Lstat(path)
		if err != nil || infoErr != nil || info.Sys().(*syscall.Stat_t).Uid != anybody.Uid || path == w.dir || filepath.Ext(path) == ".toml" {
			return err
		}
		if want := map[bool]fs.FileMode{true: 0o700, false: 0o600}[entry.IsDir()]; info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// entered lets everybody pass the two folders above path, which are this test's.
func entered(t *testing.T, path string) {
	t.Helper()
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		if !strings.HasPrefix(dir, os.TempDir()+"/") {
			continue
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// opened gives the town's folder to everybody.
func (w *town) opened(t *testing.T) {
	t.Helper()
	entered(t, w.dir)
	for path, mode := range map[string]fs.FileMode{w.dir: 0o777 | fs.ModeSticky, filepath.Join(w.dir, "sitesync.toml"): 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}

// Where nothing but the store's folder can be written.
func TestRunsOnReadOnlyRoot(t *testing.T) {
	t.Parallel()
	compilesAnew(t)
	w := newTown(t)
	w.build(10)
	w.configure(t, "sitesync", w.base, 4)
	const script = `mount -t tmpfs none store && cp sitesync.toml store/ && cd store && mount -o remount,bind,ro / || exit 77
		touch /tmp/x 2>/dev/null && exit 77
		"$0" sync && "$0" sync && "$0" status`
	if err := os.Mkdir(filepath.Join(w.dir, "store"), 0o700); err != nil {
		t.Fatal(err)
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("SKIPPED: there is no unshare")
	}
	if out, err := w.bare(exec.Command(unshare, "-m", "true"), nil); err != nil {
		t.Skipf("SKIPPED: no mounts of one's own here: %s", out)
	}
	out, err := w.bare(exec.Command(unshare, "-m", "/bin/sh", "-c", script, program(t)), nil)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skipf("SKIPPED: the root can't be made read-only here: %s", out)
	}
	if err != nil || !strings.Contains(out, "nothing to do") {
		t.Errorf("%v\n%s", err, out)
	}
}

// compilesAnew skips a test whose runs find no compiled PDF reader: with the race
// detector that takes minutes, and has nothing to find.
func compilesAnew(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: not with -short")
	}
}
