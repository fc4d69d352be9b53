package app

import (
	"bytes"
	"io"
	"sync"
)

// holdback keeps what --quiet may have to swallow: results and messages are shown
// only once it is known that the exit code is not 0.
type holdback struct {
	out   io.Writer
	mu    sync.Mutex
	kept  bytes.Buffer
	shown bool
}

// Write keeps p, or passes it on after show.
func (h *holdback) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown {
		return h.out.Write(p)
	}
	return h.kept.Write(p)
}

// show passes on what was kept, and from now on everything.
func (h *holdback) show() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown = true
	_, _ = h.kept.WriteTo(h.out) // nobody is left to tell when this fails
}

// hush holds the output back from now on.
func (a *App) hush() {
	a.Stdout, a.Stderr = &holdback{out: a.Stdout}, &holdback{out: a.Stderr}
}

// Speak ends hush.
func (a *App) Speak() {
	for _, out := range []io.Writer{a.Stdout, a.Stderr} {
		if h, ok := out.(*holdback); ok {
			h.show()
		}
	}
}
