package testsite

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// HugeChild is a Huge site in a process of its own, so that a benchmark measures
// the client alone. It is not safe for concurrent use.
type HugeChild struct {
	URL    string // origin, without a slash at its end
	cmd    *exec.Cmd
	in     io.WriteCloser
	answer *bufio.Reader
}

// StartHuge starts the running test program once more as the site's server; see
// MaybeServe. The child ends with Close, with ctx, or when this process ends.
func StartHuge(ctx context.Context, o HugeOptions) (*HugeChild, error) {
	if os.Getenv(childVariable) != "" {
		return nil, errors.New("start the large site: this is its own process; call testsite.MaybeServe first in TestMain")
	}
	options, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("write the options of the large site: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program, to serve the large site: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), childVariable+"="+string(options))
	cmd.Stderr = os.Stderr
	c := &HugeChild{cmd: cmd}
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("start the large site: %w", err)
	}
	return c, nil
}

// start starts the child and reads its address.
func (c *HugeChild) start() error {
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.in, c.answer = in, bufio.NewReader(out)
	line, err := c.answer.ReadString('\n')
	c.URL = strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(c.URL, "http://") {
		_, _ = c.Close()
		return fmt.Errorf("it said %q in place of its address; call testsite.MaybeServe first in TestMain", c.URL)
	}
	return nil
}

// Bump changes the pages from to to - 1; see Huge.Bump.
func (c *HugeChild) Bump(from, to int) error {
	_, err := c.ask(fmt.Sprintf("bump %d %d", from, to))
	return err
}

// Reset sets the child's counts to zero.
func (c *HugeChild) Reset() error {
	_, err := c.ask("reset")
	return err
}

// Stats returns the child's counts.
func (c *HugeChild) Stats() (Stats, error) { return c.ask("stats") }

func (c *HugeChild) ask(command string) (Stats, error) {
	var s Stats
	if _, err := fmt.Fprintln(c.in, command); err != nil {
		return s, fmt.Errorf("tell the large site to %s: %w", command, err)
	}
	line, err := c.answer.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the large site's answer to %s: %w", command, err)
	}
	return s, nil
}

// Close ends the child and returns the processor time it used in all.
func (c *HugeChild) Close() (time.Duration, error) {
	_ = c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		return 0, fmt.Errorf("end the large site: %w", err)
	}
	return c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime(), nil
}
