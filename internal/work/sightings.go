package work

import (
	"encoding/binary"
	"fmt"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// flushBytes is how much may wait in memory before it is written; a kill costs
// fetching that much again.
const flushBytes = 1 << 20

// Seen is one entry of the log of sightings: a sighting, or no more than the
// fingerprint of the URL of an unchanged page, whose URL is empty.
type Seen struct {
	document.Sighting
	Fingerprint uint64
	At          int64 // where it stands, for Sighting
}

// AddKept spools that a page is unchanged: its fingerprint. Nine bytes can't be a CBOR
// map, which begins with 0xa0 or above.
func (w *Folder) AddKept(url string) {
	w.sightings.Append(binary.BigEndian.AppendUint64([]byte{0}, spool.Fingerprint(url)))
}

// AddSighting spools what was seen of a page, and returns where it stands.
func (w *Folder) AddSighting(s document.Sighting) (at int64) {
	return w.sightings.Append(spool.Encode(s))
}

// AddDraft spools what was read of a page, and returns where it stands; never 0.
func (w *Folder) AddDraft(d document.Draft) (at int64) {
	return 1 + w.drafts.Append(spool.Encode(d), d.Blocks.Pack())
}

// FlushFull writes what waits in memory once it is much.
func (w *Folder) FlushFull() error {
	if w.sightings.Pending() < flushBytes && w.drafts.Pending() < flushBytes {
		return nil
	}
	return w.Group.Flush()
}

// Sightings yields what was spooled and flushed, in order; an error is the last.
func (w *Folder) Sightings() iter.Seq2[*Seen, error] {
	return func(yield func(*Seen, error) bool) {
		for at, record := range w.sightings.All() {
			s, err := decodeSighting(record)
			s.At = at
			if !yield(&s, err) || err != nil {
				return
			}
		}
		if err := w.sightings.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Sighting reads what was spooled at a place and flushed.
func (w *Folder) Sighting(at int64) (*document.Sighting, error) {
	record, err := w.sightings.Read(at)
	if err != nil {
		return nil, err
	}
	s, err := decodeSighting(record)
	return &s.Sighting, err
}

// Draft reads what was spooled and flushed of a page's content.
func (w *Folder) Draft(at int64) (document.Draft, error) {
	var d document.Draft
	raw, err := w.drafts.Read(at - 1)
	if err != nil {
		return d, fmt.Errorf("read spooled content: %w", err)
	}
	packed, err := spool.DecodeFirst(raw, &d)
	if err == nil {
		d.Blocks, err = document.UnpackBlocks(packed)
	}
	if err != nil {
		return d, fmt.Errorf("decode spooled content: %w", err)
	}
	return d, nil
}

func decodeSighting(record []byte) (Seen, error) {
	if len(record) == 9 && record[0] == 0 {
		return Seen{Fingerprint: binary.BigEndian.Uint64(record[1:])}, nil
	}
	var s Seen
	if err := spool.Decode(record, &s.Sighting); err != nil {
		return s, fmt.Errorf("decode what was seen: %w", err)
	}
	s.Fingerprint = spool.Fingerprint(s.URL)
	return s, nil
}
