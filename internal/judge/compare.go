package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// urlField is the field that a question names, so that its coming back says nothing.
const urlField = "Url"

// Compare says what an answer makes of an acknowledged record. Only the record's own
// fields count: services add some, as Date_date to Date. Where none came back but the
// one that was sent, told is false: then the service either answers no more than it is
// sent, or holds nothing else.
func Compare(rec *document.Record, a document.Answer) (f document.Finding, told bool) {
	f = document.Finding{ID: rec.ID, Found: document.FoundSame, Index: a.Fields}
	switch a.State {
	case document.Acknowledged:
	case document.Refused:
		f.Found, f.Reason = document.FoundMissing, a.Reason
		return f, true
	default:
		f.Found, f.Reason, f.Doubt = document.FoundUnknown, a.Reason, a.State == document.InDoubt
		return f, true
	}
	told = len(rec.Fields) <= 1
	for _, name := range slices.Sorted(maps.Keys(rec.Fields)) {
		value, there := a.Fields[name]
		told = told || there && name != urlField
		if !there || document.HashOf(value) != rec.Fields[name] {
			f.Fields = append(f.Fields, name)
		}
	}
	if len(f.Fields) > 0 {
		f.Found, f.Reason = document.FoundAltered, fmt.Sprintf("not as acknowledged: %s", strings.Join(f.Fields, ", "))
	}
	return f, told
}

// Proves reports whether an answer shows that the service gives back what it holds: a
// value that the question did not name, as the ledger has it.
func Proves(rec *document.Record, a document.Answer) bool {
	for name, value := range a.Fields {
		if hash, ours := rec.Fields[name]; ours && name != urlField && hash == document.HashOf(value) {
			return a.State == document.Acknowledged
		}
	}
	return false
}

// IsStub reports whether an answer shows a document of the question's own making: the
// field that was sent, and nothing else.
func IsStub(f document.Finding) bool {
	return len(f.Index) == 1 && f.Index[urlField] == f.ID
}
