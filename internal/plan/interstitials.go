package plan

import (
	"encoding/binary"
	"fmt"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// wallsOf returns what stood before the pages of a URL's host so far.
func (s *sightings) wallsOf(url string) *judge.Interstitials {
	at := weburl.Origin(url)
	if s.walls[at] == nil {
		s.walls[at] = &judge.Interstitials{}
	}
	return s.walls[at]
}

// settleHosts gives each host the state that all its pages together tell, and counts
// the contents of those that are not ok.
func (p *Planner) settleHosts(s *sightings) error {
	for i, h := range p.survey.Hosts {
		walls := s.walls[h.Host]
		if p.work.Resumed && walls != nil { // the crawl counts from the interruption on
			h.Asked, h.Unread = max(h.Asked, walls.Looked), max(h.Unread, walls.Unread)
		}
		h = judge.HostState(h, walls)
		if advice := judge.Advice(h.State); advice != "" {
			h.Reason = fmt.Sprintf("%s; %s", h.Reason, advice)
		}
		p.survey.Hosts[i], p.hosts[h.Host] = h, h
		if judge.HostReadOnly(h) && p.copies == nil {
			p.copies = &copies{}
		}
	}
	if p.copies == nil {
		return nil
	}
	return s.eachRead(func(seen *document.Sighting) {
		if judge.HostReadOnly(p.hosts[weburl.Origin(seen.URL)]) {
			p.copies.add(seen.Content)
		}
	})
}

// eachRead visits every page that was read.
func (s *sightings) eachRead(visit func(*document.Sighting)) error {
	return s.each(func(seen *document.Sighting) {
		if seen.Seen == document.Read {
			visit(seen)
		}
	})
}

// each visits every sighting but those of unchanged pages of which nothing was spooled.
func (s *sightings) each(visit func(*document.Sighting)) error {
	for seen, err := range s.work.Sightings() {
		if err != nil {
			return err
		}
		if _, last := s.work.Table.Get(seen.Fingerprint); last == uint64(seen.At)+1 {
			visit(&seen.Sighting)
		}
	}
	return nil
}

// copies counts equal contents in constant memory. Where two contents share a cell
// it counts too many: a change more is held for a night.
type copies struct {
	cells [1 << 22]uint8
}

func (c *copies) cell(sum document.Hash) *uint8 {
	return &c.cells[binary.BigEndian.Uint32(sum[:])%uint32(len(c.cells))]
}

func (c *copies) add(sum document.Hash) {
	if cell := c.cell(sum); !sum.IsZero() && *cell < judge.ManyPages {
		*cell++
	}
}

// of returns how many pages were read with what a change would put, judge.ManyPages
// at most.
func (c *copies) of(change *document.Change) int {
	if c == nil || change.Next == nil || change.Next.Content.IsZero() {
		return 0
	}
	return int(*c.cell(change.Next.Content))
}

// contents are hashes of content, by origin.
type contents map[string]document.Hash

// lostContents reads what hosts answer for pages that do not exist, where they began
// that in the middle of the run. What can't be read is like no page.
func (p *Planner) lostContents() contents {
	lost := contents{}
	for _, h := range p.survey.Hosts {
		if h.Lost == nil {
			continue
		}
		if draft, err := p.stages.Read(h.Lost); err == nil {
			lost[h.Host] = p.stages.Sum(h.Lost, draft)
		}
	}
	return lost
}

// holds reports whether a page was read with such a content.
func (c contents) holds(seen *document.Sighting) bool {
	return len(c) > 0 && seen.Seen == document.Read && !seen.Content.IsZero() && c[weburl.Origin(seen.URL)] == seen.Content
}

// lose makes the crawl have found a page missing, and returns where that is spooled.
func (s *sightings) lose(seen document.Sighting) (int64, error) {
	seen.Seen, seen.Interstitial, seen.Why = document.Missing, document.HostSoft404, document.WhySoft404
	seen.Draft, seen.Content, seen.Canonical, seen.Same, seen.Fetched = 0, document.Hash{}, "", false, false
	return s.work.AddSighting(seen)
}
