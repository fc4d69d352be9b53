package pdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/child"
	"sitesync/internal/document"
)

// Options say where compiled code is kept, and who is told of it.
type Options struct {
	Cache    string            // folder for compiled code that the owner names; empty: the user's cache
	Fallback string            // folder for it where the user has no cache; empty: none
	Warn     func(text string) // gets what the owner should know, each once
	Say      func(text string) // gets what takes its time
}

const (
	fileTime      = time.Minute     // for a file
	childMemory   = 768 << 20       // bytes that a child may hold, where that can be told
	startTime     = 2 * time.Minute // to compile on a busy machine
	filesPerChild = 200             // what PDFium leaks goes with its child
	maxAnswer     = 4 * maxText     // bytes: of text at most maxText, and what it is encoded in
)

var (
	errClosed   = errors.New("the reader of PDF files is closed")
	errProtocol = errors.New("the PDF reader gave an answer that can't be read; the next run reads the file again")
)

// Reader reads PDF files in child processes. Close ends them.
type Reader struct {
	say    func(text string)
	cache  func() string // the folder for compiled code; "": none
	args   []string      // of the program that calls Serve with what is put behind them
	limit  time.Duration // for a file
	memory int64         // that a child may hold

	run   context.Context // until Close; its end ends every child
	close context.CancelFunc
	slots chan struct{} // one for each child that may be at work
	idle  chan *process
	start sync.Mutex // held while a child starts: the next finds its compiled code
}

// New returns a Reader. It starts nothing.
func New(o Options) *Reader {
	most := min(2, runtime.NumCPU())
	r := &Reader{
		say: o.Say, args: []string{Argument}, limit: fileTime, memory: childMemory,
		slots: make(chan struct{}, most), idle: make(chan *process, most),
	}
	r.run, r.close = context.WithCancel(context.Background())
	r.cache = sync.OnceValue(func() string {
		folder, complaint := cacheFolder(o.Cache, o.Fallback)
		if complaint != "" {
			o.Warn(complaint)
		}
		return folder
	})
	return r
}

// Read returns what is in a PDF file. It errs where the file is broken, cut off,
// none, or takes more time or memory than it may, and after Close; the error says
// which. A file that a used child breaks on is tried once more in a new one, so
// that no file pays for another.
func (r *Reader) Read(body []byte) (document.File, error) {
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	for {
		c, err := r.take()
		if err != nil {
			return document.File{}, fmt.Errorf("start the reader of PDF files: %w", err)
		}
		a, err := c.ask(body, r.limit, r.memory)
		if err != nil || c.served >= filesPerChild {
			c.Kill()
		} else {
			r.idle <- c
		}
		if r.run.Err() != nil {
			_ = r.Close()
		}
		switch {
		case a.Verdict != "":
			return document.File{}, fmt.Errorf("read the PDF: %s", a.Verdict)
		case err == nil:
			return a.File, nil
		case c.served == 1 || c.stopped != nil || r.run.Err() != nil: // else it may be another file's doing
			return document.File{}, fmt.Errorf("read the PDF: %w", err)
		}
	}
}

// take returns a child that is ready: one that has nothing to do, else a new one.
func (r *Reader) take() (*process, error) {
	select {
	case c := <-r.idle:
		return c, nil
	default:
	}
	r.start.Lock()
	defer r.start.Unlock()
	if r.run.Err() != nil {
		return nil, errClosed
	}
	cache := r.cache()
	if code, _ := filepath.Glob(filepath.Join(cache, compiled)); cache != "" && len(code) == 0 {
		r.say("compiling the PDF reader, once")
	}
	started, err := child.Start(r.run, append(r.args, cache)...)
	if err != nil {
		return nil, err
	}
	c := newProcess(started.Out)
	c.Process = started
	if _, err := c.ask(nil, startTime, r.memory); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

// Close ends every child at once, whatever it does. A Read under way errs.
func (r *Reader) Close() error {
	r.close()
	for {
		select {
		case c := <-r.idle: // who reads ends its own
			c.Kill()
		default:
			return nil
		}
	}
}

// process is one child, used by one goroutine at a time.
type process struct {
	*child.Process
	out     *io.LimitedReader // of its answers
	answers *cbor.Decoder     // of out
	ready   bool
	served  int   // files
	stopped error // why the watch ended it
}

// newProcess returns a child whose answers come from out.
func newProcess(out io.Reader) *process {
	c := &process{out: &io.LimitedReader{R: out}}
	c.answers = cbor.NewDecoder(c.out)
	return c
}

// ask hands a file to the child, or only waits until a new one is ready, and returns
// its answer. It has the child watched meanwhile. An error ends the child.
func (c *process) ask(body []byte, limit time.Duration, memory int64) (a answer, err error) {
	c.stopped = c.Watch(limit, memory, func() {
		if c.ready {
			c.served++
			size := binary.BigEndian.AppendUint64(nil, uint64(len(body)))
			_, _ = io.Copy(c.In, io.MultiReader(bytes.NewReader(size), bytes.NewReader(body))) // its answer says why it errs
		}
		a, err = c.answer()
	})
	if c.stopped != nil {
		return answer{}, c.stopped
	}
	return a, err
}

// answer waits for an answer. It errs where a text is not valid UTF-8, or a list has more
// than the 131,072 elements that cbor takes: maxBlocks is less.
func (c *process) answer() (a answer, err error) {
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
