package document

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
	Date      string          `json:"date,omitempty"`    // its Date field, YYYY/MM/DD
	Rules     uint64          `json:"rules,omitempty"`   // fingerprint of the rules that made it
	Hints     Hints           `json:"hints,omitzero"`    // came with that content, never newer
	Fetched   int64           `json:"fetched,omitempty"` // start of the run that last read it for real, Unix seconds
	Born      int64           `json:"born,omitempty"`    // start of the run that first sent the document, Unix seconds
	Looks     []Look          `json:"looks,omitempty"`
	Misses    int             `json:"misses,omitempty"`
	Suspect   Hash            `json:"suspect,omitzero"` // unhealthy document seen once
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
