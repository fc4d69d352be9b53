package diffstore

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"sitesync/internal/document"
)

// Argument makes the program a child that is to call Serve with the arguments that
// follow: bbolt can end the process that reads a damaged file.
const Argument = "check-ledger"

// A child that takes longer than this, and a second for each megabyte, is ended.
const checkTime = time.Minute

// Glimpse is what a ledger's file says of itself, as far as it can be read.
type Glimpse struct {
	Ledger     bool // it is a ledger, or was one before it was damaged
	Target     document.Target
	Pinned     bool // there is a target
	Generation uint64
}

// verdict is what a child says of a ledger.
type verdict struct {
	Kind string `json:"kind"` // of faults
	Text string `json:"text"`
}

// kinds are the errors that go from a child to its parent by name.
var kinds = map[string]error{"damaged": ErrDamaged, "version": ErrVersion, "locked": ErrLocked}

// childError is an error of a child: its text, and its kind.
type childError struct {
	text string
	kind error
}

func (e childError) Error() string { return e.text }
func (e childError) Unwrap() error { return e.kind }

// Serve is the child's part: it checks the ledger at the path that is its argument. It
// takes the process for its own, and ends it when in ends: with the parent.
func Serve(args []string, in io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	debug.SetMaxStack(64 << 20) // pages that lead to each other end it soon
	v := verdict{}
	if err := Check(args[0]); err != nil {
		v = verdict{"other", err.Error()}
		for kind, is := range kinds {
			if errors.Is(err, is) {
				v.Kind = kind
			}
		}
	}
	return json.NewEncoder(out).Encode(v)
}

// glance reads what the file at path says of itself, whoever has it open.
func glance(path string) (g Glimpse) {
	t, err := openTree(path)
	if err != nil {
		return g
	}
	defer t.file.Close()
	g.Ledger = t.buckets[bucketRecords] != nil || t.buckets[bucketApprovals] != nil || t.lost > 0 && t.isBolt()
	_ = t.bucket(bucketMeta, func(key string, value []byte) error { // what can't be read is not known
		switch {
		case key == "target":
			g.Pinned = decodeValue(value, &g.Target) == nil
		case key == "generation" && len(value) == 8:
			g.Generation = binary.BigEndian.Uint64(value)
		}
		return nil
	})
	return g
}

// CheckApart is Check in a child process: this program with Argument and path, and an
// empty environment. A child that crashes has found damage. It errs with none of
// Check's errors where the child was ended by somebody else, or takes too long; where
// none can be started it checks by itself.
func CheckApart(ctx context.Context, path string) error {
	_, err := Examine(ctx, path)
	return err
}

// Examine is CheckApart, and returns what the file says of itself, damaged or not.
func Examine(ctx context.Context, path string) (g Glimpse, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return g, Check(path) // there is nothing to break on
	}
	g = glance(path)
	limit := checkTime + time.Duration(info.Size()>>20)*time.Second
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	command := self()
	cmd := exec.CommandContext(limited, command[0], append(command[1:], path)...) //nolint:gosec // this very program
	var crash strings.Builder
	cmd.Env, cmd.Stderr = []string{}, &crash
	life, err := cmd.StdinPipe() // the child ends when it is closed
	if err != nil {
		return g, fmt.Errorf("check ledger %s: %w", path, err)
	}
	defer life.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return g, fmt.Errorf("check ledger %s: %w", path, err)
	}
	if cmd.Start() != nil {
		return g, Check(path)
	}
	var v verdict
	verdictErr := json.NewDecoder(out).Decode(&v)
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return g, ctx.Err()
	case err == nil && verdictErr == nil && v.Kind == "":
		return g, nil
	case err == nil && verdictErr == nil:
		return g, childError{v.Text, kinds[v.Kind]}
	case limited.Err() != nil:
		return g, fmt.Errorf("check ledger %s: it took longer than %s; run again, or move it away and name it to sitesync rebuild --from", path, limit)
	case strings.Contains(crash.String(), "\ngoroutine "): // the last words of a Go program
		first, _, _ := strings.Cut(crash.String(), "\n")
		return g, fmt.Errorf("check ledger %s: %w (reading it ends the program: %.200s); %s", path, ErrDamaged, first, advice)
	}
	return g, fmt.Errorf("check ledger %s: the process that checks it was ended: %w; run again", path, err)
}

// self is the command of this very program, also while a newer one replaces it.
func self() []string {
	if runtime.GOOS == "linux" {
		return []string{"/proc/self/exe", Argument}
	}
	name, err := os.Executable()
	if err != nil {
		name = os.Args[0]
	}
	return []string{name, Argument}
}
