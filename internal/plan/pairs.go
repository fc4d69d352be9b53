package plan

import (
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// minPaired is how many bytes of content a document must have to be known by it: stubs
// are like each other without having moved.
const minPaired = 100

// pairs finds where the very content of a page that is gone stands now.
type pairs struct {
	*sightings
	gone  *copies       // contents of documents whose page is gone; nil: there are none
	texts *spool.Sorter // those documents (value 0) and the pages that are there (1) by content and URL
}

// pairMoved makes the sighting of a page that is gone name the page that has its very
// content, where it is the only one gone and that the only one there, and the younger
// of the two. So nothing is lost by such moves, however many there are. What a page
// needs to count as gone stays as it is; that another one has its content is found
// anew each night, so that neither a kill nor a brake in between makes it a loss.
func (s *sightings) pairMoved() error {
	if s.Only { // what stands elsewhere is not known
		return nil
	}
	p := &pairs{sightings: s, texts: spool.NewSorter(s.work.Dir)}
	defer func() { _ = p.texts.Close() }()
	if err := p.visit(p.gatherGone); err != nil || p.gone == nil {
		return err
	}
	return firstError(p.visit(p.gatherThere), p.gatherKept(), p.pair(), s.work.Group.Flush())
}

func isGone(seen *document.Sighting) bool {
	return seen.Seen == document.Gone || seen.Seen == document.Missing
}

// visit is each with a visitor that may err.
func (p *pairs) visit(gather func(*document.Sighting) error) (failed error) {
	err := p.each(func(seen *document.Sighting) {
		if failed == nil {
			failed = gather(seen)
		}
	})
	return firstError(err, failed)
}

func (p *pairs) gatherGone(seen *document.Sighting) error {
	if !isGone(seen) || !p.covered(seen.URL) {
		return nil
	}
	rec, err := p.ledger.Get(seen.URL)
	if err != nil || !rec.IsDocument() || rec.Length < minPaired {
		return err
	}
	if p.gone == nil {
		p.gone = &copies{}
	}
	p.gone.add(rec.Fields["Content"])
	return p.add(seen.URL, rec.Type, rec.Fields["Content"], 0)
}

// covered reports whether all pages of a URL's host were looked at: only then is it
// known that a content stands at one address alone.
func (p *pairs) covered(url string) bool {
	return !judge.HostIncomplete(p.hosts[weburl.Origin(url)], p.Limits) && p.capped.covers(url) == ""
}

// gatherThere takes in a page that is a document of its own, or is to be one.
func (p *pairs) gatherThere(seen *document.Sighting) error {
	if seen.Seen != document.Read && seen.Seen != document.Kept || seen.Canonical != "" {
		return nil
	}
	if seen.Draft == 0 || p.compared(seen) {
		rec, err := p.ledger.Get(seen.URL)
		if err != nil {
			return err
		}
		return p.addRecord(rec)
	}
	draft, err := p.work.Draft(seen.Draft)
	if err != nil {
		return err
	}
	doc := p.stages.Finish(draft, seen.URL, p.profile)
	if p.expires(seen.URL, doc.Fields["Date"]) {
		return nil
	}
	return p.add(seen.URL, doc.Type, document.HashOf(doc.Fields["Content"]), 1)
}

// gatherKept takes in the unchanged pages of which nothing was spooled.
func (p *pairs) gatherKept() error {
	return p.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		if flags, at := p.work.Table.Get(spool.Fingerprint(id)); flags&spool.Kept == 0 || at != 0 {
			return nil
		}
		rec, err := decode(false)
		if err != nil {
			return err
		}
		return p.addRecord(rec)
	})
}

// addRecord takes in a page that shows what the index holds of it. One that expires is
// to go itself.
func (p *pairs) addRecord(rec *document.Record) error {
	if rec == nil || rec.Push != document.PushOK || p.expires(rec.ID, rec.Date) {
		return nil
	}
	return p.add(rec.ID, rec.Type, rec.Fields["Content"], 1)
}

func (p *pairs) expires(url, date string) bool {
	rule, _ := p.stages.Expired(url, date)
	return rule != ""
}

func (p *pairs) add(url string, t document.Type, sum document.Hash, there int64) error {
	if sum.IsZero() || *p.gone.cell(sum) == 0 {
		return nil
	}
	return p.texts.Add(string(t)+" "+sum.String()+"\x00"+url, there)
}

// pair goes through the contents, of which each stands together.
func (p *pairs) pair() error {
	var content string
	var urls [2][]string // gone, and there; two of each at most
	for item := range p.texts.All() {
		key, url, _ := strings.Cut(item.Key, "\x00")
		if key != content {
			if err := p.settlePair(urls); err != nil {
				return err
			}
			content, urls = key, [2][]string{}
		}
		if len(urls[item.Value]) < 2 {
			urls[item.Value] = append(urls[item.Value], url)
		}
	}
	return p.settlePair(urls)
}

// settlePair makes the sighting of a page that is gone name the one that has its
// content, unless others redirect there: one goes on under one ID.
func (p *pairs) settlePair(urls [2][]string) error {
	if len(urls[0]) != 1 || len(urls[1]) != 1 {
		return nil
	}
	from, to := urls[0][0], urls[1][0]
	_, movers := p.moves.Get(spool.Fingerprint(to))
	younger, err := p.younger(from, to)
	if err != nil || !younger || movers > 0 || !p.covered(to) {
		return err
	}
	seen, err := p.of(from)
	if err != nil {
		return err
	}
	seen.Target = to
	return p.replace(*seen)
}

// younger reports whether the index got a document, or is to get one, after the other
// page was last read in full: two that stood beside each other for long did not move.
// One that the service refused for good takes no other's place.
func (p *pairs) younger(old, young string) (bool, error) {
	was, err := p.ledger.Get(old)
	if err != nil {
		return false, err
	}
	is, err := p.ledger.Get(young)
	if err != nil || is.Parked() && !p.Policy.RetryParked {
		return false, err
	}
	return is == nil || len(is.Fields) == 0 || is.Born > was.Fetched, nil
}
