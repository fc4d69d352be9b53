package diffstore

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
)

// PlanVersion is the version of the plan file's format: JSON Lines compressed
// with Zstandard (RFC 8878). A header; changes, the wire bytes of each on a line of
// their own behind it; observations; failures, moves and warnings; a trailer that
// holds the totals and the XXH64 of all lines before it.
const PlanVersion = 1

// The kinds of line.
const (
	kindHeader  = "header"
	kindChange  = "change"
	kindObserve = "observe"
	kindFailure = "failure"
	kindMove    = "move"
	kindWarning = "warning"
	kindTrailer = "trailer"
)

type changeLine struct {
	document.Change
	HasDoc bool `json:"has_doc,omitempty"`
}

// PlanWriter writes a plan file. It is for one goroutine.
type PlanWriter struct {
	file *os.File
	path string
	zip  *zstd.Encoder
	out  *bufio.Writer
	sum  *xxhash.Digest
	buf  bytes.Buffer
}

// CreatePlan begins a plan at path with mode 0600. The file appears under its
// name only when Close was given a trailer.
func CreatePlan(path string, header document.PlanHeader) (*PlanWriter, error) {
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create plan: %w", err)
	}
	zip, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create plan: %w", err), file.Close())
	}
	w := &PlanWriter{file: file, path: path, zip: zip, out: bufio.NewWriterSize(zip, 1<<16), sum: xxhash.New()}
	header.Version = PlanVersion
	return w, w.line(kindHeader, header)
}

// Change adds a change; puts come before patches, patches before deletes.
func (w *PlanWriter) Change(c document.Change) error {
	doc := c.Doc
	c.Doc = nil
	if err := w.line(kindChange, changeLine{Change: c, HasDoc: doc != nil}); err != nil || doc == nil {
		return err
	}
	return w.raw(doc)
}

// Observe adds a record to be kept without a call.
func (w *PlanWriter) Observe(o document.Observation) error { return w.line(kindObserve, o) }

// Failure adds a page that was not read.
func (w *PlanWriter) Failure(f document.Failure) error { return w.line(kindFailure, f) }

// Move adds a document that goes on under another ID.
func (w *PlanWriter) Move(m document.Move) error { return w.line(kindMove, m) }

// Warning adds a warning.
func (w *PlanWriter) Warning(n document.Warning) error { return w.line(kindWarning, n) }

// line writes one line; its kind is always the first key, so that a reader tells
// kinds apart without decoding.
func (w *PlanWriter) line(kind string, v any) error {
	w.buf.Reset()
	enc := json.NewEncoder(&w.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	body := bytes.TrimSuffix(w.buf.Bytes(), []byte("\n"))[1:]
	prefix := fmt.Appendf(nil, `{"kind":%q,`, kind)
	return w.raw(append(prefix, body...))
}

func (w *PlanWriter) raw(line []byte) error {
	_, _ = w.sum.Write(line)
	if _, err := w.out.Write(line); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	if err := w.out.WriteByte('\n'); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// Close writes the trailer and gives the file its name.
func (w *PlanWriter) Close(trailer document.PlanTrailer) error {
	trailer.Sum = fmt.Sprintf("%016x", w.sum.Sum64())
	err := errors.Join(w.line(kindTrailer, trailer), w.out.Flush(), w.zip.Close(), w.file.Sync())
	if err := errors.Join(err, w.file.Close()); err != nil {
		return fmt.Errorf("finish plan: %w", err)
	}
	if err := os.Rename(w.path+".part", w.path); err != nil {
		return fmt.Errorf("finish plan: %w", err)
	}
	return nil
}

// Abandon gives the plan up and removes what was written.
func (w *PlanWriter) Abandon() error {
	return errors.Join(w.file.Close(), os.Remove(w.path+".part"))
}
