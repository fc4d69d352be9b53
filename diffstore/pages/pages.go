package pages

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Path returns the file of the ledger at path.
func Path(ledger string) string { return ledger + ".site" }

// ErrDamaged is returned where a file does not hold what was written to it.
var ErrDamaged = errors.New("the file is damaged")

// format begins a file; maxRow bounds what is believed of the length of a row.
const (
	format = "sitesync pages 1\n"
	maxRow = 1 << 20
)

// row is one page as the file holds it: its URL, and the rest in CBOR.
type row struct {
	url  string
	rest []byte // valid until the next row
}

func (r *row) page() (p document.SitePage, err error) {
	err = spool.Decode(r.rest, &p)
	p.URL = r.url
	return p, err
}

// All yields the pages of the file at path in the order of URLs; none where there is no
// file. Where it is damaged it yields ErrDamaged behind those before.
func All(path string) iter.Seq2[document.SitePage, error] {
	return func(yield func(document.SitePage, error) bool) {
		for r, err := range rows(path) {
			var p document.SitePage
			if err == nil {
				p, err = r.page()
			}
			if err != nil {
				yield(p, fmt.Errorf("read %s: %w: %w", path, ErrDamaged, err))
				return
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

func rows(path string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		file, err := os.Open(path) //nolint:gosec // a file of our own
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(row{}, err)
			return
		}
		defer file.Close()
		if err := read(file, func(r row) bool { return yield(r, nil) }); err != nil {
			yield(row{}, err)
		}
	}
}

func read(file io.Reader, visit func(row) bool) error {
	zipped, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return err
	}
	defer zipped.Close()
	in := bufio.NewReaderSize(zipped, 1<<16)
	head := make([]byte, len(format))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != format {
		return errors.Join(err, errors.New("another program wrote it"))
	}
	var url, rest []byte
	for last := ""; ; last = string(url) {
		url, err = chunk(in, url)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		rest, err = chunk(in, rest)
		if err != nil {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		if string(url) <= last {
			return errors.New("its rows are not in order")
		}
		if !visit(row{string(url), rest}) {
			return nil
		}
	}
}

// chunk reads a length and as many bytes, into buf where they fit. The error is io.EOF where
// nothing is left.
func chunk(in *bufio.Reader, buf []byte) ([]byte, error) {
	size, err := binary.ReadUvarint(in)
	switch {
	case err != nil:
		return nil, err
	case size > maxRow:
		return nil, errors.New("a row is too long")
	case uint64(cap(buf)) < size:
		buf = make([]byte, size)
	}
	_, err = io.ReadFull(in, buf[:size])
	if err != nil {
		err = io.ErrUnexpectedEOF
	}
	return buf[:size], err
}

// writer writes a file beside path, which takes its place when it is whole.
type writer struct {
	path string
	file *os.File
	zip  *zstd.Encoder
	out  *bufio.Writer
}

func create(path string) (*writer, error) {
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // a file of our own
	if err != nil {
		return nil, err
	}
	zipped, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(2<<20))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	w := &writer{path: path, file: file, zip: zipped, out: bufio.NewWriterSize(zipped, 1<<16)}
	_, err = w.out.WriteString(format)
	return w, err
}

func (w *writer) row(url string, rest []byte) error {
	_, _ = w.out.Write(binary.AppendUvarint(nil, uint64(len(url)))) // an error stays until the end of the row
	_, _ = w.out.WriteString(url)
	_, _ = w.out.Write(binary.AppendUvarint(nil, uint64(len(rest))))
	_, err := w.out.Write(rest)
	return err
}

// close gives the file its name, unless there was an error.
func (w *writer) close(err error) error {
	for _, step := range []func() error{w.out.Flush, w.zip.Close, w.file.Sync, w.file.Close} {
		if stepErr := step(); err == nil {
			err = stepErr
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(w.file.Name()))
	}
	return os.Rename(w.file.Name(), w.path)
}
