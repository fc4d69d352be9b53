package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

// crossings finds pages that show the content of another document that is still there, as a
// cache does that mixes its entries up.
type crossings struct {
	site    *site
	changed *tally.Copies // contents of known documents whose page changed; nil: no page changed
	texts   *spool.Sorter // by content and URL: what such pages show (shownNow), and what the index holds (heldNow)
}

// What a content is of a URL.
const (
	heldNow  = 1
	shownNow = 2
)

// see takes in the page of a known document that changed.
func (c *crossings) see(seen *document.Sighting, flags uint16) {
	if seen.Seen != document.Read || seen.Same || seen.Canonical != "" || seen.Content.IsZero() || flags&spool.Acknowledged == 0 {
		return
	}
	if c.changed == nil {
		c.changed = &tally.Copies{}
	}
	c.changed.Add(seen.Content)
	c.texts.Add(spool.GroupKey(seen.Content.String(), seen.URL), shownNow)
}

// held takes in what the index holds, after all pages. Stubs are like each other anyway.
func (c *crossings) held(rec *document.Record) {
	if c.changed == nil || rec.Push != document.PushOK || rec.Length < minPaired || rec.Content.IsZero() || *c.changed.Cell(rec.Content) == 0 {
		return
	}
	c.texts.Add(spool.GroupKey(rec.Content.String(), rec.ID), heldNow)
}

// maxShown is how many pages that show one content are marked: what more do is held as
// one text for many pages.
const maxShown = 1000

// conclude marks the pages that show what the index holds of another document, whose page
// is there.
func (c *crossings) conclude() error {
	if c.changed == nil {
		return nil
	}
	for _, urls := range spool.Grouped(c.texts) {
		owner, holder := "", ""
		var shown []string
		for url, what := range urls {
			if what == shownNow {
				if url != holder && len(shown) < maxShown { // else its content is what it was
					shown = append(shown, url)
				}
				continue
			}
			holder = url
			if owner == "" {
				there, err := c.there(url)
				if err != nil {
					return err
				}
				if there {
					owner = url
				}
			}
		}
		if owner == "" {
			continue
		}
		for _, url := range shown {
			seen, err := c.site.sighting(url)
			if err != nil {
				return err
			}
			if seen.Canonical == "" { // what is folded into another page shows that one's content by right
				seen.Crossed = owner
				c.site.replace(seen)
			}
		}
		if err := c.site.folder.Group.Flush(); err != nil { // the next group may ask for what was marked
			return err
		}
	}
	return nil
}

// there reports whether the page of a document is there tonight.
func (c *crossings) there(url string) (bool, error) {
	seen, err := c.site.sighting(url)
	if err != nil || seen != nil {
		return seen != nil && (seen.Seen == document.Read || seen.Seen == document.Kept), err
	}
	flags, _ := c.site.table.Get(spool.Fingerprint(url))
	return flags&spool.Kept != 0, nil
}
