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

// Path returns the path of the pages file (what was last seen of each page) that belongs to the given ledger
// file (the record of what the index holds).
func Path(ledger string) string { return ledger + ".site" }

// ErrDamaged means that a file does not hold what was written to it.
var ErrDamaged = errors.New("the file is damaged")

// end is the URL of the last record. A file without this record is incomplete.
const end = "\xff"

// row is one record: URL, zero byte, start of the last run that saw the page, page in CBOR.
type row struct {
	url  string
	rest []byte // the record after the zero byte; valid until the next row
}

func (r *row) looked() int64 {
	return int64(binary.BigEndian.Uint64(r.rest) &^ leftOut) //nolint:gosec
}

// leftOut is a bit in the time of a row. It marks a page that makes no document, so that LeftOut need not
// decode other pages.
const leftOut = 1 << 63

func (r *row) leftOut() bool { return r.rest[0] >= leftOut>>56 }

func (r *row) page() (p document.SitePage, err error) {
	err = spool.Decode(r.rest[8:], &p)
	p.URL, p.Looked = r.url, r.looked()
	return p, err
}

// All yields the pages of the file at path, sorted by URL. If there is no file, it yields none. If the file
// is damaged, it yields the pages before the damage, and then ErrDamaged.
func All(path string) iter.Seq2[document.SitePage, error] {
	return some(path, func(*row) bool { return true })
}

// LeftOut does what All does, but yields only the pages that make no document.
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
		defer func() { _ = log.Close() }()
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

// keptFor is how long a page that no run sees stays in the file, in seconds. The ledger keeps the summary of
// a run for the same time.
const keptFor = 90 * 24 * 60 * 60

// Write merges pages, which a run saw, into the file at path. They must be sorted by URL. start is the start
// of the run in Unix seconds. Other pages of the file stay until no run has seen them for 90 days. Without
// pages, Write does nothing. If sitesync did not write the file, Write errs and leaves it unchanged. If the
// file is damaged, Write keeps the pages before the damage, writes the file, and errs.
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
		err = m.addPage(seen, was)
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
			err = m.writeRow(old.url, old.rest)
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

func (m *merging) begin(path string) (part string, err error) {
	part, err = spool.Beside(path)
	if err == nil {
		m.out, err = spool.OpenLog(part)
	}
	return part, err
}

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

type merging struct {
	start int64
	out   *spool.Log
	first bool // there is no complete earlier file, so the times of changes are unknown
}

func (m *merging) writeRow(url string, rest []byte) error {
	m.out.Append([]byte(url), []byte{0}, rest)
	if m.out.Pending() < 1<<20 {
		return nil
	}
	return m.out.Flush()
}

// addPage writes a page with the times of its last changes. A page that could not be read keeps its earlier text
// and links.
func (m *merging) addPage(p document.SitePage, old *row) error {
	var was document.SitePage
	if old != nil {
		was, _ = old.page() // an unreadable page counts as new
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
	case document.Elsewhere: // a temporary redirect
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
	as := p.Seen == was.Seen && p.Status == was.Status && p.Target == was.Target && p.Canonical == was.Canonical
	p.Since = since(as, was.Since)
	p.TitleSince = since(p.Says.Title == was.Says.Title, was.TitleSince)
	p.DescriptionSince = since(p.Says.Description == was.Says.Description, was.DescriptionSince)
	p.TextSince = since(p.Says.Text == was.Says.Text, was.TextSince)
	p.Changed = max(p.TitleSince, p.DescriptionSince, p.TextSince)
	looked := uint64(p.Looked) //nolint:gosec
	if p.Seen.LeavesOut() {
		looked |= leftOut
	}
	return m.writeRow(p.URL, append(binary.BigEndian.AppendUint64(nil, looked), spool.Encode(p)...))
}
