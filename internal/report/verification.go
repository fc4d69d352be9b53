package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sitesync/internal/document"
)

// Verification writes, as it comes, what asking the service found: as text, or as one
// JSON object.
type Verification struct {
	writer
	counts map[document.Found]int
	json   bool
	shown  int
}

// NewVerification begins a result on w. all: cut no list short.
func NewVerification(w io.Writer, asJSON, all bool) *Verification {
	v := &Verification{writer: writer{out: bufio.NewWriter(w), all: all}, counts: map[document.Found]int{}, json: asJSON}
	if asJSON {
		v.text(`{"differences":[`)
	}
	return v
}

// Count returns how many findings of a kind there were.
func (v *Verification) Count(f document.Found) int { return v.counts[f] }

// Differing returns how many documents are not as the ledger says.
func (v *Verification) Differing() int {
	return v.counts[document.FoundMissing] + v.counts[document.FoundAltered] + v.counts[document.FoundStub]
}

// Add takes one finding, with lines that tell more of it.
func (v *Verification) Add(f document.Finding, more []string) {
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
	} else if v.all || v.shown <= shown {
		v.line("%s", strings.TrimSuffix(fmt.Sprintf("%-8s %s: %s", f.Found, f.ID, f.Reason), ": "))
		for _, line := range more {
			v.line("    %s", line)
		}
	}
}

// Close ends the result. repaired: what differs is put again by the next run.
func (v *Verification) Close(repaired bool, exit int) error {
	asked := 0
	for _, n := range v.counts {
		asked += n
	}
	if v.json {
		v.text("]")
		v.field(",", "asked", asked)
		for _, f := range []document.Found{document.FoundSame, document.FoundMissing, document.FoundAltered, document.FoundStub, document.FoundUnknown, document.FoundNotYet} {
			v.field(",", strings.ReplaceAll(string(f), "-", "_"), v.counts[f])
		}
		v.field(",", "repair", repaired)
		v.field(",", "exit", exit)
		return v.finish("}\n")
	}
	if hidden := v.shown - shown; !v.all && hidden > 0 {
		v.line("… and %d more; -v shows all", hidden)
	}
	v.line("%s", v.totals(asked, repaired))
	return v.finish("")
}

func (v *Verification) totals(asked int, repaired bool) string {
	line := fmt.Sprintf("%d asked for, %d as the ledger says", asked, v.counts[document.FoundSame])
	for _, kind := range []struct {
		found document.Found
		what  string
	}{
		{document.FoundMissing, "missing"}, {document.FoundAltered, "altered"}, {document.FoundStub, "missing and made a stub by the question"},
		{document.FoundUnknown, "not shown by the service"}, {document.FoundNotYet, "sent too recently to show: ask again in some minutes"},
	} {
		if n := v.counts[kind.found]; n > 0 {
			line += fmt.Sprintf(", %d %s", n, kind.what)
		}
	}
	switch n := v.Differing(); {
	case n > 0 && repaired:
		line += fmt.Sprintf("; the next sync puts %d again", n)
	case n > 0:
		line += "; sitesync verify --repair lets the next sync put them again"
	}
	return line
}
