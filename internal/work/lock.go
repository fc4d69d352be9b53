package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"sitesync/internal/own"
)

// LockedError says that another run has locked the work folder, which keeps the state of a run.
type LockedError struct {
	Path   string
	Holder Holder
}

func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("another run holds %s; wait for it to end", e.Path)
	}
	command := e.Holder.Command
	if command != "" {
		command += ", "
	}
	return fmt.Sprintf("another run holds %s: %sprocess %d on %s since %s; wait for it to end",
		e.Path, command, e.Holder.PID, e.Holder.Host, e.Holder.Since.Format(time.RFC3339))
}

// Holder describes the process that has locked a folder. The functions that take a lock set PID and Host.
type Holder struct {
	PID     int       `json:"pid"`
	Command string    `json:"command,omitempty"` // such as "sitesync sync"
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Address string    `json:"address,omitempty"` // URL, if the process is a local search service
}

// lockWait is how long to wait for the lock. A killed process may have left a forked child, which holds the
// lock until its exec.
const lockWait = time.Second

// Lock makes the work folder dir if it is missing, and locks it until release is called. It errs with
// *LockedError if another run has the lock. It errs with *own.ForeignError if the folder holds files
// that sitesync did not make.
func Lock(dir string, holder Holder) (release func() error, err error) {
	if err := claim(dir, own.Work.Claim); err != nil {
		return nil, err
	}
	return Take(dir, holder)
}

// Take is like Lock, for a folder that the caller has made and checked.
func Take(dir string, holder Holder) (release func() error, err error) {
	release, err = acquire(dir)
	if err != nil {
		return nil, err
	}
	if err := sign(dir, holder); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// Announce is like Lock, for a caller that already excludes rival processes by another lock. It writes holder
// before it takes the lock. So a process that finds the folder locked never reads an earlier holder.
func Announce(dir string, holder Holder) (release func() error, err error) {
	if err := own.Lock.Claim(dir); err != nil {
		return nil, fmt.Errorf("lock %w", err)
	}
	if err := sign(dir, holder); err != nil {
		return nil, err
	}
	return acquire(dir)
}

// Check errs with *own.ForeignError if dir can't be a work folder. It creates nothing.
func Check(dir string) error { return claim(dir, own.Work.Check) }

func claim(dir string, try func(string) error) error {
	err := try(dir)
	if _, foreign := errors.AsType[*own.ForeignError](err); foreign {
		return fmt.Errorf("work folder %w: name a folder that holds nothing else in store.work", err)
	}
	if err != nil {
		return fmt.Errorf("create work folder: %w; store.work names another place", err)
	}
	return nil
}

func acquire(dir string) (release func() error, err error) {
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, lockWait/50)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("lock work folder: %w", err)
	}
	if !locked {
		return nil, heldBy(dir)
	}
	return lock.Close, nil
}

func sign(dir string, holder Holder) (err error) {
	holder.PID = os.Getpid()
	holder.Host, err = os.Hostname()
	if err != nil {
		holder.Host = "this machine"
	}
	return writeJSON(filepath.Join(dir, "holder.json"), holder)
}

func heldBy(dir string) *LockedError {
	holder, _ := readJSON[Holder](filepath.Join(dir, "holder.json"))
	return &LockedError{Path: dir, Holder: holder}
}

// Held returns a *LockedError if a run has locked the work folder dir, else nil. It creates nothing.
func Held(dir string) error {
	path := filepath.Join(dir, "lock")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() { // opening a FIFO would block
		return nil
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	locked, err := lock.TryRLock()
	if err != nil || locked {
		return lock.Close()
	}
	return heldBy(dir)
}

const dryInfix = "-dry-"

// Scratch makes and locks a temporary folder beside the work folder dir. Call remove to unlock and remove it.
// Scratch also removes the temporary folders of killed processes.
func Scratch(dir string, holder Holder) (made string, remove func() error, err error) {
	if err := Check(dir); err != nil {
		return "", nil, err
	}
	sweep(dir)
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", nil, fmt.Errorf("create work folder: %w", err)
	}
	made, err = os.MkdirTemp(parent, filepath.Base(dir)+dryInfix)
	if err != nil {
		return "", nil, fmt.Errorf("create work folder: %w; store.work names another place", err)
	}
	release, err := Take(made, holder)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(made))
	}
	return made, func() error { return errors.Join(release(), os.RemoveAll(made)) }, nil
}

// sweep removes the temporary folders beside dir that no process has locked. It skips a folder without
// holder.json, because its process may be about to lock it. Errors are ignored: a folder may stay.
func sweep(dir string) {
	parent := filepath.Dir(dir)
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		left := filepath.Join(parent, entry.Name())
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), filepath.Base(dir)+dryInfix) {
			continue
		}
		_, err := os.Stat(filepath.Join(left, "holder.json"))
		if err == nil && own.Scratch.Check(left) == nil && Held(left) == nil {
			_ = own.Scratch.Remove(left)
		}
	}
}
