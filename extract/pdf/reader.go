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

// Options are the settings of a Reader.
type Options struct {
	Cache    string            // the configured folder for PDFium's compiled code; empty: the user's cache
	Fallback string            // folder for compiled code if the user's cache can't be used; may be empty
	Warn     func(text string) // gets each warning once
	Say      func(text string) // gets a message before work that takes long
}

const (
	fileTime      = time.Minute     // maximum time to read one file
	childMemory   = 768 << 20       // maximum bytes of one child, on systems that can measure them
	startTime     = 2 * time.Minute // maximum time to start a child, which may have to compile PDFium
	filesPerChild = 200             // files that one child reads before it is ended, as PDFium leaks memory
	maxAnswer     = 4 * maxText     // maximum bytes of an answer: maxText bytes of text, with overhead
)

var (
	errClosed   = errors.New("the reader of PDF files is closed")
	errProtocol = errors.New("the PDF reader gave an answer that can't be read; the next run reads the file again")
)

// Reader reads PDF files in child processes. It is safe for concurrent use.
type Reader struct {
	say    func(text string)
	cache  func() string // returns the folder for compiled code, or ""
	args   []string      // arguments of a child, except the cache folder
	limit  time.Duration
	memory int64

	run   context.Context // cancelled by Close, so that every child ends
	close context.CancelFunc
	slots chan struct{} // one element for each child at work
	idle  chan *process
	start sync.Mutex // held while a child starts and may compile PDFium, so that no two compile at once
}

// New returns a Reader. It starts no child.
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

// Read returns the content of a PDF file. It errs if the file is broken, cut off or no PDF, and after Close.
// It also errs if reading takes too much time or memory. If a child breaks, an earlier file of that child may
// be the cause. So Read tries again in another child, unless the file was the child's first.
func (r *Reader) Read(body []byte) (document.File, error) {
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	for {
		c, err := r.acquire()
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
		case c.served == 1 || c.stopped != nil || r.run.Err() != nil: // here no earlier file is to blame
			return document.File{}, fmt.Errorf("read the PDF: %w", err)
		}
	}
}

func (r *Reader) acquire() (*process, error) {
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

// Close ends every child at once. A Read that is running errs.
func (r *Reader) Close() error {
	r.close()
	for {
		select {
		case c := <-r.idle: // a child that is not idle is ended by its Read
			c.Kill()
		default:
			return nil
		}
	}
}

// process is one child. It is used by one goroutine at a time.
type process struct {
	*child.Process
	out     *io.LimitedReader
	answers *cbor.Decoder
	ready   bool
	served  int
	stopped error // why Watch ended the child, or nil
}

func newProcess(out io.Reader) *process {
	c := &process{out: &io.LimitedReader{R: out}}
	c.answers = cbor.NewDecoder(c.out)
	return c
}

// ask sends a file to the child and returns the answer. To a new child, it sends nothing and waits until the
// child is ready. If ask errs, the caller must end the child.
func (c *process) ask(body []byte, limit time.Duration, memory int64) (a answer, err error) {
	c.stopped = c.Watch(limit, memory, func() {
		if c.ready {
			c.served++
			size := binary.BigEndian.AppendUint64(nil, uint64(len(body)))
			_, _ = io.Copy(c.In, io.MultiReader(bytes.NewReader(size), bytes.NewReader(body)))
		}
		a, err = c.answer()
	})
	if c.stopped != nil {
		return answer{}, c.stopped
	}
	return a, err
}

// answer reads an answer. Package cbor refuses text that is not valid UTF-8, and lists of more than 131,072
// elements. A proper answer has neither.
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
