package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// child is one child process, used by one goroutine at a time. Others may kill its
// process, no more.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	served int // files
}

// verdict is what PDFium says of a file: the child is as good as before.
type verdict string

func (v verdict) Error() string { return string(v) }

// stopped is why the watch killed a child.
type stopped string

func (s stopped) Error() string { return string(s) }

// launch starts a process that Close knows of. It has no environment: what os/exec adds
// is what Windows needs to start any.
func (r *Reader) launch(command []string) (*child, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // this very program
	cmd.Env = []string{}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}
	r.all[c] = true
	return c, nil
}

// ask hands a file to the child, or only waits until a new one is ready, and returns
// its answer. It has the child watched meanwhile.
func (c *child) ask(body []byte, isNew bool, limit time.Duration, memory int64) (a answer, err error) {
	done, why := make(chan struct{}), make(chan error, 1)
	go func() { why <- c.watch(limit, memory, done) }()
	if !isNew {
		c.served++
		err = ended(writeFrame(c.in, body))
	}
	if err == nil {
		a, err = c.answer(isNew)
	}
	close(done)
	if killed := <-why; killed != nil {
		return answer{}, killed
	}
	return a, err
}

// answer waits for an answer, of which ready says whether it is to be the first. The size is
// not believed: memory grows with what arrives. It errs where a text is not valid UTF-8, or a
// list has more than the 131,072 elements that cbor takes: maxBlocks is less.
func (c *child) answer(ready bool) (answer, error) {
	size, err := readSize(c.out, maxAnswer)
	if err != nil {
		return answer{}, ended(err)
	}
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, c.out, int64(size)); err != nil {
		return answer{}, ended(fmt.Errorf("read %d bytes: %w", size, err))
	}
	var a answer
	err = cbor.Unmarshal(payload.Bytes(), &a)
	switch {
	case err != nil:
		return answer{}, fmt.Errorf("%w: %w", errProtocol, err)
	case a.Ready != ready && a.Broken == "":
		return answer{}, fmt.Errorf("%w: an answer out of turn", errProtocol)
	case a.Verdict != "":
		return answer{}, verdict(a.Verdict)
	case a.Broken != "":
		return answer{}, errors.New(a.Broken)
	}
	a.File.Created, a.File.Modified = a.File.Created.UTC(), a.File.Modified.UTC()
	return a, nil
}

// ended says of an error that the child is gone, unless it said something odd.
func ended(err error) error {
	if err == nil || errors.Is(err, errProtocol) {
		return err
	}
	return fmt.Errorf("its child ended, perhaps for want of memory: %w", err)
}

// kill ends the process, if it runs, and waits for its end.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

// lookEvery is how often a child's memory is asked for.
const lookEvery = 50 * time.Millisecond

// watch kills a child that takes too long or too much memory.
func (c *child) watch(limit time.Duration, memory int64, done <-chan struct{}) error {
	late, look := time.NewTimer(limit), time.NewTicker(lookEvery)
	defer late.Stop()
	defer look.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-late.C:
			_ = c.cmd.Process.Kill()
			return stopped(fmt.Sprintf("it took longer than %s", limit))
		case <-look.C:
			if used := memoryOf(c.cmd.Process.Pid); used > memory {
				_ = c.cmd.Process.Kill()
				return stopped(fmt.Sprintf("it took %d MB of memory", used>>20))
			}
		}
	}
}

// memoryOf returns the bytes of memory that a process holds; 0 where that can't be told,
// as on systems other than Linux: there the limit of PDFium's own memory has to do.
func memoryOf(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
