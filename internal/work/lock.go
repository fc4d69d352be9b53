package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
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
	return fmt.Sprintf("another run holds %s: process %d on %s since %s; wait for it to end",
		e.Path, e.Holder.PID, e.Holder.Host, e.Holder.Since.Format(time.RFC3339))
}

// Holder is the process that holds a work folder.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// lockWait is how long a run waits for the lock: one that was killed while it started a
// child holds it until that child is on its own.
const lockWait = time.Second

// Lock takes the run lock of a work folder, creating it, and returns what releases it. It
// errs with *LockedError when a run has it.
func Lock(dir string, now time.Time) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create work folder: %w; store.work names another place", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, lockWait/50)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("lock work folder: %w", err)
	}
	path := filepath.Join(dir, "holder.json")
	if !locked {
		holder, _ := readJSON[Holder](path)
		return nil, &LockedError{Path: dir, Holder: holder}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	if err := writeJSON(path, Holder{PID: os.Getpid(), Host: host, Since: now}); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock.Close, nil
}

// Held returns a *LockedError when a run holds the work folder dir, else nil. It
// creates nothing.
func Held(dir string) error {
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetFlag(os.O_RDONLY))
	locked, err := lock.TryRLock()
	if err != nil || locked {
		return lock.Close()
	}
	holder, _ := readJSON[Holder](filepath.Join(dir, "holder.json"))
	return &LockedError{Path: dir, Holder: holder}
}
