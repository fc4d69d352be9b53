package diffstore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// recordFormat is the first byte of a stored record. A night looks at every
// record, so they have a form of their own: a checksum of ID and record, a mask of
// the fields that are there, then those fields in order, the field hashes last,
// where a brief look stops. Records of plainFormat, which ledgers of schema 1 hold
// until they are written again, have no checksum.
const (
	plainFormat  = 1
	recordFormat = 2
)

// The bits of the mask.
const (
	hasType = 1 << iota
	hasContent
	hasLength
	hasDate
	hasRules
	hasHints
	hasFetched
	hasLooks
	hasMisses
	hasSuspect
	hasPush
	hasBy
	hasStrikes
	hasReason
	hasSince
	hasCanonical
	isListed
	hasFirst
	isMaybe
	hasFields
	hasFrom
	isRepair
	hasBorn
)

// encodeRecord returns the stored form of rec, without its ID.
func encodeRecord(id string, rec *document.Record) []byte {
	e := &packer{buf: make([]byte, 8, 256)}
	e.text(hasType, string(rec.Type))
	e.hash(hasContent, rec.Content)
	e.number(hasLength, int64(rec.Length))
	e.text(hasDate, rec.Date)
	if e.has(hasRules, rec.Rules != 0) {
		e.buf = binary.LittleEndian.AppendUint64(e.buf, rec.Rules)
	}
	if e.has(hasHints, rec.Hints != document.Hints{}) {
		e.string(rec.Hints.ETag)
		e.string(rec.Hints.LastModified)
		e.varint(rec.Hints.Lastmod)
	}
	e.number(hasFetched, rec.Fetched)
	e.number(hasBorn, rec.Born)
	e.looks(rec.Looks)
	e.number(hasMisses, int64(rec.Misses))
	e.hash(hasSuspect, rec.Suspect)
	e.text(hasPush, string(rec.Push))
	e.text(hasBy, rec.By)
	e.number(hasStrikes, int64(rec.Strikes))
	e.text(hasReason, rec.Reason)
	e.text(hasSince, rec.Since)
	e.text(hasCanonical, rec.Canonical)
	e.has(isListed, rec.Listed)
	e.has(isMaybe, rec.Maybe)
	e.has(isRepair, rec.Repair)
	if e.has(hasFirst, rec.First.Link != "" || rec.First.Lastmod != 0) {
		e.string(rec.First.Link)
		e.varint(rec.First.Lastmod)
	}
	e.text(hasFrom, rec.First.From)
	e.fields(rec.Fields)
	e.buf[5], e.buf[6], e.buf[7] = byte(e.mask), byte(e.mask>>8), byte(e.mask>>16)
	e.buf[0] = recordFormat
	binary.LittleEndian.PutUint32(e.buf[1:], checksum(id, e.buf[5:]))
	return e.buf
}

func checksum(id string, body []byte) uint32 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(id)
	_, _ = d.Write(body)
	return uint32(d.Sum64())
}

// unseal returns the mask and the fields of a stored record.
func unseal(id string, data []byte) (body []byte, ok bool) {
	switch {
	case len(data) >= 8 && data[0] == recordFormat:
		return data[5:], binary.LittleEndian.Uint32(data[1:]) == checksum(id, data[5:])
	case len(data) >= 4 && data[0] == plainFormat:
		return data[1:], true
	}
	return nil, false
}

// decodeRecord reads the stored form. A brief record has no Fields.
func decodeRecord(id string, data []byte, brief bool) (*document.Record, error) {
	body, ok := unseal(id, data)
	if !ok {
		return nil, fmt.Errorf("decode record of %s: %w", id, ErrDamaged)
	}
	d := &unpacker{rest: body[3:], mask: uint32(body[0]) | uint32(body[1])<<8 | uint32(body[2])<<16}
	rec := &document.Record{ID: id}
	rec.Type = document.Type(d.text(hasType))
	rec.Content = d.hash(hasContent)
	rec.Length = int(d.number(hasLength))
	rec.Date = d.text(hasDate)
	if d.has(hasRules) {
		rec.Rules = d.fixed()
	}
	if d.has(hasHints) {
		rec.Hints = document.Hints{ETag: d.string(), LastModified: d.string(), Lastmod: d.varint()}
	}
	rec.Fetched = d.number(hasFetched)
	rec.Born = d.number(hasBorn)
	rec.Looks = d.looks()
	rec.Misses = int(d.number(hasMisses))
	rec.Suspect = d.hash(hasSuspect)
	rec.Push = document.Push(d.text(hasPush))
	rec.By = d.text(hasBy)
	rec.Strikes = int(d.number(hasStrikes))
	rec.Reason = d.text(hasReason)
	rec.Since = d.text(hasSince)
	rec.Canonical = d.text(hasCanonical)
	rec.Listed, rec.Maybe, rec.Repair = d.has(isListed), d.has(isMaybe), d.has(isRepair)
	if d.has(hasFirst) {
		rec.First = document.First{Link: d.string(), Lastmod: d.varint()}
	}
	rec.First.From = d.text(hasFrom)
	if !brief {
		rec.Fields = d.fields()
	}
	if d.bad || !brief && len(d.rest) > 0 {
		return nil, fmt.Errorf("decode record of %s: %w", id, ErrDamaged)
	}
	return rec, nil
}

// packer appends values and notes in its mask which are there.
type packer struct {
	buf  []byte
	mask uint32
}

func (e *packer) has(bit uint32, there bool) bool {
	if there {
		e.mask |= bit
	}
	return there
}

func (e *packer) varint(n int64) { e.buf = binary.AppendVarint(e.buf, n) }

func (e *packer) string(s string) {
	e.buf = binary.AppendUvarint(e.buf, uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *packer) text(bit uint32, s string) {
	if e.has(bit, s != "") {
		e.string(s)
	}
}

func (e *packer) number(bit uint32, n int64) {
	if e.has(bit, n != 0) {
		e.varint(n)
	}
}

func (e *packer) hash(bit uint32, h document.Hash) {
	if e.has(bit, !h.IsZero()) {
		e.buf = append(e.buf, h[:]...)
	}
}

func (e *packer) looks(looks []document.Look) {
	if !e.has(hasLooks, len(looks) > 0) {
		return
	}
	e.varint(int64(len(looks)))
	for _, look := range looks {
		e.string(look.Run)
		e.string(string(look.Seen))
		e.varint(int64(look.Status))
		e.string(look.Why)
	}
}

func (e *packer) fields(fields map[string]document.Hash) {
	if !e.has(hasFields, len(fields) > 0) {
		return
	}
	e.varint(int64(len(fields)))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		hash := fields[name]
		e.string(name)
		e.buf = append(e.buf, hash[:]...)
	}
}
