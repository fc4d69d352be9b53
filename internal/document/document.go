package document

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// Type is the kind of a document, specification section 2.2.
type Type string

// The two kinds that the specification allows.
const (
	PageContent Type = "PageContent"
	FileContent Type = "FileContent"
)

// Document is an index entry, specification section 2.2. Its JSON form is the
// wire form.
type Document struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Type   Type              `json:"type,omitempty"`
}

// Wire returns the document's bytes as they are sent: keys sorted, one line, the
// same bytes for the same document. Bytes that are no UTF-8 become U+FFFD.
func (d Document) Wire() json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d) // strings always encode
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
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

// Short returns the first half of h: enough to tell a few contents of one page apart.
func (h Hash) Short() uint64 { return binary.BigEndian.Uint64(h[:]) }

// String returns h in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns the hexadecimal form, for JSON.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads the form that MarshalText writes.
func (h *Hash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(h) {
		return fmt.Errorf("read hash %q: it is not %d hexadecimal digits", text, 2*len(h))
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

// Push is where a record stands with the service. A record goes none or ok →
// doubt (the intent is written before the call) → ok, refused or removed.
type Push string

// The states of a record.
const (
	PushNone    Push = ""        // the service was never told
	PushOK      Push = "ok"      // the service acknowledged this very content
	PushDoubt   Push = "doubt"   // a call was begun and its outcome is not known
	PushRefused Push = "refused" // the service refused the document
)

// Look is one notable look at a URL: a run and what it saw. Looks that found
// what was known are not kept.
type Look struct {
	Run    string `json:"run"`
	Seen   Seen   `json:"seen"`
	Status int    `json:"status,omitempty"`
	Why    string `json:"why,omitempty"` // in words, or where a redirect leads
}

// MaxLooks is how many looks a record keeps, the latest last.
const MaxLooks = 5

// Record is what the ledger keeps of one URL, document or not.
type Record struct {
	ID        string          `json:"id"` // the ledger's key: the bytes that were sent
	Type      Type            `json:"type,omitempty"`
	Fields    map[string]Hash `json:"fields,omitempty"`  // of the acknowledged (or doubtful) document
	Content   Hash            `json:"content,omitzero"`  // of its content
	Length    int             `json:"length,omitempty"`  // bytes of its content
	Print     Print           `json:"print,omitempty"`   // of its content; 0: not known
	Date      string          `json:"date,omitempty"`    // its Date field, YYYY/MM/DD
	Rules     uint64          `json:"rules,omitempty"`   // fingerprint of the rules that made it
	Hints     Hints           `json:"hints,omitzero"`    // came with that content, never newer
	Fetched   int64           `json:"fetched,omitempty"` // start of the run that last read it for real, Unix seconds
	Born      int64           `json:"born,omitempty"`    // start of the run that first sent the document, Unix seconds
	Looks     []Look          `json:"looks,omitempty"`
	Misses    int             `json:"misses,omitempty"`
	Standing  Standing        `json:"standing,omitzero"` // how long the page has shown something else than itself
	Suspect   Illness         `json:"suspect,omitzero"`  // how the page looked when it was seen ill once
	Recent    []uint64        `json:"recent,omitempty"`  // Hash.Short of contents that were acknowledged earlier, the latest first; MaxRecent at most
	Ended     bool            `json:"ended,omitempty"`   // the HTML that was looked at last held </html>
	Led       uint64          `json:"led,omitempty"`     // of an address that was not there: the ledger's generation when something last led to it
	Push      Push            `json:"push,omitempty"`
	By        string          `json:"by,omitempty"`     // "row" or "status": how the service acknowledged
	Maybe     bool            `json:"maybe,omitempty"`  // before the call that was refused, the index held or may have held a document
	Repair    bool            `json:"repair,omitempty"` // the doubt is a check's: the index was found to hold something else
	Strikes   int             `json:"strikes,omitempty"`
	Reason    string          `json:"reason,omitempty"`    // of the last refusal or doubt
	Since     string          `json:"since,omitempty"`     // run in which it began to fail
	Canonical string          `json:"canonical,omitempty"` // folded into this document
	Listed    bool            `json:"listed,omitempty"`    // in the sitemap when last looked at
	First     First           `json:"first,omitzero"`
}

// Illness is how a page is ill: it shows something that may not be its own text for long. The zero
// value: it is not.
type Illness struct {
	How    string `json:"how"`    // the kind, and the fields that it lost
	Length int    `json:"length"` // bytes of its content
}

// MaxRecent is how many earlier contents a record remembers.
const MaxRecent = 3

// IsDocument reports whether the service holds, or may hold, a document for
// the record.
func (r *Record) IsDocument() bool {
	return r != nil && (r.Push == PushOK || r.Push == PushDoubt || r.Push == PushRefused && r.Maybe)
}

// Acknowledged reports whether IsDocument, and the service acknowledged a document for
// the record at some time: a first push that broke off left none. Shares and brakes
// count such alone.
func (r *Record) Acknowledged() bool { return r.IsDocument() && r.Type != "" }

// Hash returns the document hash of the acknowledged content; zero when
// there is none.
func (r *Record) Hash() Hash {
	if r == nil || r.Push != PushOK {
		return Hash{}
	}
	return SumFields(r.Type, r.Fields)
}

// Parked reports whether the service refused the document three times.
func (r *Record) Parked() bool { return r != nil && r.Push == PushRefused && r.Strikes >= MaxStrikes }

// MaxStrikes is how often a document is tried before it is parked.
const MaxStrikes = 3

// Question asks what the index holds under the ID of an acknowledged document.
type Question struct {
	ID   string
	Type Type   // as acknowledged
	URL  string // its Url field as acknowledged: the only one that the question names
}

// Answer is what the service says to a Question.
type Answer struct {
	ID     string
	State  State             // acknowledged: it has such a document; refused: it has not, or can't change it; in-doubt: no word of it; planned: not asked
	Fields map[string]string // that came back, under this very ID; a value that is no string is its JSON text
	Reason string            // of a refusal or a doubt
}

// Found says how what the index holds under an ID compares with its record.
type Found string

// The values of Found.
const (
	FoundSame    Found = "ok"
	FoundMissing Found = "missing"
	FoundAltered Found = "altered"
	FoundUnknown Found = "unknown" // the answer does not tell
	FoundNotYet  Found = "not-yet" // sent so lately that the index need not show it
)

// Finding is what asking for one document found.
type Finding struct {
	ID     string            `json:"id"`
	Found  Found             `json:"state"`
	Fields []string          `json:"fields,omitempty"` // that are not as the ledger says, sorted
	Reason string            `json:"reason,omitempty"`
	Doubt  bool              `json:"-"` // what the index holds may be the question's own doing
	Index  map[string]string `json:"-"` // the fields that came back
}

// Differs reports whether the index does not hold what the ledger says.
func (f *Finding) Differs() bool {
	return f.Found == FoundMissing || f.Found == FoundAltered
}

// Tool is what the ledger keeps of one search tool that is declared in a file.
type Tool struct {
	Kind     string `cbor:"1,keyasint"`
	Name     string `cbor:"2,keyasint"`           // with Kind the ledger's key
	ID       int64  `cbor:"3,keyasint,omitempty"` // the service's; 0: none is known
	Declared Hash   `cbor:"4,keyasint,omitempty"` // of what was declared when it was last sent; zero: it is to be sent
	Seen     []byte `cbor:"5,keyasint,omitempty"` // the service's JSON, as it was after the last write
	Making   bool   `cbor:"6,keyasint,omitempty"` // a create was begun, and whether it was carried out is not known
	Retired  bool   `cbor:"8,keyasint,omitempty"` // it is there and does nothing, because it can't be deleted
}

// ToolTarget is what the search tools of a ledger are pinned to: whose they are.
type ToolTarget struct {
	Base     string `cbor:"1,keyasint"` // base address without slashes at the end
	Customer int64  `cbor:"2,keyasint"`
	Engine   int64  `cbor:"3,keyasint"`
}

// Secret is a password, a key or a header's value. Whatever prints, logs or
// encodes it shows Hidden; convert it with string() only where it is sent.
type Secret string

// Hidden stands for a secret.
const Hidden = "[secret]"

// String returns Hidden.
func (Secret) String() string { return Hidden }

// MarshalText returns Hidden, so JSON and logs show that.
func (Secret) MarshalText() ([]byte, error) { return []byte(Hidden), nil }

// Format writes Hidden for every verb: without it a verb that does not fit
// a string, such as %d, would print the value in its complaint.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, Hidden) }
