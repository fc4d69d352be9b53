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
	"syscall"

	"sitesync/internal/document"
	"sitesync/internal/own"
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
	return int64(binary.BigEndian.Uint64(r.rest) &^ leftOut) //nolint:gosec // as it was written
}

// leftOut marks the time of a page whose Seen leaves it out, which is found so without decoding.
const leftOut = 1 << 63

func (r *row) leftOut() bool { return r.rest[0] >= leftOut>>56 }

func (r *row) page() (p document.SitePage, err error) {
	err = spool.Decode(r.rest[8:], &p)
	p.URL, p.Looked = r.url, r.looked()
	return p, err
}

// All yields the pages of the file at path in the order of URLs; none where there is no
// file. Where it is damaged it yields ErrDamaged, behind pages that can still be read.
func All(path string) iter.Seq2[document.SitePage, error] {
	return some(path, func(*row) bool { return true })
}

// LeftOut yields as All does, but those pages alone whose Seen leaves them out.
func LeftOut(path string) iter.Seq2[document.SitePage, error] { return some(path, (*row).leftOut) }

func some(path string, wanted func(*row) bool) iter.Seq2[document.SitePage, error] {
	return func(yield func(document.SitePage, error) bool) {
		for r, err := range rows(path) {
			if err == nil && !wanted(&r) {
				continue
			}
			var p document.SitePage
			if err == nil {
				p, err = r.page()
			}
			if err != nil {
				err = unread(path, err)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// unread says why a file was not read: an error of the disk is no damage.
func unread(path string, err error) error {
	if fault, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("read %s: the disk does not give it: %w", path, fault)
	}
	return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
}

func rows(path string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return
		}
		err := own.Replaceable(path, spool.IsLog)
		var log *spool.Log
		if err == nil {
			log, err = spool.ReadLog(path)
		}
		if err != nil {
			yield(row{}, err)
			return
		}
		defer func() { _ = log.Close() }() // nothing was written
		last := ""
		for _, record := range log.All() {
			url, rest, _ := bytes.Cut(record, []byte{0})
			if string(url) <= last || len(rest) < 8 && string(url) != end {
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

// keptFor is for how many seconds a page is known that no run read again: as long as the
// history is.
const keptFor = 90 * 24 * 60 * 60

// Write brings the file at path up to date with what a run that was applied saw, in the
// order of URLs. start is the run's, in Unix seconds. A page that the run did not see again
// stays as it was, for 90 days. A file that can't be read to its end is written anew
// with what can be read of it, and the error says so; so does any other error that keeps facts from being written. A file
// that sitesync did not write stays as it is. If the run saw nothing, nothing is written.
func Write(path string, start int64, pages iter.Seq2[document.SitePage, error]) error {
	next, stop := iter.Pull2(pages)
	defer stop()
	seen, err, more := next()
	if !more || err != nil {
		return err
	}
	if err := own.Replaceable(path, spool.IsLog); err != nil {
		return err
	}
	_, missing := os.Lstat(path)
	m := merging{start: start, first: errors.Is(missing, fs.ErrNotExist)}
	part, err := m.begin(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	add := func(was *row) {
		err = m.add(seen, was)
		if err == nil {
			seen, err, more = next()
		}
	}
	var damage error
	for old, fault := range rows(path) {
		if fault != nil {
			damage, m.first = unread(path, fault), true
			break
		}
		for err == nil && more && seen.URL < old.url {
			add(nil)
		}
		switch {
		case err != nil:
		case more && seen.URL == old.url:
			add(&old)
		case old.looked() >= start-keptFor:
			err = m.write(old.url, old.rest)
		}
		if err != nil {
			break
		}
	}
	for err == nil && more {
		add(nil)
	}
	return errors.Join(m.close(err, path, part), damage)
}

// begin opens a new file beside the one at path, and returns its name.
func (m *merging) begin(path string) (part string, err error) {
	part, err = spool.Beside(path)
	if err == nil {
		m.out, err = spool.OpenLog(part)
	}
	return part, err
}

// close gives the file its name, unless there was an error.
func (m *merging) close(err error, path, part string) error {
	m.out.Append([]byte(end))
	err = cmp.Or(err, m.out.Close())
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(part)))
	}
	return nil
}

// merging is one Write under way.
type merging struct {
	start int64 // of the run
	out   *spool.Log
	first bool // there is no file yet, or not all of it: since when pages are as they are is not known
}

func (m *merging) write(url string, rest []byte) error {
	m.out.Append([]byte(url), []byte{0}, rest)
	if m.out.Pending() < 1<<20 {
		return nil
	}
	return m.out.Flush()
}

// add writes what the run saw of a page, and since when that is so. What a page says that
// could not be read tonight is what it said.
func (m *merging) add(p document.SitePage, old *row) error {
	var was document.SitePage
	if old != nil {
		was, _ = old.page() // what can't be read begins anew
	}
	known, kept := was.Seen != "", p.Seen == document.Kept
	switch {
	case kept && !known, p.Seen == "":
		return nil
	case kept:
		p = was
		if was.Seen != document.Read {
			p.Seen, p.Status, p.Why, p.Target = document.Read, 0, "", ""
		}
	default:
		p.Looked = m.start
	}
	if p.Seen != document.Read {
		p.Says, p.Type = was.Says, was.Type
	}
	switch p.Seen {
	case document.Unread:
		p.Links, p.Canonical = was.Links, was.Canonical
	case document.Elsewhere: // for now
		p.Links = was.Links
	}
	since := func(same bool, before int64) int64 {
		switch {
		case known && same:
			return before
		case m.first:
			return 0
		}
		return m.start
	}
	p.Since = since(p.Seen == was.Seen && p.Status == was.Status && p.Target == was.Target && p.Canonical == was.Canonical, was.Since)
	p.TitleSince = since(p.Says.Title == was.Says.Title, was.TitleSince)
	p.DescriptionSince = since(p.Says.Description == was.Says.Description, was.DescriptionSince)
	p.TextSince = since(p.Says.Text == was.Says.Text, was.TextSince)
	p.Changed = max(p.TitleSince, p.DescriptionSince, p.TextSince)
	looked := uint64(p.Looked) //nolint:gosec // looked reads it so
	if p.Seen.LeavesOut() {
		looked |= leftOut
	}
	return m.write(p.URL, append(binary.BigEndian.AppendUint64(nil, looked), spool.Encode(p)...))
}
