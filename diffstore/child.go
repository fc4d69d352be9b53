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

// Argument is the first argument of a child process that calls Serve to check the ledger (the record of what
// the index holds). The check needs a child process, because a damaged file may crash bbolt.
const Argument = "check-ledger"

// A check may take checkTime, plus one second for each MiB of the file. It may use checkMemory bytes, plus
// the size of the file. Both limits are a hundred times what an undamaged ledger needs.
const (
	checkTime   = time.Minute
	checkMemory = 256 << 20
)

type verdict struct {
	Kind string `json:"kind"` // key of kinds, "other", or "" if the ledger is undamaged
	Text string `json:"text"`
}

func (v verdict) Error() string { return v.Text }
func (v verdict) Unwrap() error { return kinds[v.Kind] }

var kinds = map[string]error{"damaged": ErrDamaged, "version": ErrVersion, "locked": ErrLocked}

// Serve checks the ledger at the path args[0] and writes a verdict to out. It ends the process as soon as it
// finds damage. It also ends the process at the end of the reader in: the parent process is gone then.
func Serve(args []string, in io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	debug.SetMaxStack(64 << 20) // a cycle in the page tree of the file then soon overflows the stack
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

// CheckApart runs Check in a child process. If the child crashes or takes too much time or memory, the ledger
// counts as damaged. If the child ends for another reason, the error says to run again. If no child can be
// started, CheckApart calls Check in this process.
func CheckApart(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Check(path) // there is no content that could crash Check
	}
	p, err := child.Start(ctx, Argument, path)
	if err != nil {
		return Check(path)
	}
	var v verdict
	var out []byte
	limit := checkTime + time.Duration(info.Size()>>20)*time.Second
	read := func() { out, _ = io.ReadAll(p.Out) }
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
