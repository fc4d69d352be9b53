package pdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

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
	startTime     = 2 * time.Minute // to compile on a busy machine, or to interpret
	filesPerChild = 200             // what PDFium leaks goes with its child
)

// errClosed: the run is over.
var errClosed = errors.New("the reader of PDF files is closed")

// Reader reads PDF files in child processes. Close ends them.
type Reader struct {
	say     func(text string)
	cache   func() string // the folder for compiled code; "": none
	slow    func()        // warns that PDFium is interpreted
	command []string      // that calls Serve with what is put behind it
	limit   time.Duration // for a file
	memory  int64         // that a child may hold

	run   context.Context // until Close; its end ends every child
	close context.CancelCauseFunc
	slots chan struct{} // one for each child that may be at work
	idle  chan *child
	start sync.Mutex // held while a child starts: the next finds its compiled code
}

// New returns a Reader. It starts nothing.
func New(o Options) *Reader {
	name, _ := os.Executable() // without a name, starting it errs
	if runtime.GOOS == "linux" {
		name = "/proc/self/exe" // also where a newer program takes this one's place
	}
	most := min(2, runtime.NumCPU())
	r := &Reader{
		say: o.Say, command: []string{name}, limit: fileTime, memory: childMemory,
		slots: make(chan struct{}, most), idle: make(chan *child, most),
	}
	r.run, r.close = context.WithCancelCause(context.Background())
	r.slow = sync.OnceFunc(func() {
		o.Warn("this system lets no program make code: PDF files are read many times slower")
	})
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
			c.kill()
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
func (r *Reader) take() (*child, error) {
	select {
	case c := <-r.idle:
		return c, nil
	default:
	}
	r.start.Lock()
	defer r.start.Unlock()
	if r.run.Err() != nil {
		return nil, context.Cause(r.run)
	}
	return r.begin()
}

// begin starts a child. It has no environment: what os/exec adds is what Windows needs to
// start any.
func (r *Reader) begin() (*child, error) {
	cache := r.cache()
	if code, _ := filepath.Glob(filepath.Join(cache, compiled)); cache != "" && len(code) == 0 {
		r.say("compiling the PDF reader, once")
	}
	args := slices.Concat(r.command[1:], []string{Argument, cache})
	cmd := exec.CommandContext(r.run, r.command[0], args...) //nolint:gosec // this very program
	cmd.Env = []string{}
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := newChild(out)
	c.cmd, c.in = cmd, in
	ready, err := c.ask(nil, startTime, r.memory)
	if err != nil {
		c.kill()
		return nil, err
	}
	if ready.Interpreted {
		r.slow()
	}
	return c, nil
}

// Close ends every child at once, whatever it does. A Read under way errs.
func (r *Reader) Close() error {
	r.close(errClosed)
	for {
		select {
		case c := <-r.idle: // who reads ends its own
			c.kill()
		default:
			return nil
		}
	}
}
