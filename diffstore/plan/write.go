package plan

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
	"sitesync/internal/own"
)

// Version is the version of the plan file's format: a ZIP file whose members are
// compressed with Zstandard. Each but the last holds JSON Lines, and is left out when it
// has none. Behind a change that has a document stands a line with its wire bytes. The
// last member is a JSON object of the header and the trailer.
const Version = 3

// The members of a plan, in order.
const (
	memberPages        = "pages.jsonl"
	memberChanges      = "changes.jsonl"
	memberObservations = "observations.jsonl"
	memberFailures     = "failures.jsonl"
	memberMoves        = "moves.jsonl"
	memberWarnings     = "warnings.jsonl"
	memberEnds         = "plan.json"
)

var members = [...]string{memberPages, memberChanges, memberObservations, memberFailures, memberMoves, memberWarnings, memberEnds}

// window is how far back what is written repeats what was; who writes and who reads hold
// twice as much. Texts are as short with the 4 MiB that are usual.
const window = 2 << 20

// order returns the place of a member in a plan; -1 for any other name.
func order(member string) int { return slices.Index(members[:], member) }

type changeLine struct {
	document.Change
	HasDoc bool `json:"has_doc,omitempty"`
}

type ends struct {
	Header  document.PlanHeader  `json:"header"`
	Trailer document.PlanTrailer `json:"trailer"`
}

// Writer writes a plan file: first what was seen of pages, then all changes, observations,
// failures, moves and warnings, in this order. It is for one goroutine.
type Writer struct {
	path   string
	header document.PlanHeader
	file   *os.File
	zip    *zip.Writer
	member string        // that is being written; empty: none yet
	out    *bufio.Writer // into it
}

// Create begins a plan at path with mode 0600. The file appears under its name only
// when Close was given a trailer. It errs with *own.ForeignError where that would replace
// anything but a plan.
func Create(path string, header document.PlanHeader) (*Writer, error) {
	if err := own.Replaceable(path, isPlan); err != nil {
		return nil, fmt.Errorf("create plan: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return nil, fmt.Errorf("create plan: %w", err)
	}
	header.Version = Version
	w := &Writer{path: path, header: header, file: file, zip: zip.NewWriter(file), out: bufio.NewWriterSize(io.Discard, 1<<16)}
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window)}
	w.zip.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor(options...))
	return w, nil
}

// isPlan reports whether a file begins as a plan does: a ZIP file whose first member is one
// of a plan's.
func isPlan(head []byte) bool {
	const name = 30 // where it stands: APPNOTE 6.3.10, section 4.3.7
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && slices.ContainsFunc(members[:], func(member string) bool {
		return bytes.HasPrefix(head[min(name, len(head)):], []byte(member))
	})
}

// Page adds what was seen of a URL; they come in the order of URLs.
func (w *Writer) Page(p document.SitePage) error { return w.line(memberPages, p) }

// Change adds a change; puts come before patches, patches before deletes, those before
// what goes by bulk.
func (w *Writer) Change(c document.Change) error {
	doc := c.Doc
	c.Doc = nil
	if err := w.line(memberChanges, changeLine{Change: c, HasDoc: doc != nil}); err != nil || doc == nil {
		return err
	}
	_, _ = w.out.Write(doc) // an error stays until the end of the line
	if err := w.out.WriteByte('\n'); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// Observe adds a record to be kept without a call.
func (w *Writer) Observe(o document.Observation) error { return w.line(memberObservations, o) }

// Failure adds a page that was not read.
func (w *Writer) Failure(f document.Failure) error { return w.line(memberFailures, f) }

// Move adds a document that has another ID from now on.
func (w *Writer) Move(m document.Move) error { return w.line(memberMoves, m) }

// Warning adds a warning.
func (w *Writer) Warning(n document.Warning) error { return w.line(memberWarnings, n) }

// line adds a line to a member, and begins the member where it is not begun.
func (w *Writer) line(member string, v any) error {
	if w.member != member {
		if err := w.begin(member); err != nil {
			return fmt.Errorf("write plan: %w", err)
		}
	}
	enc := json.NewEncoder(w.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

func (w *Writer) begin(member string) error {
	if order(member) <= order(w.member) {
		return fmt.Errorf("%s come before %s", member, w.member)
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: member, Method: zstd.ZipMethodWinZip})
	if err != nil {
		return err
	}
	w.out.Reset(out)
	w.member = member
	return nil
}

// Close writes the trailer and gives the file its name.
func (w *Writer) Close(trailer document.PlanTrailer) error {
	if err := w.finish(trailer); err != nil {
		return errors.Join(fmt.Errorf("finish plan: %w", err), w.Abandon())
	}
	return nil
}

func (w *Writer) finish(trailer document.PlanTrailer) error {
	if err := w.begin(memberEnds); err != nil {
		return err
	}
	if err := w.line(memberEnds, ends{w.header, trailer}); err != nil {
		return err
	}
	for _, step := range []func() error{w.out.Flush, w.zip.Close, w.file.Sync, w.file.Close} {
		if err := step(); err != nil {
			return err
		}
	}
	return os.Rename(w.file.Name(), w.path)
}

// Abandon gives the plan up and removes what was written.
func (w *Writer) Abandon() error {
	_ = w.file.Close() // it may be closed
	return os.Remove(w.file.Name())
}
