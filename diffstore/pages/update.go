package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Update is what a run that was applied leaves of its pages.
type Update struct {
	Start int64                                    // of the run, Unix seconds
	Pages iter.Seq2[document.SitePage, error]      // what it saw, in the order of URLs
	Took  func(url string) int                     // milliseconds until a page answered; nil: not known any more
	Known func(url string) (known bool, err error) // whether the ledger has a record
}

// What is kept of URLs that the ledger does not know: so many, and for so many seconds.
const (
	mostUnknown = 10_000
	unknownFor  = 30 * 24 * 60 * 60
)

// Write brings the file at path up to date. What the run did not see again stays as it
// was, as long as the ledger knows its URL. A file that is damaged is written anew with what
// stands before the damage, and the error says so; so does any other error that keeps facts
// from being written. Nothing is written where there is nothing new.
func (u Update) Write(path string) error {
	next, stop := iter.Pull2(u.Pages)
	defer stop()
	seen, err, more := next()
	if !more {
		return nil
	}
	_, statErr := os.Stat(path)
	out, createErr := create(path)
	if createErr != nil {
		return fmt.Errorf("keep the facts of the site's pages: %w", createErr)
	}
	m := merging{Update: u, out: out, first: errors.Is(statErr, fs.ErrNotExist)}
	add := func(old *row) {
		err = m.add(&seen, old)
		if err == nil {
			seen, err, more = next()
		}
	}
	var damage error
	for old, oldErr := range rows(path) {
		if oldErr != nil {
			damage, m.first = fmt.Errorf("read %s: %w: %w", path, ErrDamaged, oldErr), true
			break
		}
		for err == nil && more && seen.URL < old.url {
			add(nil)
		}
		switch {
		case err != nil:
		case more && seen.URL == old.url:
			add(&old)
		default:
			err = m.keep(&old)
		}
		if err != nil {
			break
		}
	}
	for err == nil && more {
		add(nil)
	}
	err = out.close(err)
	if err != nil {
		err = fmt.Errorf("keep the facts of the site's pages: %w", err)
	}
	return errors.Join(err, damage)
}

// merging is one Update under way.
type merging struct {
	Update
	out     *writer
	first   bool // there is no file yet, or not all of it: since when pages are as they are is not known
	unknown int
}

// keep writes what is known of a page that the run did not see again.
func (m *merging) keep(old *row) error {
	known, err := m.Known(old.url)
	if err != nil {
		return err
	}
	if !known {
		p, err := old.page()
		m.unknown++
		if err != nil || p.Looked < m.Start-unknownFor || m.unknown > mostUnknown {
			return nil
		}
	}
	return m.out.row(old.url, old.rest)
}

// add writes what the run saw of a page, with what is known from before: since when that is
// so, and what a page said that could not be read tonight.
func (m *merging) add(p *document.SitePage, old *row) error {
	var was document.SitePage
	if old != nil {
		var err error
		was, err = old.page()
		if err != nil { // it begins anew
			was = document.SitePage{}
		}
	}
	known, kept := was.Seen != "", p.Seen == document.Kept
	switch {
	case kept && !known:
		return nil
	case kept:
		start := p.Start
		*p = was
		if was.Seen != document.Read {
			p.Seen, p.Status, p.Why, p.Target = document.Read, 0, "", ""
		}
		p.Start = start
	default:
		p.Looked = m.Start
	}
	if m.Took != nil {
		p.Took = m.Took(p.URL)
	}
	if p.Took == 0 {
		p.Took = was.Took
	}
	if p.Seen != document.Read {
		p.Says, p.Type = was.Says, was.Type
	}
	if p.Seen == document.Unread {
		p.Links, p.Canonical = was.Links, was.Canonical
	}
	since := func(same bool, before int64) int64 {
		switch {
		case known && same:
			return before
		case m.first:
			return 0
		}
		return m.Start
	}
	p.Since = since(p.Seen == was.Seen && p.Status == was.Status && p.Target == was.Target && p.Canonical == was.Canonical, was.Since)
	p.TitleSince = since(p.Says.Title == was.Says.Title, was.TitleSince)
	p.DescriptionSince = since(p.Says.Description == was.Says.Description, was.DescriptionSince)
	p.TextSince = since(p.Says.Text == was.Says.Text, was.TextSince)
	p.Changed = max(p.TitleSince, p.DescriptionSince, p.TextSince)
	rest, err := spool.Encode(p)
	if err != nil {
		return fmt.Errorf("encode what was seen of %s: %w", p.URL, err)
	}
	if max(len(rest), len(p.URL)) > maxRow { // which nobody could read
		return nil
	}
	return m.out.row(p.URL, rest)
}
