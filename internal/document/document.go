package document

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Type is the kind of a document, specification section 2.2.
type Type string

// The two kinds that the specification allows.
const (
	PageContent Type = "PageContent"
	FileContent Type = "FileContent"
)

// Block is one run of text of a page: a paragraph, a heading, a table row.
type Block struct {
	Hash uint64 `cbor:"1,keyasint"`
	Text string `cbor:"2,keyasint"`
}

// Draft is what one page says, before the site's profile (boilerplate, title
// suffix) is applied.
type Draft struct {
	Type   Type              `cbor:"1,keyasint"`
	Fields map[string]string `cbor:"2,keyasint"`           // all but those that Titles and Blocks give
	Titles []string          `cbor:"3,keyasint,omitempty"` // candidates, best first
	Blocks []Block           `cbor:"4,keyasint,omitempty"` // the content in reading order
	Warn   []string          `cbor:"6,keyasint,omitempty"` // kinds of warning, such as "file-without-text"
	NoText string            `cbor:"8,keyasint,omitempty"` // why a file has none, in words
	Ruled  map[string]string `cbor:"7,keyasint,omitempty"` // what the owner's rules gave; it wins over all else
}

// Document is an index entry, specification section 2.2. Its JSON form is the
// wire form.
type Document struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Type   Type              `json:"type,omitempty"`
}

// Wire returns the document's bytes as they are sent: keys sorted, one line, the
// same bytes for the same document.
func (d Document) Wire() (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("encode document %s: %w", d.ID, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Hash tells two contents apart: XXH64 under two seeds, 128 bits. It is for
// finding changes on the owner's own site, not against forgery.
type Hash [16]byte

// The seeds of a Hash's halves: any two, as long as they never change.
const (
	hashSeedLow  = 0x9E3779B97F4A7C15
	hashSeedHigh = 0xC2B2AE3D27D4EB4F
)

// HashOf returns the hash of s.
func HashOf(s string) Hash { return HashBytes([]byte(s)) }

// HashBytes returns the hash of b: that of the same bytes as a string.
func HashBytes(b []byte) (h Hash) {
	low, high := xxhash.NewWithSeed(hashSeedLow), xxhash.NewWithSeed(hashSeedHigh)
	_, _ = low.Write(b)
	_, _ = high.Write(b)
	binary.BigEndian.PutUint64(h[:8], high.Sum64())
	binary.BigEndian.PutUint64(h[8:], low.Sum64())
	return h
}

// IsZero reports whether h is no hash at all.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns h in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns the hexadecimal form, for JSON.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// MarshalBinary returns the 16 bytes of the hash.
func (h Hash) MarshalBinary() ([]byte, error) { return h[:], nil }

// UnmarshalText reads the form that MarshalText writes.
func (h *Hash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil {
		return fmt.Errorf("read hash %q: %w", text, err)
	}
	return h.UnmarshalBinary(raw)
}

// UnmarshalBinary reads the form that MarshalBinary writes.
func (h *Hash) UnmarshalBinary(raw []byte) error {
	if len(raw) != len(h) {
		return fmt.Errorf("read hash: %d bytes where %d belong", len(raw), len(h))
	}
	copy(h[:], raw)
	return nil
}

// FieldHashes returns the hash of each field's value.
func (d Document) FieldHashes() map[string]Hash {
	hashes := make(map[string]Hash, len(d.Fields))
	for name, value := range d.Fields {
		hashes[name] = HashOf(value)
	}
	return hashes
}

// Hash returns the hash of the whole document: type, names and values.
func (d Document) Hash() Hash { return SumFields(d.Type, d.FieldHashes()) }

// SumFields returns the document hash for a type and its field hashes, so that
// a Record need not keep both.
func SumFields(t Type, fields map[string]Hash) Hash {
	key := make([]byte, 0, 256)
	key = append(key, t...)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		hash := fields[name]
		key = append(append(append(key, 0), name...), 0)
		key = append(key, hash[:]...)
	}
	return HashBytes(key)
}

// Count writes a number of things: "1 page", "2 pages".
func Count(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "s"):
		one += "e"
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// FormatBytes returns n in MB and KB of 10^6 and 10^3 bytes, as the
// configuration does.
func FormatBytes(n int64) string {
	switch {
	case n >= 1e6 && n%1e6 == 0:
		return fmt.Sprintf("%d MB", n/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3 && n%1e3 == 0:
		return fmt.Sprintf("%d KB", n/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
