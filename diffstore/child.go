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

// Argument makes the program a child that is to call Serve with the arguments that
// follow: bbolt can end the process that reads a damaged file.
const Argument = "check-ledger"

// What a check may take, beyond a second for each MiB and the file in memory. A sound ledger takes
// a hundredth.
const (
	checkTime   = time.Minute
	checkMemory = 256 << 20
)

// verdict is what a child says of a ledger, and its error.
type verdict struct {
	Kind string `json:"kind"` // "" for a sound one
	Text string `json:"text"`
}

func (v verdict) Error() string { return v.Text }
func (v verdict) Unwrap() error { return kinds[v.Kind] }

// kinds are the errors that go from a child to its parent by name.
var kinds = map[string]error{"damaged": ErrDamaged, "version": ErrVersion, "locked": ErrLocked}

// Serve is the child's part: it checks the ledger at the path that is its argument. It
// takes the process for its own, and ends it when in ends: with the parent.
func Serve(args []string, in io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	debug.SetMaxStack(64 << 20) // pages that lead to each other end it soon
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
		os.Exit(0) // bbolt would go on, and where pages lead to each other for hours
	}))
}

// CheckApart is Check in a child process. A child that crashes has found damage. It errs
// with none of Check's errors where the child was ended by somebody else; where none can be
// started it checks by itself.
func CheckApart(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Check(path) // there is nothing to break on
	}
	p, err := child.Start(ctx, Argument, path)
	if err != nil {
		return Check(path)
	}
	var v verdict
	var out []byte
	limit := checkTime + time.Duration(info.Size()>>20)*time.Second
	stopped := p.Watch(limit, checkMemory+info.Size(), func() { out, _ = io.ReadAll(p.Out) }) // what is missing is no verdict
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
