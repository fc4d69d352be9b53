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
	counts map[document.Found]int
	text   *textWriter // nil: JSON
	json   *jsonWriter
	shown  int
}

// NewVerification begins a result on w. all: cut no list short.
func NewVerification(w io.Writer, asJSON, all bool) *Verification {
	v := &Verification{counts: map[document.Found]int{}}
	out := bufio.NewWriter(w)
	if asJSON {
		v.json = &jsonWriter{out: out}
		v.json.text(`{"differences":[`)
		return v
	}
	v.text = &textWriter{out: out, limit: shown}
	if all {
		v.text.limit = -1
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
	switch {
	case v.text == nil:
		if v.shown > 1 {
			v.json.text(",")
		}
		v.json.value(f)
	case v.text.limit < 0 || v.shown <= v.text.limit:
		v.text.line("%s", strings.TrimSuffix(fmt.Sprintf("%-8s %s: %s", f.Found, f.ID, f.Reason), ": "))
		for _, line := range more {
			v.text.line("    %s", line)
		}
	}
}

// Close ends the result. repaired: what differs is put again by the next run.
func (v *Verification) Close(repaired bool, exit int) error {
	out, err := v.finish(repaired, exit)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

func (v *Verification) finish(repaired bool, exit int) (*bufio.Writer, error) {
	asked := 0
	for _, n := range v.counts {
		asked += n
	}
	if v.text == nil {
		v.json.text("]")
		v.json.field(",", "asked", asked)
		for _, f := range []document.Found{document.FoundSame, document.FoundMissing, document.FoundAltered, document.FoundStub, document.FoundUnknown, document.FoundNotYet} {
			v.json.field(",", strings.ReplaceAll(string(f), "-", "_"), v.counts[f])
		}
		v.json.field(",", "repair", repaired)
		v.json.field(",", "exit", exit)
		v.json.text("}\n")
		return v.json.out, v.json.err
	}
	if hidden := v.shown - v.text.limit; v.text.limit >= 0 && hidden > 0 {
		v.text.line("… and %d more; -v shows all", hidden)
	}
	v.text.line("%s", v.totals(asked, repaired))
	return v.text.out, v.text.err
}

func (v *Verification) totals(asked int, repaired bool) string {
	line := fmt.Sprintf("%d asked for, %d as the ledger says", asked, v.counts[document.FoundSame])
	for _, kind := range []struct {
		found document.Found
		what  string
	}{
		{document.FoundMissing, "missing"}, {document.FoundAltered, "altered"}, {document.FoundStub, "missing and made a stub by the question"},
		{document.FoundUnknown, "not told"}, {document.FoundNotYet, "sent too lately to be told: ask again in some minutes"},
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
