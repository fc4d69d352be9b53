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

// Version is the version of the file format. A plan file is a ZIP file with members compressed by Zstandard.
// The last member is one JSON object with header and trailer. The others are JSON Lines; empty members are
// left out. A change with a document has a second line: the document as it is sent.
const Version = 3

const (
	memberPages        = "pages.jsonl"
	memberChanges      = "changes.jsonl"
	memberObservations = "observations.jsonl"
	memberFailures     = "failures.jsonl"
	memberMoves        = "moves.jsonl"
	memberWarnings     = "warnings.jsonl"
	memberEnds         = "plan.json"
)

var members = [...]string{
	memberPages, memberChanges, memberObservations, memberFailures, memberMoves, memberWarnings, memberEnds,
}

// window is the Zstandard window in bytes. Compression uses twice as much memory. A larger window compresses
// no better.
const window = 2 << 20

func order(member string) int { return slices.Index(members[:], member) }

type changeLine struct {
	document.Change
	HasDoc bool `json:"has_doc,omitempty"`
}

type ends struct {
	Header  document.PlanHeader  `json:"header"`
	Trailer document.PlanTrailer `json:"trailer"`
}

// Writer writes a plan file. Call Page, Change, Observe, Failure, Move, Warning and Close in this order.
type Writer struct {
	path   string
	header document.PlanHeader
	file   *os.File
	zip    *zip.Writer
	member string
	out    *bufio.Writer
}

// Create begins a plan with mode 0600. The file appears at path when Close succeeds. Create errs with
// *own.ForeignError if path is a file that is no plan.
func Create(path string, header document.PlanHeader) (*Writer, error) {
	if err := own.Replaceable(path, isPlan); err != nil {
		return nil, fmt.Errorf("create plan: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return nil, fmt.Errorf("create plan: %w", err)
	}
	header.Version = Version
	out := bufio.NewWriterSize(io.Discard, 1<<16)
	w := &Writer{path: path, header: header, file: file, zip: zip.NewWriter(file), out: out}
	options := []zstd.EOption{
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window),
	}
	w.zip.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor(options...))
	return w, nil
}

func isPlan(head []byte) bool {
	const name = 30 // offset of the name of the first member (APPNOTE 6.3.10, section 4.3.7)
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) && slices.ContainsFunc(members[:], func(member string) bool {
		return bytes.HasPrefix(head[min(name, len(head)):], []byte(member))
	})
}

// Page adds the facts about a page that are shown to the site's owner. Pages must come in the order of URLs.
func (w *Writer) Page(p document.SitePage) error { return w.line(memberPages, p) }

// Change adds a change. Changes must come in this order: puts, patches, deletes, bulk deletes.
func (w *Writer) Change(c document.Change) error {
	doc := c.Doc
	c.Doc = nil
	if err := w.line(memberChanges, changeLine{Change: c, HasDoc: doc != nil}); err != nil || doc == nil {
		return err
	}
	_, _ = w.out.Write(doc) // a bufio.Writer returns the error again at the next write
	if err := w.out.WriteByte('\n'); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// Observe adds a record to store when the plan is applied, without a call of the service.
func (w *Writer) Observe(o document.Observation) error { return w.line(memberObservations, o) }

// Failure adds a page that could not be read.
func (w *Writer) Failure(f document.Failure) error { return w.line(memberFailures, f) }

// Move adds a document that gets another ID.
func (w *Writer) Move(m document.Move) error { return w.line(memberMoves, m) }

func (w *Writer) Warning(n document.Warning) error { return w.line(memberWarnings, n) }

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

// Close completes the file and gives it its name. On an error, it removes the file.
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

// Abandon removes the incomplete file.
func (w *Writer) Abandon() error {
	_ = w.file.Close()
	return os.Remove(w.file.Name())
}
