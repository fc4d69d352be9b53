package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/s2"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// flushBytes is how much may wait in memory before it is written; a kill costs
// fetching that much again.
const flushBytes = 1 << 20

// sink reads each page of the crawl and spools what was seen of it.
type sink struct {
	*Planner
}

// Page takes one page. It is called from many goroutines.
func (s *sink) Page(ctx context.Context, p *document.Page) error {
	sighting := document.Sighting{
		URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target, Canonical: p.Canonical,
		Claim: p.Claim, Hints: p.Hints, InSitemap: p.InSitemap, First: p.First, Interstitial: p.Interstitial,
	}
	if p.Seen == document.Kept && p.Hints == p.Known.Hints {
		s.work.Table.Mark(spool.Fingerprint(p.URL), spool.Kept)
		s.work.sightings.Append(miniSighting(p.URL))
		return s.flush()
	}
	if p.Seen == document.Read {
		if err := s.read(ctx, p, &sighting); err != nil {
			return err
		}
	}
	record, err := encodeSighting(sighting)
	if err != nil {
		return err
	}
	s.work.sightings.Append(record)
	return s.flush()
}

func (s *sink) flush() error {
	if s.work.sightings.Pending() < flushBytes && s.work.drafts.Pending() < 4*flushBytes {
		return nil
	}
	return s.work.Group.Flush()
}

// read extracts the page, and spools its draft unless the finished document is
// the very one that the index holds, and nothing is to be learned from it.
func (s *sink) read(ctx context.Context, p *document.Page, sighting *document.Sighting) error {
	frozen := *p
	frozen.Hints.Lastmod = p.First.Lastmod // a document's date does not move with its sitemap
	draft, err := s.stages.Read(&frozen)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the end of the run is no fault of the page
	}
	if err != nil {
		sighting.Seen, sighting.Why = document.Unread, err.Error()
		return nil
	}
	sighting.Fetched, sighting.Rules = true, s.stages.Rules(p.URL, s.profile)
	held, whole := s.stages.Held(draft, p.URL, s.profile)
	sighting.Held = held
	sighting.File, sighting.Alternates = draft.Type == document.FileContent, variantsOf(p)
	sighting.Content = s.stages.Sum(p, draft)
	rec, err := s.ledger.Get(p.URL)
	if err != nil {
		return err
	}
	if s.same(draft, rec, sighting) {
		sighting.Same = true
		if whole || s.stages.Learner == nil {
			return nil
		}
	}
	raw, err := cbor.Marshal(draft)
	if err != nil {
		return fmt.Errorf("spool the content of %s: %w", p.URL, err)
	}
	sighting.Draft = 1 + s.work.drafts.Append(s2.Encode(nil, raw))
	return nil
}

// same reports whether the finished document is the very one that the index holds, and
// notes the lengths of its fields.
func (s *sink) same(draft document.Draft, rec *document.Record, sighting *document.Sighting) bool {
	if rec == nil || rec.Push != document.PushOK {
		return false
	}
	doc := s.stages.Finish(draft, sighting.URL, s.profile)
	sighting.Lengths = lengthsOf(doc)
	return rec.Hash() == doc.Hash()
}

// spooled is a sighting as the log holds it.
type spooled struct {
	document.Sighting
	fp uint64 // of a mini sighting, which has no more
}

// miniSighting is what is spooled of an unchanged page: its fingerprint. Nine bytes
// can't be a CBOR map, which begins with 0xa0 or above.
func miniSighting(url string) []byte {
	return binary.BigEndian.AppendUint64([]byte{0}, spool.Fingerprint(url))
}

func encodeSighting(s document.Sighting) ([]byte, error) {
	record, err := cbor.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("spool what was seen of %s: %w", s.URL, err)
	}
	return record, nil
}

func decodeSighting(record []byte) (spooled, error) {
	if len(record) == 9 && record[0] == 0 {
		return spooled{fp: binary.BigEndian.Uint64(record[1:])}, nil
	}
	var s spooled
	if err := cbor.Unmarshal(record, &s.Sighting); err != nil {
		return s, fmt.Errorf("decode what was seen: %w", err)
	}
	return s, nil
}

func (s *spooled) mini() bool { return s.URL == "" }

func (s *spooled) fingerprint() uint64 {
	if s.mini() {
		return s.fp
	}
	return spool.Fingerprint(s.URL)
}

// draft reads a spooled draft.
func (w *Work) draft(at int64) (document.Draft, error) {
	var d document.Draft
	packed, err := w.drafts.Read(at - 1)
	if err != nil {
		return d, fmt.Errorf("read spooled content: %w", err)
	}
	raw, err := s2.Decode(nil, packed)
	if err == nil {
		err = cbor.Unmarshal(raw, &d)
	}
	if err != nil {
		return d, fmt.Errorf("decode spooled content: %w", err)
	}
	return d, nil
}
