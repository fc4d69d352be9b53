package diffstore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// A record holds the facts about one URL. It is encoded as a checksum, a mask that says which values are set,
// and these values. The checksum includes the ID. A record in CBOR takes 14 times as long to decode.
const (
	sumSize   = 4
	maskSize  = 4
	fieldsBit = 31 // the mask's bit for Fields; codec.record gives the other values the bits from 0 on
)

func encodeRecord(id string, rec *document.Record) []byte {
	c := codec{buf: make([]byte, sumSize+maskSize, 256)}
	c.record(rec)
	c.fields(rec)
	binary.LittleEndian.PutUint32(c.buf[sumSize:], c.mask)
	binary.LittleEndian.PutUint32(c.buf, checksum(id, c.buf[sumSize:]))
	return c.buf
}

func decodeRecord(id string, data []byte, brief bool) (*document.Record, error) {
	if len(data) < sumSize+maskSize || binary.LittleEndian.Uint32(data) != checksum(id, data[sumSize:]) {
		return nil, fmt.Errorf("decode record of %s: %w", id, ErrDamaged)
	}
	c := codec{reading: true, mask: binary.LittleEndian.Uint32(data[sumSize:]), buf: data[sumSize+maskSize:]}
	rec := &document.Record{ID: id}
	c.record(rec)
	if !brief {
		c.fields(rec)
	}
	if c.bad || !brief && len(c.buf) > 0 {
		return nil, fmt.Errorf("decode record of %s: %w", id, ErrDamaged)
	}
	return rec, nil
}

func checksum(id string, body []byte) uint32 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(id)
	_, _ = d.Write(body)
	return uint32(d.Sum64())
}

// codec encodes or decodes the values of a record, always in the same order. bad is set if the bytes end too
// early.
type codec struct {
	buf     []byte // encoded bytes so far, or bytes that are not decoded yet
	mask    uint32
	bit     int
	reading bool
	bad     bool
}

// record encodes or decodes all values except Fields. Append new values at the end: their order is the
// format.
func (c *codec) record(rec *document.Record) {
	text(c, &rec.Type)
	if c.has(!rec.Content.IsZero()) {
		c.bytes(rec.Content[:])
	}
	number(c, &rec.Length)
	text(c, &rec.Date)
	fixed(c, &rec.Rules)
	text(c, &rec.Hints.ETag)
	text(c, &rec.Hints.LastModified)
	number(c, &rec.Hints.Lastmod)
	number(c, &rec.Fetched)
	number(c, &rec.Born)
	list(c, &rec.Looks, look)
	number(c, &rec.Misses)
	text(c, &rec.Suspect.How)
	number(c, &rec.Suspect.Length)
	text(c, &rec.Push)
	text(c, &rec.By)
	number(c, &rec.Strikes)
	text(c, &rec.Reason)
	text(c, &rec.Since)
	text(c, &rec.Canonical)
	c.flag(&rec.Listed)
	c.flag(&rec.Maybe)
	c.flag(&rec.Repair)
	text(c, &rec.First.Link)
	number(c, &rec.First.Lastmod)
	text(c, &rec.First.From)
	list(c, &rec.Recent, eight)
	c.flag(&rec.Ended)
	fixed(c, &rec.Led)
	fixed(c, &rec.Print)
	if s := &rec.Standing; c.has(*s != document.Standing{}) {
		str(c, &s.Kind)
		varint(c, &s.Nights)
		varint(c, &s.All)
		varint(c, &s.First)
		varint(c, &s.Last)
	}
}

func look(c *codec, l *document.Look) {
	str(c, &l.Run)
	str(c, &l.Seen)
	varint(c, &l.Status)
	str(c, &l.Why)
}

func list[T any](c *codec, values *[]T, one func(*codec, *T)) {
	if !c.has(len(*values) > 0) {
		return
	}
	if n := c.count(len(*values)); c.reading && n > 0 {
		*values = make([]T, n)
	}
	for i := range *values {
		one(c, &(*values)[i])
	}
}

func (c *codec) fields(rec *document.Record) {
	c.bit = fieldsBit
	if !c.has(len(rec.Fields) > 0) {
		return
	}
	names := slices.Sorted(maps.Keys(rec.Fields))
	if n := c.count(len(names)); c.reading {
		names, rec.Fields = make([]string, n), make(map[string]document.Hash, n)
	}
	for _, name := range names {
		hash := rec.Fields[name]
		str(c, &name)
		c.bytes(hash[:])
		if c.reading {
			rec.Fields[name] = hash
		}
	}
}

// has reports whether the next value is set. The answer comes from isSet when encoding, else from the mask.
func (c *codec) has(isSet bool) bool {
	if !c.reading && isSet {
		c.mask |= 1 << c.bit
	}
	c.bit++
	return c.mask>>(c.bit-1)&1 == 1
}

func text[S ~string](c *codec, s *S) {
	if c.has(*s != "") {
		str(c, s)
	}
}

func number[N ~int | ~int64](c *codec, n *N) {
	if c.has(*n != 0) {
		varint(c, n)
	}
}

func fixed[N ~uint64](c *codec, n *N) {
	if c.has(*n != 0) {
		eight(c, n)
	}
}

func (c *codec) flag(b *bool) {
	if is := c.has(*b); c.reading {
		*b = is
	}
}

func eight[N ~uint64](c *codec, n *N) {
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], uint64(*n))
	c.bytes(raw[:])
	if c.reading {
		*n = N(binary.LittleEndian.Uint64(raw[:]))
	}
}

func (c *codec) bytes(b []byte) {
	if !c.reading {
		c.buf = append(c.buf, b...)
		return
	}
	copy(b, c.take(uint64(len(b))))
}

func (c *codec) take(n uint64) []byte {
	c.bad = c.bad || n > uint64(len(c.buf))
	if c.bad {
		return nil
	}
	part := c.buf[:n]
	c.buf = c.buf[n:]
	return part
}

func varint[N ~int | ~int64](c *codec, n *N) {
	if !c.reading {
		c.buf = binary.AppendVarint(c.buf, int64(*n))
		return
	}
	value, size := binary.Varint(c.buf)
	c.bad = c.bad || size <= 0
	if !c.bad {
		*n, c.buf = N(value), c.buf[size:]
	}
}

// count encodes or decodes the length of a list. A length greater than the number of remaining bytes sets
// bad.
func (c *codec) count(n int) int {
	varint(c, &n)
	if c.reading && (n < 0 || n > len(c.buf)) {
		c.bad, n = true, 0
	}
	return n
}

func str[S ~string](c *codec, s *S) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(len(*s)))
		c.buf = append(c.buf, *s...)
		return
	}
	n, size := binary.Uvarint(c.buf)
	c.bad = c.bad || size <= 0
	if !c.bad {
		c.buf = c.buf[size:]
		*s = S(c.take(n))
	}
}
