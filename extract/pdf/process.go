package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// child is one child process, used by one goroutine at a time.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *io.LimitedReader // of its answers
	answers *cbor.Decoder     // of out
	ready   bool
	served  int   // files
	stopped error // why the watch killed it
}

// maxAnswer bounds an answer: a result's text is bounded by maxText; its encoding and
// the rest of it need less than twice as much.
const maxAnswer = 4 * maxText

// errProtocol: the child does not speak this protocol.
var errProtocol = errors.New("the PDF reader gave an answer that can't be read; the next run reads the file again")

// newChild returns a child whose answers come from out.
func newChild(out io.Reader) *child {
	c := &child{out: &io.LimitedReader{R: out}}
	c.answers = cbor.NewDecoder(c.out)
	return c
}

// ask hands a file to the child, or only waits until a new one is ready, and returns
// its answer. It has the child watched meanwhile. An error ends the child.
func (c *child) ask(body []byte, limit time.Duration, memory int64) (a answer, err error) {
	done, why := make(chan struct{}), make(chan error, 1)
	go func() { why <- c.watch(limit, memory, done) }()
	if c.ready {
		c.served++
		size := binary.BigEndian.AppendUint64(nil, uint64(len(body)))
		_, _ = io.Copy(c.in, io.MultiReader(bytes.NewReader(size), bytes.NewReader(body))) // its answer says why it errs
	}
	a, err = c.answer()
	close(done)
	if c.stopped = <-why; c.stopped != nil {
		return answer{}, c.stopped
	}
	return a, err
}

// answer waits for an answer. It errs where a text is not valid UTF-8, or a list has more
// than the 131,072 elements that cbor takes: maxBlocks is less.
func (c *child) answer() (a answer, err error) {
	c.out.N = maxAnswer
	err = c.answers.Decode(&a)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return answer{}, fmt.Errorf("its child ended, perhaps for want of memory: %w", err)
	case err != nil:
		return answer{}, fmt.Errorf("%w: %w", errProtocol, err)
	case a.Broken != "":
		return answer{}, errors.New(a.Broken)
	case a.Ready == c.ready:
		return answer{}, fmt.Errorf("%w: an answer out of turn", errProtocol)
	}
	c.ready = true
	a.File.Created, a.File.Modified = a.File.Created.UTC(), a.File.Modified.UTC()
	return a, nil
}

// kill ends the process, if it runs, and waits for its end.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

// watch kills a child that takes too long or too much memory; how much it takes can be told
// on Linux alone, and elsewhere the limit of PDFium's own memory has to do.
func (c *child) watch(limit time.Duration, memory int64, done <-chan struct{}) error {
	late, look := time.After(limit), time.NewTicker(50*time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-late:
			_ = c.cmd.Process.Kill()
			return fmt.Errorf("it took longer than %s", limit)
		case <-look.C:
			var size, resident int64
			raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", c.cmd.Process.Pid))
			_, _ = fmt.Sscan(string(raw), &size, &resident)
			if used := resident * int64(os.Getpagesize()); used > memory {
				_ = c.cmd.Process.Kill()
				return fmt.Errorf("it took %d MB of memory", used>>20)
			}
		}
	}
}
