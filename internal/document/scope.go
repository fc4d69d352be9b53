package document

// ScopeGroup is what one line of the configuration excludes of the documents that the
// index holds.
type ScopeGroup struct {
	Rule      string   `json:"rule"`           // in words
	Line      string   `json:"line,omitempty"` // FILE:LINE; empty: it stands nowhere
	Documents int      `json:"documents"`
	URLs      []string `json:"urls"`           // the first MaxScopeURLs of them
	Kept      bool     `json:"kept,omitempty"` // delete.out_of_scope = "keep": they stay
}

// MaxScopeURLs is how many URLs of a group are named.
const MaxScopeURLs = 20

// Rules are what the rules that make documents are: a hash of each part of them by its
// name in the configuration. That of RulesExtractor is the extractor's revision.
type Rules map[string]uint64

// RulesExtractor names the extractor among the Rules.
const RulesExtractor = "extractor"

// WarnRules tells why the documents differ whose rules changed.
const WarnRules = "rules"
