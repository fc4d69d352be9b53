package diffstore

import (
	"encoding/binary"

	"sitesync/internal/document"
)

// unpacker reads what a packer wrote. After a first value that is not there all
// others are zero, and bad says so.
type unpacker struct {
	rest []byte
	mask uint32
	bad  bool
}

func (d *unpacker) has(bit uint32) bool { return d.mask&bit != 0 }

// take returns the next n bytes, nil when there are not so many.
func (d *unpacker) take(n uint64) []byte {
	if d.bad || n > uint64(len(d.rest)) {
		d.bad = true
		return nil
	}
	part := d.rest[:n]
	d.rest = d.rest[n:]
	return part
}

func (d *unpacker) varint() int64 {
	n, size := binary.Varint(d.rest)
	if d.bad || size <= 0 {
		d.bad = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *unpacker) string() string {
	n, size := binary.Uvarint(d.rest)
	if d.bad || size <= 0 {
		d.bad = true
		return ""
	}
	d.rest = d.rest[size:]
	return shared(d.take(n))
}

// shared returns b as a string; the words that every record holds are not
// allocated anew for each.
func shared(b []byte) string {
	switch string(b) {
	case "":
		return ""
	case "ok":
		return "ok"
	case "row":
		return "row"
	case "PageContent":
		return "PageContent"
	case "Title":
		return "Title"
	case "Url":
		return "Url"
	case "Description":
		return "Description"
	case "Content":
		return "Content"
	case "Category":
		return "Category"
	case "Date":
		return "Date"
	case "Language":
		return "Language"
	}
	return string(b)
}

func (d *unpacker) text(bit uint32) string {
	if !d.has(bit) {
		return ""
	}
	return d.string()
}

func (d *unpacker) number(bit uint32) int64 {
	if !d.has(bit) {
		return 0
	}
	return d.varint()
}

func (d *unpacker) fixed() uint64 {
	if part := d.take(8); part != nil {
		return binary.LittleEndian.Uint64(part)
	}
	return 0
}

func (d *unpacker) hash(bit uint32) (h document.Hash) {
	if d.has(bit) {
		copy(h[:], d.take(uint64(len(h))))
	}
	return h
}

func (d *unpacker) looks() []document.Look {
	if !d.has(hasLooks) {
		return nil
	}
	n := d.varint()
	if n < 0 || n > int64(len(d.rest)) {
		d.bad = true
		return nil
	}
	looks := make([]document.Look, 0, n)
	for range n {
		looks = append(looks, document.Look{Run: d.string(), Seen: document.Seen(d.string()), Status: int(d.varint()), Why: d.string()})
	}
	return looks
}

func (d *unpacker) fields() map[string]document.Hash {
	if !d.has(hasFields) {
		return nil
	}
	n := d.varint()
	if n < 0 || n > int64(len(d.rest)) {
		d.bad = true
		return nil
	}
	fields := make(map[string]document.Hash, n)
	for range n {
		name := d.string()
		var hash document.Hash
		copy(hash[:], d.take(uint64(len(hash))))
		fields[name] = hash
	}
	return fields
}
