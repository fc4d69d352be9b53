package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"sitesync/internal/own"
)

// LockedError says that another run holds the work folder.
type LockedError struct {
	Path   string
	Holder Holder
}

// Error names the process and since when it runs.
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

// Holder is the process that holds a work folder. Lock and Announce fill PID and Host in.
type Holder struct {
	PID     int       `json:"pid"`
	Command string    `json:"command,omitempty"` // such as "sitesync sync"
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Address string    `json:"address,omitempty"` // where it lets others use what it holds
}

// lockWait is how long a run waits for the lock: one that was killed while it started a
// child holds it until that child is on its own.
const lockWait = time.Second

// Lock takes the run lock of a work folder for holder, creating it, and returns what
// releases it. It errs with *LockedError when a run has it, and with *own.ForeignError where
// the folder is not a run's alone.
func Lock(dir string, holder Holder) (release func() error, err error) {
	if err := claim(dir, own.Work.Claim); err != nil {
		return nil, err
	}
	return Take(dir, holder)
}

// Take is Lock of a folder that is there and claimed.
func Take(dir string, holder Holder) (release func() error, err error) {
	release, err = take(dir)
	if err != nil {
		return nil, err
	}
	if err := sign(dir, holder); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// Announce is Lock for one who holds by another lock what the folder stands for: whoever
// then finds the folder locked reads of no earlier holder.
func Announce(dir string, holder Holder) (release func() error, err error) {
	if err := own.Lock.Claim(dir); err != nil {
		return nil, fmt.Errorf("lock %w", err)
	}
	if err := sign(dir, holder); err != nil {
		return nil, err
	}
	return take(dir)
}

// Check errs with *own.ForeignError where dir can be no work folder. It creates nothing.
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

func take(dir string) (release func() error, err error) {
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

// sign leaves word of who holds the folder.
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

// Held returns a *LockedError when a run holds the work folder dir, else nil. It
// creates nothing.
func Held(dir string) error {
	if info, err := os.Lstat(filepath.Join(dir, "lock")); err != nil || !info.Mode().IsRegular() { // a FIFO would never open
		return nil
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_RDONLY))
	locked, err := lock.TryRLock()
	if err != nil || locked {
		return lock.Close()
	}
	return heldBy(dir)
}
