package app

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// device is what a terminal is known by.
type device interface {
	io.Writer
	Fd() uintptr
}

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	d, ok := w.(device)
	return ok && term.IsTerminal(int(d.Fd()))
}

// Streams sets where results and messages go. What nobody reads any more counts as written, so
// that after "sitesync sync | head -1" the run goes to its end and its exit code is its own.
func (a *App) Streams(stdout, stderr io.Writer) {
	stream := func(w io.Writer) io.Writer {
		if Terminal(w) {
			return &screen{device: w.(device), app: a}
		}
		return untilGone{w}
	}
	a.Stdout, a.Stderr = stream(stdout), stream(stderr)
}

type untilGone struct{ io.Writer }

func (w untilGone) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		return len(p), nil
	}
	return n, err
}

// Whole returns standard output for what is of no use in part: an error when nobody reads it.
func (a *App) Whole() io.Writer {
	if w, ok := a.Stdout.(untilGone); ok {
		return w.Writer
	}
	return a.Stdout
}

// screen is a terminal from which the progress bar is taken away before it is written to.
type screen struct {
	device
	app *App
	mu  sync.Mutex
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bar := s.app.bar.Load(); bar != nil {
		_ = bar.Clear()
	}
	return s.device.Write(p)
}
