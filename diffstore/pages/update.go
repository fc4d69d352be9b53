package pages

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"reflect"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Update is what a run that was applied leaves of its pages. The sequences are in the order
// of URLs, and can be gone through again.
type Update struct {
	Start int64                               // of the run, Unix seconds
	Pages iter.Seq2[document.SitePage, error] // what it saw
	Took  func(url string) int                // milliseconds until a page answered; nil: not known any more
	Known iter.Seq2[string, error]            // the URLs of which the ledger has a record
}

// What is kept of URLs that the ledger does not know: so many, and for so many seconds.
const (
	mostUnknown = 10_000
	unknownFor  = 30 * 24 * 60 * 60
)

// Write brings the file at path up to date. What the run did not see again stays as it
// was, as long as the ledger knows its URL. A file that is damaged is written anew with what
// stands before the damage, and the error says so; so does any other error that keeps facts
// from being written. Where there is nothing new, as on most nights, nothing is written.
func (u Update) Write(path string) error {
	news, err := u.news(path)
	if !news {
		return err
	}
	next, stop := iter.Pull2(u.Pages)
	defer stop()
	seen, err, more := next()
	nextKnown, stopKnown := iter.Pull2(u.Known)
	defer stopKnown()
	_, statErr := os.Stat(path)
	out, createErr := create(path)
	if createErr != nil {
		return fmt.Errorf("keep the facts of the site's pages: %w", createErr)
	}
	m := merging{Update: u, out: out, first: errors.Is(statErr, fs.ErrNotExist), next: nextKnown}
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

// news reports whether the run saw something that the file at path does not say, and whether
// that is damaged.
func (u Update) news(path string) (bool, error) {
	next, stop := iter.Pull2(rows(path))
	defer stop()
	old, damage, more := next()
	for p, err := range u.Pages {
		if err != nil {
			return false, err
		}
		for more && damage == nil && old.url < p.URL {
			old, damage, more = next()
		}
		switch {
		case damage != nil:
			return true, nil
		case more && old.url == p.URL:
			was, err := old.page()
			is := after(p, was)
			is.Took, is.Looked = was.Took, was.Looked
			if err != nil || !reflect.DeepEqual(is, was) {
				return true, nil
			}
		case p.Seen != document.Kept:
			return true, nil
		}
	}
	for more && damage == nil {
		_, damage, more = next()
	}
	return damage != nil, nil
}

// after returns what is known of a page after a run saw p of it. What a page says that could
// not be read tonight is what it said.
func after(p, was document.SitePage) document.SitePage {
	switch {
	case p.Seen == document.Kept && was.Seen == document.Read:
		was.Start = p.Start
		return was
	case p.Seen == document.Kept:
		was.Seen, was.Status, was.Why, was.Target, was.Start = document.Read, 0, "", "", p.Start
		return was
	}
	if p.Seen != document.Read {
		p.Says, p.Type = was.Says, was.Type
	}
	if p.Seen == document.Unread {
		p.Links, p.Canonical = was.Links, was.Canonical
	}
	p.Took, p.Looked, p.Changed = was.Took, was.Looked, was.Changed
	p.Since, p.TitleSince, p.DescriptionSince, p.TextSince = was.Since, was.TitleSince, was.DescriptionSince, was.TextSince
	return p
}

// merging is one Update under way.
type merging struct {
	Update
	out     *writer
	first   bool // there is no file yet, or not all of it: since when pages are as they are is not known
	unknown int

	next  func() (string, error, bool) // the next URL that the ledger knows
	known string                       // the last one
}

// keep writes what is known of a page that the run did not see again.
func (m *merging) keep(old *row) error {
	for more := true; more && m.known < old.url; {
		var err error
		m.known, err, more = m.next()
		if err != nil {
			return err
		}
	}
	if m.known != old.url {
		p, err := old.page()
		m.unknown++
		if err != nil || p.Looked < m.Start-unknownFor || m.unknown > mostUnknown {
			return nil
		}
	}
	return m.out.row(old.url, old.rest)
}

// add writes what the run saw of a page, and since when that is so.
func (m *merging) add(seen *document.SitePage, old *row) error {
	var was document.SitePage
	if old != nil {
		var err error
		was, err = old.page()
		if err != nil { // it begins anew
			was = document.SitePage{}
		}
	}
	known := was.Seen != ""
	if seen.Seen == document.Kept && !known {
		return nil
	}
	p := after(*seen, was)
	if m.Took != nil {
		p.Took = cmp.Or(m.Took(p.URL), p.Took)
	}
	if seen.Seen != document.Kept {
		p.Looked = m.Start
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
