package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sitesync/internal/document"
)

// Verification writes, as text or JSON, how the index differs from the ledger (the record of its documents).
type Verification struct {
	writer
	counts map[document.Found]int
	json   bool
	shown  int
	repair document.Command
}

// NewVerification returns a Verification that writes to w. If all is true, no list is cut. Parameter repair
// is the command that makes the next sync send the differing documents again.
func NewVerification(w io.Writer, asJSON, all bool, repair document.Command) *Verification {
	v := &Verification{
		writer: writer{out: bufio.NewWriter(w), o: TextOptions{All: all, Rest: "-v"}},
		counts: map[document.Found]int{}, json: asJSON, repair: repair,
	}
	if asJSON {
		v.text(`{"differences":[`)
	}
	return v
}

// Count returns how many documents were found in the state f.
func (v *Verification) Count(f document.Found) int { return v.counts[f] }

// Differing returns the number of documents that are missing from the index or altered there.
func (v *Verification) Differing() int {
	return v.counts[document.FoundMissing] + v.counts[document.FoundAltered]
}

// Add counts a finding: how a document in the index compares with the ledger. It writes the finding if the
// two differ. old is the document in the ledger. If old has fields, text output shows how they differ.
func (v *Verification) Add(f document.Finding, old document.Document) {
	v.counts[f.Found]++
	if f.Found == document.FoundSame {
		return
	}
	v.shown++
	if v.json {
		if v.shown > 1 {
			v.text(",")
		}
		v.value(f)
	} else if v.o.All || v.shown <= shown {
		v.line("%s", strings.TrimSuffix(fmt.Sprintf("%-8s %s: %s", f.Found, f.ID, f.Reason), ": "))
		for _, name := range f.Fields {
			if len(old.Fields) > 0 {
				v.difference(difference(name, old.Fields[name], f.Index[name]))
			}
		}
	}
}

var outcomes = [...]struct {
	found document.Found
	words string
}{
	{document.FoundSame, "as the ledger says"}, {document.FoundMissing, "missing"}, {document.FoundAltered, "altered"},
	{document.FoundUnknown, "not shown by the service"},
	{document.FoundNotYet, "sent too recently to show: ask again in some minutes"},
}

// Close writes the totals. If repaired is true, the next sync sends the differing documents again.
func (v *Verification) Close(repaired bool, exit int) error {
	asked := 0
	for _, n := range v.counts {
		asked += n
	}
	if v.json {
		v.text("]")
		v.field(",", "asked", asked)
		for _, kind := range outcomes {
			v.field(",", strings.ReplaceAll(string(kind.found), "-", "_"), v.counts[kind.found])
		}
		v.field(",", "repair", repaired)
		v.field(",", "exit", exit)
		return v.finish("}\n")
	}
	if hidden := v.shown - shown; !v.o.All && hidden > 0 {
		v.more(hidden)
	}
	line := document.Number(asked) + " asked for"
	for i, kind := range outcomes {
		if n := v.counts[kind.found]; n > 0 || i == 0 {
			line += ", " + document.Number(n) + " " + kind.words
		}
	}
	switch n := v.Differing(); {
	case n > 0 && repaired:
		line += "; the next sync puts " + document.Number(n) + " again"
	case n > 0:
		line += "; " + string(v.repair) + " lets the next sync put them again"
	}
	v.line("%s", line)
	return v.finish("")
}
