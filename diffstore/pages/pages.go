package pages

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Path returns the file of the ledger at path.
func Path(ledger string) string { return ledger + ".site" }

// ErrDamaged is returned where a file does not hold what was written to it.
var ErrDamaged = errors.New("the file is damaged")

// end is the last record of a file: without it a part is missing.
const end = "\xff"

// row is one page as the file holds it: its URL, and behind it when a run last saw it, then
// the rest in CBOR.
type row struct {
	url  string
	rest []byte // valid until the next row
}

func (r *row) looked() int64 {
	if len(r.rest) < 8 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(r.rest)) //nolint:gosec // as it was written
}

func (r *row) page() (p document.SitePage, err error) {
	err = spool.Decode(r.rest[min(8, len(r.rest)):], &p)
	p.URL, p.Looked = r.url, r.looked()
	return p, err
}

// All yields the pages of the file at path in the order of URLs; none where there is no
// file. Where it is damaged it yields ErrDamaged, behind pages that can still be read.
func All(path string) iter.Seq2[document.SitePage, error] {
	return func(yield func(document.SitePage, error) bool) {
		for r, err := range rows(path) {
			var p document.SitePage
			if err == nil {
				p, err = r.page()
			}
			if err != nil {
				err = fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

func rows(path string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return
		}
		log, err := spool.OpenLog(path)
		if err != nil {
			yield(row{}, err)
			return
		}
		defer func() { _ = log.Close() }() // nothing was written
		last := ""
		for _, record := range log.All() {
			url, rest, _ := bytes.Cut(record, []byte{0})
			if string(url) <= last {
				break
			}
			last = string(url)
			if last != end && !yield(row{last, rest}, nil) {
				return
			}
		}
		if last != end {
			yield(row{}, cmp.Or(log.Err(), errors.New("a part of it is missing")))
		}
	}
}

// writer writes a file beside path, which takes its place when it is whole.
type writer struct {
	path string
	log  *spool.Log
}

func create(path string) (*writer, error) {
	if err := os.Remove(path + ".part"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	log, err := spool.OpenLog(path + ".part")
	return &writer{path, log}, err
}

func (w *writer) row(url string, rest []byte) error {
	if strings.Contains(url, "\x00") {
		return nil
	}
	w.log.Append([]byte(url), []byte{0}, rest)
	if w.log.Pending() < 1<<20 {
		return nil
	}
	return w.log.Flush()
}

// close gives the file its name, unless there was an error.
func (w *writer) close(err error) error {
	w.log.Append([]byte(end))
	err = cmp.Or(err, w.log.Close())
	if err == nil {
		return os.Rename(w.path+".part", w.path)
	}
	return errors.Join(err, os.Remove(w.path+".part"))
}
