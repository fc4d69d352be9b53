package diffstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// Argument makes the program a child that is to call Serve with the arguments that
// follow: bbolt can end the process that reads a damaged file.
const Argument = "check-ledger"

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

// CheckApart is Check in a child process: this program with Argument and path, and an
// empty environment. A child that crashes has found damage. It errs with none of
// Check's errors where the child was ended by somebody else; where none can be started it
// checks by itself.
func CheckApart(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Check(path) // there is nothing to break on
	}
	command := self()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], path)...) //nolint:gosec // this very program
	var crash strings.Builder
	cmd.Env, cmd.Stderr = []string{}, &crash
	life, err := cmd.StdinPipe() // the child ends when it is closed
	if err != nil {
		return fmt.Errorf("check ledger %s: %w", path, err)
	}
	defer life.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("check ledger %s: %w", path, err)
	}
	if cmd.Start() != nil {
		return Check(path)
	}
	var v verdict
	verdictErr := json.NewDecoder(out).Decode(&v)
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && verdictErr == nil && v.Kind == "":
		return nil
	case err == nil && verdictErr == nil:
		return childError{v.Text, kinds[v.Kind]}
	case strings.Contains(crash.String(), "\ngoroutine "): // the last words of a Go program
		first, _, _ := strings.Cut(crash.String(), "\n")
		return told("check", path, fmt.Errorf("%w (reading it ends the program: %.200s)", ErrDamaged, first))
	}
	return fmt.Errorf("check ledger %s: the process that checks it was ended: %w; run again", path, err)
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
