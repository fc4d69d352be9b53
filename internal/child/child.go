package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ErrCrashed is the end of a child that left the last words of a Go program.
var ErrCrashed = errors.New("the child crashed")

// Process is a child. Out is to be read to its end before Wait.
type Process struct {
	In  io.WriteCloser
	Out io.ReadCloser

	cmd   *exec.Cmd
	words strings.Builder // on standard error
}

// Start starts this program with arguments. The end of ctx kills the child.
func Start(ctx context.Context, args ...string) (*Process, error) {
	name, _ := os.Executable() // without a name, starting it errs
	if runtime.GOOS == "linux" {
		name = "/proc/self/exe" // also where a newer program takes this one's place
	}
	p := &Process{cmd: exec.CommandContext(ctx, name, args...)} //nolint:gosec // this very program
	p.cmd.Env, p.cmd.Stderr = []string{}, &p.words
	var err error
	if p.In, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// Pid returns the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Wait waits for the child's end and errs unless its status is 0. The error is an
// ErrCrashed with the first line of what it said, where it crashed.
func (p *Process) Wait() error {
	err := p.cmd.Wait()
	if words := p.words.String(); err != nil && strings.Contains(words, "\ngoroutine ") {
		first, _, _ := strings.Cut(words, "\n")
		return fmt.Errorf("%w: %.200s", ErrCrashed, first)
	}
	return err
}

// Kill ends the child, if it runs, and waits for its end.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// Watch calls work, which talks to the child, and ends the child where that takes longer
// than limit, or where the child takes more bytes of memory than it may, which can be told
// on Linux alone. It errs then, and says which.
func (p *Process) Watch(limit time.Duration, memory int64, work func()) (stopped error) {
	done := make(chan struct{})
	go func() {
		work()
		close(done)
	}()
	late, look := time.After(limit), time.NewTicker(50*time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return stopped
		case <-late:
			stopped = fmt.Errorf("it took longer than %s", limit)
		case <-look.C:
			var size, resident int64
			raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.Pid()))
			_, _ = fmt.Sscan(string(raw), &size, &resident)
			if used := resident * int64(os.Getpagesize()); used > memory {
				stopped = fmt.Errorf("it took %d MB of memory", used>>20)
			}
		}
		if stopped != nil {
			_ = p.cmd.Process.Kill() // which ends the work
		}
	}
}
