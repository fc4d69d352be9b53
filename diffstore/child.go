package diffstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"sitesync/internal/child"
)

// Argument is the first argument of a child process that calls Serve. The ledger is checked in a child,
// because bbolt may end the process that reads a damaged file.
const Argument = "check-ledger"

// The limits of a check, plus a second per MiB and the file's size. A sound ledger needs a hundredth.
const (
	checkTime   = time.Minute
	checkMemory = 256 << 20
)

// verdict is the result of a check in a child process, as an error of the parent.
type verdict struct {
	Kind string `json:"kind"` // key of kinds, "other", or "" for a sound ledger
	Text string `json:"text"`
}

func (v verdict) Error() string { return v.Text }
func (v verdict) Unwrap() error { return kinds[v.Kind] }

// kinds are the errors that a verdict can name.
var kinds = map[string]error{"damaged": ErrDamaged, "version": ErrVersion, "locked": ErrLocked}

// Serve checks the ledger at the path args[0] and writes a verdict to out. It owns the process, and ends it
// when in ends, because then the parent is gone.
func Serve(args []string, in io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	debug.SetMaxStack(64 << 20) // a cycle of pages then ends quickly in a stack overflow
	tell := func(err error) error {
		v := verdict{}
		if err != nil {
			v = verdict{"other", err.Error()}
			for kind, is := range kinds {
				if errors.Is(err, is) {
					v.Kind = kind
				}
			}
		}
		return json.NewEncoder(out).Encode(v)
	}
	return tell(check(args[0], func(fault error) {
		_ = tell(fault)
		os.Exit(0) // on damage, bbolt may continue for hours
	}))
}

// CheckApart is Check in a child process. A crash counts as damage. If the child was ended from outside, the
// error is none of Check's. If no child can be started, it checks in this process.
func CheckApart(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Check(path) // there are no pages to read
	}
	p, err := child.Start(ctx, Argument, path)
	if err != nil {
		return Check(path)
	}
	var v verdict
	var out []byte
	limit := checkTime + time.Duration(info.Size()>>20)*time.Second
	read := func() { out, _ = io.ReadAll(p.Out) } // an incomplete answer is no verdict
	stopped := p.Watch(limit, checkMemory+info.Size(), read)
	unclear := json.Unmarshal(out, &v)
	err = p.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case stopped != nil:
		return ledgerError("check", path, fmt.Errorf("%w: %w", ErrDamaged, stopped))
	case errors.Is(err, child.ErrCrashed):
		return ledgerError("check", path, unread(path, fmt.Sprintf("reading it ends the program: %v", err)))
	case err != nil || unclear != nil:
		err = cmp.Or(err, unclear)
		return fmt.Errorf("check ledger %s: the process that checks it was ended: %w; run again", path, err)
	case v.Kind != "":
		return v
	}
	return nil
}
