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

// ErrCrashed says that a child ended with a panic or another fatal error of Go.
var ErrCrashed = errors.New("the child crashed")

// Process is a child process that runs this program. Read Out to its end before calling Wait.
type Process struct {
	In  io.WriteCloser // standard input of the child
	Out io.ReadCloser  // standard output of the child

	cmd    *exec.Cmd
	stderr strings.Builder
}

// Start starts this program with arguments. The end of ctx kills the child.
func Start(ctx context.Context, args ...string) (*Process, error) {
	name, _ := os.Executable() // without a name, cmd.Start errs
	if runtime.GOOS == "linux" {
		name = "/proc/self/exe" // the running program, even if its file was replaced
	}
	p := &Process{cmd: exec.CommandContext(ctx, name, args...)} //nolint:gosec // this very program
	p.cmd.Env, p.cmd.Stderr = []string{}, &p.stderr
	var err error
	if p.In, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// Pid returns the process ID of the child.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Wait waits for the child's end, and errs unless its exit status is 0. After a crash the error is an
// ErrCrashed with the first line of the child's standard error.
func (p *Process) Wait() error {
	err := p.cmd.Wait()
	if words := p.stderr.String(); err != nil && strings.Contains(words, "\ngoroutine ") {
		first, _, _ := strings.Cut(words, "\n")
		return fmt.Errorf("%w: %.200s", ErrCrashed, first)
	}
	return err
}

// Kill kills the child if it runs, and waits for its end.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// Watch calls work, which may use the child. If work takes longer than limit, or the child uses more than
// memory bytes, Watch kills the child and errs. It measures memory only on Linux.
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
			_ = p.cmd.Process.Kill() // work then ends, because its reads and writes fail
		}
	}
}
