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

// Type is the type of a document (section 2.2 of the search service's specification).
type Type string

const (
	PageContent Type = "PageContent"
	FileContent Type = "FileContent"
)

// Document is an entry of the search index (section 2.2 of the service's specification), sent as JSON.
type Document struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Type   Type              `json:"type,omitempty"`
}

// Wire returns the JSON that is sent. Equal documents give equal bytes. Invalid UTF-8 becomes U+FFFD.
func (d Document) Wire() json.RawMessage { return Encode(d) }

// Encode returns v as JSON in one line, without HTML escapes. The type of v must be one that JSON can encode.
func Encode(v any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// Hash is a 128-bit content hash: XXH64 under two seeds. It does not protect against forgery.
type Hash [16]byte

// The seeds are arbitrary but fixed, because ledgers (files that record what an index holds) store hashes.
const (
	hashSeedLow  = 0x9E3779B97F4A7C15
	hashSeedHigh = 0xC2B2AE3D27D4EB4F
)

// HashOf returns the hash of content.
func HashOf[T ~string | ~[]byte](content T) (h Hash) {
	raw, low, high := []byte(content), xxhash.NewWithSeed(hashSeedLow), xxhash.NewWithSeed(hashSeedHigh)
	_, _ = low.Write(raw)
	_, _ = high.Write(raw)
	binary.BigEndian.PutUint64(h[:8], high.Sum64())
	binary.BigEndian.PutUint64(h[8:], low.Sum64())
	return h
}

// IsZero reports whether h is unset.
func (h Hash) IsZero() bool { return h == Hash{} }

// Short returns the first 64 bits of h. They suffice to compare the versions of one page.
func (h Hash) Short() uint64 { return binary.BigEndian.Uint64(h[:]) }

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns h in lower-case hexadecimal.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText decodes hexadecimal text. It errs unless text is exactly 32 hexadecimal digits.
func (h *Hash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(h) {
		return fmt.Errorf("read hash %q: it is not %d hexadecimal digits", text, 2*len(h))
	}
	copy(h[:], raw)
	return nil
}

// FieldHashes returns the hash of each field's value, by field name.
func (d Document) FieldHashes() map[string]Hash {
	hashes := make(map[string]Hash, len(d.Fields))
	for name, value := range d.Fields {
		hashes[name] = HashOf(value)
	}
	return hashes
}

// Hash returns the hash of the document's type, field names and values.
func (d Document) Hash() Hash { return SumFields(d.Type, d.FieldHashes()) }

// SumFields returns the same hash as Document.Hash, computed from a document's type and field hashes.
func SumFields(t Type, fields map[string]Hash) Hash {
	key := make([]byte, 0, 256)
	key = append(key, t...)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		hash := fields[name]
		key = append(append(append(key, 0), name...), 0)
		key = append(key, hash[:]...)
	}
	return HashOf(key)
}

// Push is the state of a document at the search service, as the service's last answer shows.
type Push string

const (
	PushNone    Push = "" // no document was sent, or the document was deleted
	PushOK      Push = "ok"
	PushDoubt   Push = "doubt" // a call was begun, and its outcome is unknown
	PushRefused Push = "refused"
)

// A Look tells what one run found at a URL. A Record keeps only unusual looks, such as a 404 or a redirect.
type Look struct {
	Run    string `json:"run"`
	Seen   Seen   `json:"seen"`
	Status int    `json:"status,omitempty"`
	Why    string `json:"why,omitempty"` // explanation for people, or the redirect's target
}

// MaxLooks is the greatest number of looks that a record keeps.
const MaxLooks = 5

// Record is the ledger's entry of one URL, whether the URL has a document or not.
type Record struct {
	ID       string          `json:"id"` // the ID as it was sent; the ledger's key
	Type     Type            `json:"type,omitempty"`
	Fields   map[string]Hash `json:"fields,omitempty"`  // hashes of the fields last acknowledged
	Content  Hash            `json:"content,omitzero"`  // hash of the page's main text or the file's bytes
	Length   int             `json:"length,omitempty"`  // length of the content in bytes
	Print    Print           `json:"print,omitempty"`   // similarity hash of the content; 0 if unknown
	Date     string          `json:"date,omitempty"`    // the Date field, YYYY/MM/DD
	Rules    uint64          `json:"rules,omitempty"`   // fingerprint of the rules that made the document
	Hints    Hints           `json:"hints,omitzero"`    // from the response that had this content
	Fetched  int64           `json:"fetched,omitempty"` // start of the last run that read the page, Unix seconds
	Born     int64           `json:"born,omitempty"`    // start of the run that first sent the document, Unix seconds
	Looks    []Look          `json:"looks,omitempty"`
	Misses   int             `json:"misses,omitempty"`
	Standing Standing        `json:"standing,omitzero"` // counts nights in which the page did not show its content
	Suspect  Illness         `json:"suspect,omitzero"`  // set if the page looked broken when last read
	// Recent holds the short hashes of at most MaxRecent earlier acknowledged contents, the newest first.
	Recent []uint64 `json:"recent,omitempty"`
	Ended  bool     `json:"ended,omitempty"` // the HTML had </html> when last read
	// Led is set for a missing page. It is the number of a recent run, perhaps not the last one, in which a
	// link or sitemap led to the page.
	Led     uint64 `json:"led,omitempty"`
	Push    Push   `json:"push,omitempty"`
	By      string `json:"by,omitempty"`     // how the service acknowledged the document: see Outcome.By
	Maybe   bool   `json:"maybe,omitempty"`  // the last call was refused, and the index may hold an older document
	Repair  bool   `json:"repair,omitempty"` // Push is PushDoubt because "sitesync verify" found a difference
	Strikes int    `json:"strikes,omitempty"`
	Reason  string `json:"reason,omitempty"` // why the last call was refused or is in doubt
	Since   string `json:"since,omitempty"`  // ID of the run since which reading or sending has failed
	// Canonical is the canonical URL of this page. If this page has no document, the document of Canonical
	// stands for it. If this page has a document, the page names Canonical by mistake.
	Canonical string `json:"canonical,omitempty"`
	Listed    bool   `json:"listed,omitempty"` // a sitemap listed the URL in the last run
	First     First  `json:"first,omitzero"`
}

// Illness describes a page that looked broken when it was read. The zero value means a sound page.
type Illness struct {
	How    string `json:"how"`    // short name of the defect, with the names of lost fields
	Length int    `json:"length"` // length of the content in bytes
}

// MaxRecent is the greatest length of Record.Recent.
const MaxRecent = 3

// IsDocument reports whether the service holds, or may hold, a document for the record.
func (r *Record) IsDocument() bool {
	return r != nil && (r.Push == PushOK || r.Push == PushDoubt || r.Push == PushRefused && r.Maybe)
}

// Acknowledged reports whether IsDocument is true and the service has acknowledged the document at least
// once. The brakes (limits that hold suspicious changes) count only such documents.
func (r *Record) Acknowledged() bool { return r.IsDocument() && r.Type != "" }

// Hash returns the hash of the acknowledged document. It is zero unless Push is PushOK.
func (r *Record) Hash() Hash {
	if r == nil || r.Push != PushOK {
		return Hash{}
	}
	return SumFields(r.Type, r.Fields)
}

// Parked reports whether the service refused the document MaxStrikes times.
func (r *Record) Parked() bool { return r != nil && r.Push == PushRefused && r.Strikes >= MaxStrikes }

// MaxStrikes is the number of refusals after which a document is parked: it is no longer sent.
const MaxStrikes = 3

// Question asks the service whether it still has an acknowledged document.
type Question struct {
	ID   string
	Type Type
	URL  string // the document's field Url. The question is a PATCH that sets Url to this same value
}

// Answer is the service's answer to a Question.
type Answer struct {
	ID string
	// State is Acknowledged if the service has the document, Refused if it has none or can't change it,
	// InDoubt if the answer does not say, and Planned if the question was not sent.
	State  State
	Fields map[string]string // the document's fields; a value that is not a string is given as JSON
	Reason string
}

// Found is the result of comparing a document in the index with its record.
type Found string

const (
	FoundSame    Found = "ok"
	FoundMissing Found = "missing"
	FoundAltered Found = "altered"
	FoundUnknown Found = "unknown"
	FoundNotYet  Found = "not-yet" // the document was sent too recently to be visible
)

// Finding is the comparison of one document in the index with its record.
type Finding struct {
	ID     string            `json:"id"`
	Found  Found             `json:"state"`
	Fields []string          `json:"fields,omitempty"` // names of the differing fields, sorted
	Reason string            `json:"reason,omitempty"`
	Doubt  bool              `json:"-"` // the call that asked may itself have changed the index
	Index  map[string]string `json:"-"` // fields that the service returned
}

// Differs reports whether the index lacks the document or holds another content.
func (f *Finding) Differs() bool {
	return f.Found == FoundMissing || f.Found == FoundAltered
}

// Tool is the ledger's entry of one search tool, such as a banner, that a file of the site's owner declares.
type Tool struct {
	Kind     string `cbor:"1,keyasint"`
	Name     string `cbor:"2,keyasint"`           // the ledger's key, together with Kind
	ID       int64  `cbor:"3,keyasint,omitempty"` // the service's ID; 0 if unknown
	Declared Hash   `cbor:"4,keyasint,omitempty"` // hash of the declaration that was last sent; zero if it must be sent
	Seen     []byte `cbor:"5,keyasint,omitempty"` // the service's JSON after the last write
	Making   bool   `cbor:"6,keyasint,omitempty"` // a call to create the tool was begun, and its outcome is unknown
	Retired  bool   `cbor:"8,keyasint,omitempty"` // the tool was emptied, because the service can't delete it
}

// ToolTarget identifies the engine (the search that visitors use) to which the ledger's search tools belong.
type ToolTarget struct {
	Base     string `cbor:"1,keyasint"` // base address of the service, without trailing slashes
	Customer int64  `cbor:"2,keyasint"`
	Engine   int64  `cbor:"3,keyasint"`
}

// Secret is a password, a key or a header's value. It prints as Hidden. Convert it to string only to send it.
type Secret string

// Hidden is printed in place of a secret.
const Hidden = "[secret]"

func (Secret) String() string { return Hidden }

// MarshalText returns Hidden, for JSON and logs.
func (Secret) MarshalText() ([]byte, error) { return []byte(Hidden), nil }

// Format writes Hidden for every verb. Without Format, a wrong verb such as %d would print the value.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, Hidden) }
