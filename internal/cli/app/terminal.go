package app

import (
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"sitesync/crawl"
)

type device interface {
	io.Writer
	Fd() uintptr
}

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	d, ok := w.(device)
	return ok && term.IsTerminal(int(d.Fd()))
}

// Streams sets standard output and standard error. Output to a pipe whose reader has ended is dropped without
// an error. So in "sitesync sync | head -1" the run goes on, and ends with its own exit code.
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

// Whole returns standard output for results that must be complete, such as a backup: a write errs if the
// reader of a pipe has ended.
func (a *App) Whole() io.Writer {
	if w, ok := a.Stdout.(untilGone); ok {
		return w.Writer
	}
	return a.Stdout
}

// screen is a terminal. It clears the progress bar before it writes anything else.
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

// ShowProgress shows a progress bar until stop is called, if standard error is a terminal. unit names one of
// the things in counts, such as "page". If counts is nil, the bar shows only the title. Call stop once.
func (a *App) ShowProgress(title, unit string, counts *crawl.Progress) (stop func()) {
	a.Logger().Debug(title)
	if a.noProgress || a.Quiet || !Terminal(a.Stderr) {
		return func() {}
	}
	screen, _ := a.Stderr.(*screen)
	options := []progressbar.Option{
		progressbar.OptionSetWriter(screen.device), progressbar.OptionSetDescription(title),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(counts != nil),
		progressbar.OptionSetElapsedTime(false),
	}
	if counts != nil {
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit+"s"))
	}
	bar := progressbar.NewOptions64(-1, options...)
	a.bar.Store(bar)
	ticker := time.NewTicker(200 * time.Millisecond)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				a.bar.Store(nil)
				_ = bar.Finish()
				return
			case <-ticker.C:
			}
			if counts == nil {
				_ = bar.RenderBlank()
				continue
			}
			bar.ChangeMax64(max(1, counts.Found.Load()))
			_ = bar.Set64(counts.Looked.Load())
		}
	}()
	return func() { close(done); <-ended }
}
