package document

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
	FoundStub    Found = "stub"    // it was missing, and the service made one of the question
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
	return f.Found == FoundMissing || f.Found == FoundAltered || f.Found == FoundStub
}
