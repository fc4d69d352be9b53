package pdf

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"sitesync/internal/document"
)

// Options say how children are started and bounded.
type Options struct {
	Cache    string            // folder for compiled code that the owner names; empty: the user's cache
	Fallback string            // folder for it where the user has no cache; empty: none
	Warn     func(text string) // gets what the owner should know, each once; nil: nobody
	Say      func(text string) // gets what takes its time; nil: nobody
	Command  []string          // that calls Serve with what is put behind it; nil: this program
	Timeout  time.Duration     // for a file; 0: a minute
	Memory   int64             // bytes that a child may hold, where that can be told; 0: 768 MB
	Children int               // at a time; 0: 2, or 1 where there is one processor
}

const (
	defaultTimeout = time.Minute
	defaultMemory  = 768 << 20
	startTime      = 2 * time.Minute // to compile on a busy machine, or to interpret
	filesPerChild  = 200             // what PDFium leaks goes with its child
)

// errClosed: the run is over.
var errClosed = errors.New("the reader of PDF files is closed")

// Reader reads PDF files in child processes. Close ends them.
type Reader struct {
	o     Options
	slots chan struct{} // one for each child that may be at work
	start sync.Mutex    // held while a child starts: the next finds its compiled code

	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
	warned map[string]bool
}

// New returns a Reader. It starts nothing.
func New(o Options) *Reader {
	o.Timeout, o.Memory = cmp.Or(o.Timeout, defaultTimeout), cmp.Or(o.Memory, defaultMemory)
	o.Children = cmp.Or(o.Children, min(2, runtime.NumCPU()))
	return &Reader{o: o, slots: make(chan struct{}, o.Children), all: map[*child]bool{}, warned: map[string]bool{}}
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
			return document.File{}, err
		}
		a, err := c.ask(body, false, r.o.Timeout, r.o.Memory)
		first := c.served == 1
		closed := r.give(c, err)
		if err == nil {
			return a.File, nil
		}
		_, isVerdict := errors.AsType[verdict](err)
		_, isStopped := errors.AsType[stopped](err)
		if first || closed || isVerdict || isStopped { // else it may be another file's doing
			return document.File{}, fmt.Errorf("read the PDF: %w", err)
		}
	}
}

// take returns a child that is ready.
func (r *Reader) take() (*child, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 && !r.closed {
		c := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.mu.Unlock()
		return c, nil
	}
	r.mu.Unlock()
	r.start.Lock()
	defer r.start.Unlock()
	c, err := r.begin()
	if err != nil {
		return nil, fmt.Errorf("start the reader of PDF files: %w", err)
	}
	return c, nil
}

func (r *Reader) begin() (*child, error) {
	command := r.o.Command
	switch {
	case command != nil:
	case runtime.GOOS == "linux":
		command = []string{"/proc/self/exe"} // also where a newer program takes this one's place
	default:
		name, err := os.Executable()
		if err != nil {
			return nil, err
		}
		command = []string{name}
	}
	cache, complaint := cacheFolder(r.o.Cache, r.o.Fallback)
	r.warn(complaint)
	if code, _ := filepath.Glob(filepath.Join(cache, compiled)); cache != "" && len(code) == 0 && r.o.Say != nil {
		r.o.Say("compiling the PDF reader, once")
	}
	c, err := r.launch(slices.Concat(command, []string{Argument, cache, r.o.Timeout.String()}))
	if err != nil {
		return nil, err
	}
	ready, err := c.ask(nil, true, startTime, r.o.Memory)
	if err != nil {
		r.give(c, err)
		return nil, err
	}
	if ready.Interpreted {
		r.warn("this system lets no program make code: PDF files are read many times slower")
	}
	return c, nil
}

// give takes a child back, and reports whether the reader is closed; a child that made
// trouble or is worn ends.
func (r *Reader) give(c *child, err error) (closed bool) {
	_, isVerdict := errors.AsType[verdict](err)
	worn := err != nil && !isVerdict || c.served >= filesPerChild
	r.mu.Lock()
	defer r.mu.Unlock()
	if worn || r.closed {
		c.kill()
		delete(r.all, c)
	} else {
		r.idle = append(r.idle, c)
	}
	return r.closed
}

// warn tells a text once.
func (r *Reader) warn(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text != "" && r.o.Warn != nil && !r.warned[text] {
		r.warned[text] = true
		r.o.Warn(text)
	}
}

// Close ends every child at once, whatever it does. A Read under way errs.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for c := range r.all {
		_ = c.cmd.Process.Kill() // it may be gone
	}
	for _, c := range r.idle { // the others wait for their own
		c.kill()
		delete(r.all, c)
	}
	r.idle = nil
	return nil
}
