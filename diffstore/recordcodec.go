package diffstore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// The first byte of a stored record is its format. A night decodes every record, so
// records have a form of their own: CBOR takes 14 times as long. It is a checksum of
// ID and body, then the body: a mask of four bytes that says which values are there,
// then those values in the order of codec.record.
const (
	recordFormat = 3
	maskSize     = 4
)

// encodeRecord returns the stored form of rec, without its ID.
func encodeRecord(id string, rec *document.Record) []byte {
	c := codec{buf: make([]byte, 5+maskSize, 256)}
	c.record(rec)
	c.fields(rec)
	c.buf[0] = recordFormat
	binary.LittleEndian.PutUint32(c.buf[5:], c.mask)
	binary.LittleEndian.PutUint32(c.buf[1:], checksum(id, c.buf[5:]))
	return c.buf
}

// decodeRecord reads the stored form. A brief record has no Fields.
func decodeRecord(id string, data []byte, brief bool) (*document.Record, error) {
	if len(data) < 5+maskSize || data[0] != recordFormat || binary.LittleEndian.Uint32(data[1:]) != checksum(id, data[5:]) {
		return nil, fmt.Errorf("decode record of %s: %w", id, ErrDamaged)
	}
	c := codec{reading: true, mask: binary.LittleEndian.Uint32(data[5:]), buf: data[5+maskSize:]}
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

// codec writes a record or reads one: the same walk over its values does both. When
// reading meets a value that is not there, the rest is zero and bad is true.
type codec struct {
	buf     []byte // what was written, or what is still to be read
	mask    uint32
	reading bool
	bad     bool
}

// record walks over all values but the hashes of fields, which come last so that a
// brief look needs not read them. Every value keeps its bit of the mask for good;
// the next free one is 28.
func (c *codec) record(rec *document.Record) {
	text(c, 0, &rec.Type)
	if c.has(1, !rec.Content.IsZero()) {
		c.bytes(rec.Content[:])
	}
	number(c, 2, &rec.Length)
	text(c, 3, &rec.Date)
	if c.has(4, rec.Rules != 0) {
		c.fixed(&rec.Rules)
	}
	if c.has(5, rec.Hints != document.Hints{}) {
		str(c, &rec.Hints.ETag)
		str(c, &rec.Hints.LastModified)
		varint(c, &rec.Hints.Lastmod)
	}
	number(c, 6, &rec.Fetched)
	number(c, 22, &rec.Born)
	c.looks(rec)
	number(c, 8, &rec.Misses)
	if ill := &rec.Suspect; c.has(9, *ill != document.Illness{}) {
		str(c, &ill.How)
		varint(c, &ill.Length)
	}
	text(c, 10, &rec.Push)
	text(c, 11, &rec.By)
	number(c, 12, &rec.Strikes)
	text(c, 13, &rec.Reason)
	text(c, 14, &rec.Since)
	text(c, 15, &rec.Canonical)
	c.flag(16, &rec.Listed)
	c.flag(18, &rec.Maybe)
	c.flag(21, &rec.Repair)
	if c.has(17, rec.First.Link != "" || rec.First.Lastmod != 0) {
		str(c, &rec.First.Link)
		varint(c, &rec.First.Lastmod)
	}
	text(c, 20, &rec.First.From)
	if c.has(23, len(rec.Recent) > 0) {
		if n := c.count(len(rec.Recent)); c.reading && n > 0 {
			rec.Recent = make([]uint64, n)
		}
		for i := range rec.Recent {
			c.fixed(&rec.Recent[i])
		}
	}
	c.flag(24, &rec.Ended)
	if c.has(25, rec.Led != 0) {
		c.fixed(&rec.Led)
	}
	if c.has(26, rec.Print != 0) {
		c.fixed((*uint64)(&rec.Print))
	}
	if s := &rec.Standing; c.has(27, *s != document.Standing{}) {
		str(c, &s.Kind)
		varint(c, &s.Nights)
		varint(c, &s.All)
		varint(c, &s.First)
		varint(c, &s.Last)
	}
}

// looks walks over what the last looks at the page saw.
func (c *codec) looks(rec *document.Record) {
	if !c.has(7, len(rec.Looks) > 0) {
		return
	}
	if n := c.count(len(rec.Looks)); c.reading && n > 0 {
		rec.Looks = make([]document.Look, n)
	}
	for i := range rec.Looks {
		look := &rec.Looks[i]
		str(c, &look.Run)
		str(c, &look.Seen)
		varint(c, &look.Status)
		str(c, &look.Why)
	}
}

// fields walks over the hashes of fields, in the order of their names.
func (c *codec) fields(rec *document.Record) {
	if !c.has(19, len(rec.Fields) > 0) {
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

// has reports whether the value of a bit is there; a writer says so.
func (c *codec) has(bit int, there bool) bool {
	if !c.reading && there {
		c.mask |= 1 << bit
	}
	return c.mask>>bit&1 == 1
}

func text[S ~string](c *codec, bit int, s *S) {
	if c.has(bit, *s != "") {
		str(c, s)
	}
}

func number[N ~int | ~int64](c *codec, bit int, n *N) {
	if c.has(bit, *n != 0) {
		varint(c, n)
	}
}

func (c *codec) flag(bit int, b *bool) {
	if is := c.has(bit, *b); c.reading {
		*b = is
	}
}

// fixed walks over a number of eight bytes.
func (c *codec) fixed(n *uint64) {
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], *n)
	c.bytes(raw[:])
	if c.reading {
		*n = binary.LittleEndian.Uint64(raw[:])
	}
}

// bytes walks over values of a fixed length.
func (c *codec) bytes(b []byte) {
	if !c.reading {
		c.buf = append(c.buf, b...)
		return
	}
	copy(b, c.take(uint64(len(b))))
}

// take returns the next n bytes to be read, nil when there are fewer.
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

// count walks over the length of a list. A reader gets none that the rest can't hold.
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
