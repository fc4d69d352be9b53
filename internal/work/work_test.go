package work

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/spool"
)

var began = time.Date(2026, time.March, 4, 2, 30, 0, 0, time.UTC)

// openWork opens a work folder that is closed with the test, unless it was before.
func openWork(t *testing.T, dir string, state State, resume time.Duration) *Folder {
	t.Helper()
	w, err := Open(dir, state, resume)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

// TestWorkIsOneRunsAlone: while a run has the folder, another is told who has it and
// since when, and leaves it as it is.
func TestWorkIsOneRunsAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "work")
	first := openWork(t, dir, State{Run: "1", Start: began}, 0)
	for name, take := range map[string]func() error{
		"another run": func() error {
			_, err := Open(dir, State{Run: "2", Start: began.Add(time.Hour)}, time.Hour)
			return err
		},
		"another command": func() error { _, err := Lock(dir, Holder{Since: began.Add(time.Hour)}); return err },
	} {
		var locked *LockedError
		if err := take(); !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() || !locked.Holder.Since.Equal(began) || locked.Path != dir {
			t.Fatalf("%s: %v", name, err)
		}
		for _, part := range []string{dir, fmt.Sprint("process ", os.Getpid()), "since 2026-03-04T02:30:00Z"} {
			if !strings.Contains(locked.Error(), part) {
				t.Errorf("%s: %q does not hold %q", name, locked, part)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "holder.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir, Holder{Since: began}); err == nil || !strings.HasPrefix(err.Error(), "another run holds "+dir+"; wait") {
		t.Errorf("the holder is not known: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	release, err := Lock(dir, Holder{Since: began})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, State{}, 0); err == nil {
		t.Error("a run begins beside a command that has the lock")
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	openWork(t, dir, State{Run: "2", Start: began}, 0)
}

// TestLockOfADeadProcess: a kill gives the folder free, and the next run goes on.
func TestLockOfADeadProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	child := exec.Command(os.Args[0], "-test.run=^TestHolder$")
	child.Env = append(os.Environ(), "WORK="+dir)
	_, inErr := child.StdinPipe() // held open: the child waits for its end
	out, err := child.StdoutPipe()
	if err := errors.Join(inErr, err); err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	killed := false
	kill := func() {
		if !killed {
			_ = child.Process.Kill()
			_ = child.Wait()
		}
		killed = true
	}
	defer kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready <nil>\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	var locked *LockedError
	if _, err := Open(dir, State{}, 0); !errors.As(err, &locked) || locked.Holder.PID != child.Process.Pid {
		t.Fatalf("while the child has it: %v", err)
	}
	kill()
	w := openWork(t, dir, State{Run: "next", Start: began.Add(time.Minute)}, time.Hour)
	if flags, _ := w.Table.Get(spool.Fingerprint("http://a.test/")); !w.Resumed || w.State.Run != "dead" || flags != spool.Sighted|spool.Queued|spool.Kept {
		t.Errorf("resumed %v, %+v, flags %b", w.Resumed, w.State, flags)
	}
}

// TestFinishClearsTheFolder: of a run that went to its end nothing is left but the lock, which the
// next one takes.
func TestFinishClearsTheFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	state := State{Run: "1", Start: began, Config: "c"}
	w := openWork(t, dir, state, 0)
	spoolSome(t, w)
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"holder.json", "lock"}) {
		t.Errorf("left in the folder: %q", got)
	}
	if _, err := Open(dir, state, time.Hour); err == nil {
		t.Error("the folder is free before it is closed")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w = openWork(t, dir, state, time.Hour); w.Resumed || w.Table.Count(0) != 0 {
		t.Error("a run that went to its end is resumed")
	}
}

// TestTemporaryWork: a dry run has a folder of its own, also beside a run, leaves
// that one's alone and its own nowhere.
func TestTemporaryWork(t *testing.T) {
	t.Parallel()
	parent := filepath.Join(t.TempDir(), "new")
	dir := filepath.Join(parent, "work")
	state := State{Run: "1", Start: began, Config: "c"}
	if dry, err := Temporary(dir, state); err != nil || dry.Close() != nil || len(files(t, parent)) != 0 {
		t.Fatalf("without a work folder: %v", err)
	}
	w := openWork(t, dir, state, 0)
	spoolSome(t, w)
	if err := w.Group.Flush(); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	var dry [2]*Folder
	for i := range dry {
		var err error
		if dry[i], err = Temporary(dir, state); err != nil {
			t.Fatal(err)
		}
		if dry[i].Resumed || dry[i].Dir == dir || filepath.Dir(dry[i].Dir) != parent {
			t.Errorf("%+v", dry[i])
		}
		spoolSome(t, dry[i])
	}
	if names := files(t, parent); len(names) != 3 {
		t.Errorf("in the parent folder: %q", names)
	}
	for _, d := range dry {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if names := files(t, parent); !slices.Equal(names, []string{"work"}) || !slices.Equal(files(t, dir), before) {
		t.Errorf("left behind: %q; %q", names, files(t, dir))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w = openWork(t, dir, state, time.Hour); !w.Resumed || w.Table.Count(spool.Sighted) != 3 {
		t.Error("the run can't be resumed after a dry run")
	}
}

// TestWorkThatCannotBeMade: the error names the place.
func TestWorkThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) error{
		"a run":     func(dir string) error { _, err := Open(dir, State{}, 0); return err },
		"a dry run": func(dir string) error { _, err := Temporary(dir, State{}); return err },
		"a command": func(dir string) error { _, err := Lock(dir, Holder{Since: began}); return err },
	} {
		dir := filepath.Join(file, "deep", "work")
		err := open(dir)
		if err == nil || !strings.Contains(err.Error(), file) || !strings.HasPrefix(err.Error(), "create work folder: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHolder is no test of its own: it holds the folder that WORK names until it is
// killed.
func TestHolder(t *testing.T) {
	dir := os.Getenv("WORK")
	if dir == "" {
		t.Skip("run by TestLockOfADeadProcess")
	}
	w := openWork(t, dir, State{Run: "dead", Start: began}, 0)
	w.AddKept("http://a.test/")
	fmt.Println("ready", w.Group.Flush())
	_, _ = io.Copy(io.Discard, os.Stdin) // without cgo, a bare select would end as a deadlock
}
