package work

import (
	"encoding/binary"
	"fmt"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// flushBytes is how many bytes of a log may wait in memory. If they are lost, pages are fetched again. One
// log holds sightings (what the run saw at URLs), the other drafts (documents before common text is removed).
const flushBytes = 1 << 20

// Seen is one entry of the log of sightings. An entry that AddKept wrote has only the fingerprint of its URL.
type Seen struct {
	document.Sighting
	Fingerprint uint64
	At          int64 // position in the log, for Folder.Sighting
}

// AddKept logs that a page is unchanged. The entry is nine bytes: a zero and the fingerprint of the URL. An
// entry of AddSighting begins with another byte (0xa0 or above, since it is a CBOR map).
func (w *Folder) AddKept(url string) {
	w.sightings.Append(binary.BigEndian.AppendUint64([]byte{0}, spool.Fingerprint(url)))
}

// AddSighting logs a sighting, and returns its position in the log.
func (w *Folder) AddSighting(s document.Sighting) (at int64) {
	return w.sightings.Append(spool.Encode(s))
}

// AddDraft logs a draft, and returns its position in the log, which is never 0.
func (w *Folder) AddDraft(d document.Draft) (at int64) {
	return 1 + w.drafts.Append(spool.Encode(d), d.Blocks.Pack())
}

// FlushFull flushes the logs if flushBytes of one of them wait in memory.
func (w *Folder) FlushFull() error {
	if w.sightings.Pending() < flushBytes && w.drafts.Pending() < flushBytes {
		return nil
	}
	return w.Group.Flush()
}

// Sightings yields the flushed sightings in the order of the log. It ends after the first error.
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

// Sighting returns the flushed sighting at a position that AddSighting returned.
func (w *Folder) Sighting(at int64) (*document.Sighting, error) {
	record, err := w.sightings.Read(at)
	if err != nil {
		return nil, err
	}
	s, err := decodeSighting(record)
	return &s.Sighting, err
}

// Draft returns the flushed draft at a position that AddDraft returned.
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
