package plan

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
)

// Version is the version of the plan file's format: JSON Lines compressed
// with Zstandard (RFC 8878), in three frames. The first holds a header and the
// changes; the second the wire bytes of each change that has any, a line each, in
// the same order; the third what is to be kept (observations) and told (failures,
// moves, warnings), and a trailer with the totals and the checksums of all lines
// before it. A skippable frame at the end says where the frames begin, so that
// the changes are read without their documents.
const Version = 1

// The frames of a plan.
const (
	frameChanges = iota
	frameDocs
	frameRest
	frames
)

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

// skippableMagic begins the frame that a decoder passes over, RFC 8878, 3.1.2.
const skippableMagic = 0x184D2A50

type changeLine struct {
	document.Change
	HasDoc bool `json:"has_doc,omitempty"`
}

// Writer writes a plan file. It is for one goroutine.
type Writer struct {
	path    string
	streams [frames]*stream
	buf     bytes.Buffer
}

// stream is one frame while it is written, in a file of its own.
type stream struct {
	file *os.File
	zip  *zstd.Encoder
	out  *bufio.Writer
	sum  *xxhash.Digest
}

// Create begins a plan at path with mode 0600. The file appears under its
// name only when Close was given a trailer.
func Create(path string, header document.PlanHeader) (*Writer, error) {
	w := &Writer{path: path}
	for i := range w.streams {
		stream, err := newStream(w.part(i))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("create plan: %w", err), w.Abandon())
		}
		w.streams[i] = stream
	}
	header.Version = Version
	return w, w.line(frameChanges, kindHeader, header)
}

func (w *Writer) part(frame int) string { return fmt.Sprintf("%s.part%d", w.path, frame) }

func newStream(path string) (*stream, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	zip, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &stream{file: file, zip: zip, out: bufio.NewWriterSize(zip, 1<<16), sum: xxhash.New()}, nil
}

// Change adds a change; puts come before patches, patches before deletes, those before
// what goes by bulk.
func (w *Writer) Change(c document.Change) error {
	doc := c.Doc
	c.Doc = nil
	if err := w.line(frameChanges, kindChange, changeLine{Change: c, HasDoc: doc != nil}); err != nil || doc == nil {
		return err
	}
	return w.streams[frameDocs].write(doc)
}

// Observe adds a record to be kept without a call.
func (w *Writer) Observe(o document.Observation) error { return w.line(frameRest, kindObserve, o) }

// Failure adds a page that was not read.
func (w *Writer) Failure(f document.Failure) error { return w.line(frameRest, kindFailure, f) }

// Move adds a document that goes on under another ID.
func (w *Writer) Move(m document.Move) error { return w.line(frameRest, kindMove, m) }

// Warning adds a warning.
func (w *Writer) Warning(n document.Warning) error { return w.line(frameRest, kindWarning, n) }

// line writes one line; its kind is always the first key, so that a reader tells
// kinds apart without decoding.
func (w *Writer) line(frame int, kind string, v any) error {
	w.buf.Reset()
	fmt.Fprintf(&w.buf, `{"kind":%q,`, kind)
	start := w.buf.Len()
	enc := json.NewEncoder(&w.buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	line := slices.Delete(w.buf.Bytes(), start, start+1) // the object's own brace
	return w.streams[frame].write(line[:len(line)-1])
}

func (s *stream) write(line []byte) error {
	_, _ = s.sum.Write(line)
	_, _ = s.sum.Write([]byte{'\n'})
	_, err := s.out.Write(line)
	if err == nil {
		err = s.out.WriteByte('\n')
	}
	if err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// Close writes the trailer and gives the file its name.
func (w *Writer) Close(trailer document.PlanTrailer) error {
	for _, stream := range w.streams {
		trailer.Sums = append(trailer.Sums, fmt.Sprintf("%016x", stream.sum.Sum64()))
	}
	err := w.line(frameRest, kindTrailer, trailer)
	for _, stream := range w.streams {
		err = errors.Join(err, stream.out.Flush(), stream.zip.Close())
	}
	if err == nil {
		err = w.join()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("finish plan: %w", err), w.Abandon())
	}
	if err := os.Rename(w.part(frameChanges), w.path); err != nil {
		return fmt.Errorf("finish plan: %w", err)
	}
	return w.Abandon() // what is left of it
}

// join appends the later frames to the first, and the skippable one.
func (w *Writer) join() error {
	whole := w.streams[frameChanges].file
	ends := binary.LittleEndian.AppendUint32(nil, skippableMagic)
	ends = binary.LittleEndian.AppendUint32(ends, 8*(frames-1))
	for _, stream := range w.streams[1:] {
		at, err := whole.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		ends = binary.LittleEndian.AppendUint64(ends, uint64(at))
		if _, err := stream.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(whole, stream.file); err != nil {
			return err
		}
	}
	if _, err := whole.Write(ends); err != nil {
		return err
	}
	return whole.Sync()
}

// Abandon gives the plan up and removes what was written.
func (w *Writer) Abandon() error {
	var errs []error
	for i, stream := range w.streams {
		if stream == nil {
			continue
		}
		errs = append(errs, stream.file.Close())
		if err := os.Remove(w.part(i)); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
		w.streams[i] = nil
	}
	return errors.Join(errs...)
}
