package diffstore

import (
	"bytes"
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
	"time"
)

// Argument makes the program a child that is to call ServeCheck with the path that
// follows.
const Argument = "check-ledger"

// A child that takes longer than this, and a second for each megabyte, is ended.
const checkTime = time.Minute

// verdict is what a child says of a ledger: one JSON object on standard output.
type verdict struct {
	Kind string `json:"kind"` // of faults
	Text string `json:"text"`
}

// kinds are the errors that go from a child to its parent by name.
func kinds() map[string]error {
	return map[string]error{"damaged": ErrDamaged, "newer": ErrNewer, "locked": ErrLocked}
}

// told is an error of a child: its text, and what it is.
type told struct {
	text string
	is   error
}

func (t told) Error() string { return t.text }
func (t told) Unwrap() error { return t.is }

// ServeCheck checks the ledger at path for the parent process and tells out. It
// takes the process for its own, and ends it when in does: with the parent.
func ServeCheck(path string, in io.Reader, out io.Writer) error {
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	debug.SetMaxStack(64 << 20) // pages that lead to each other end it soon
	v := verdict{}
	if err := Check(path); err != nil {
		v = verdict{"other", err.Error()}
		for kind, is := range kinds() {
			if errors.Is(err, is) {
				v.Kind = kind
			}
		}
	}
	return json.NewEncoder(out).Encode(v)
}

// CheckApart is Check in a child process: this program with Argument and path, or
// command in its place, with an empty environment. A child that crashes has found
// damage. It errs with none of Check's errors where the child was ended by somebody
// else, or takes too long; where none can be started it checks by itself.
func CheckApart(ctx context.Context, path string, command ...string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return Check(path) // there is nothing to break on
	}
	limited, cancel := context.WithTimeout(ctx, checkTime+time.Duration(info.Size()>>20)*time.Second)
	defer cancel()
	if len(command) == 0 {
		command = self()
	}
	cmd := exec.CommandContext(limited, command[0], append(command[1:], path)...)
	cmd.Env = []string{}
	var out, crash bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &crash
	life, err := cmd.StdinPipe()
	if err == nil {
		defer life.Close()
		err = cmd.Start()
	}
	if err != nil {
		return Check(path)
	}
	err = cmd.Wait()
	var v verdict
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && json.Unmarshal(out.Bytes(), &v) == nil:
		return v.fault()
	case limited.Err() != nil:
		return fmt.Errorf("check ledger %s: it took longer than %s; run again, or move it away and name it to sitesync rebuild --from", path, checkTime)
	case strings.Contains(crash.String(), "\ngoroutine "): // the last words of a Go program
		first, _, _ := strings.Cut(crash.String(), "\n")
		return fmt.Errorf("check ledger %s: %w (reading it ends the program: %.200s); %s", path, ErrDamaged, first, advice)
	}
	return fmt.Errorf("check ledger %s: the process that checks it was ended: %w; run again", path, err)
}

func (v verdict) fault() error {
	if v.Kind == "" {
		return nil
	}
	return told{v.Text, kinds()[v.Kind]}
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
