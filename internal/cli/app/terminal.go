package app

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/rivo/uniseg"
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

// Streams sets where results and messages go. On a terminal they are wrapped to its width. A
// pipe gets every byte; what nobody reads any more counts as written, so that after "sitesync
// sync | head -1" the run goes to its end and its exit code is its own.
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

// screen breaks lines that are wider than the terminal between words, and takes the
// progress bar away before it writes.
type screen struct {
	device
	app *App

	mu     sync.Mutex
	column int // where the cursor stands
	spaces int // that follow there, unless the line ends
	indent int // of what continues a line; 0: the line has no word yet
}

// width returns the terminal's columns, 0 where it has no width. COLUMNS wins.
func (s *screen) width() int {
	if n, err := strconv.Atoi(s.app.Getenv("COLUMNS")); err == nil {
		return n
	}
	n, _, _ := term.GetSize(int(s.Fd()))
	return n
}

// Size returns the columns and lines of the terminal that results go to; zeros where they go
// elsewhere.
func (a *App) Size() (columns, lines int) {
	s, ok := a.Stdout.(*screen)
	if !ok {
		return 0, 0
	}
	_, lines, _ = term.GetSize(int(s.Fd()))
	return s.width(), lines
}

// Redraw shows text in place of all that the terminal of results shows; its lines are cut at
// the edge.
func (a *App) Redraw(text string) error {
	columns, _ := a.Size()
	page := "\x1b[H"
	for line := range strings.Lines(text) {
		runes := []rune(strings.TrimSuffix(line, "\n"))
		page += string(runes[:min(len(runes), columns)]) + "\x1b[K\n"
	}
	s, ok := a.Stdout.(*screen)
	if !ok {
		return errors.New("standard output is no terminal")
	}
	_, err := io.WriteString(s.device, page+"\x1b[J")
	return err
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bar := s.app.bar.Load(); bar != nil {
		_ = bar.Clear()
	}
	if _, err := io.WriteString(s.device, s.wrap(string(p), s.width())); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wrap returns text with line ends in place of the spaces where a line would be too wide.
// What continues a line stands four columns further in. A word that is too wide for any line
// is left to the terminal.
func (s *screen) wrap(text string, width int) string {
	var out strings.Builder
	for text != "" {
		word := text[:len(text)-len(strings.TrimLeft(text, " "))]
		s.spaces += len(word)
		text = text[len(word):]
		if end := strings.IndexAny(text, " \n"); end >= 0 {
			word, text = text[:end], text[end:]
		} else {
			word, text = text, ""
		}
		cells := cells(word)
		switch {
		case s.indent == 0:
			s.indent = max(1, min(s.spaces+4, width/2))
		case s.column > 0 && s.spaces > 0 && s.column+s.spaces+cells > width && s.indent+cells <= width:
			out.WriteByte('\n')
			s.column, s.spaces = 0, s.indent
		}
		if word != "" {
			out.WriteString(strings.Repeat(" ", s.spaces) + word)
			s.column += s.spaces + cells
			if width > 0 && s.column > width { // the terminal broke the word
				s.column %= width
			}
			s.spaces = 0
		}
		if strings.HasPrefix(text, "\n") {
			out.WriteByte('\n')
			text = text[1:]
			s.column, s.spaces, s.indent = 0, 0, 0
		}
	}
	return out.String()
}

// cells returns how many columns a word takes, without the marks that colour it.
func cells(word string) (n int) {
	for word != "" {
		before, after, _ := strings.Cut(word, "\x1b[")
		n += uniseg.StringWidth(before)
		_, word, _ = strings.Cut(after, "m")
	}
	return n
}
