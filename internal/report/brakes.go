package report

import (
	"iter"
	"maps"
	"slices"

	"sitesync/internal/document"
)

// meaning says in words why a brake holds, and reports whether the owner can
// release what it holds.
func meaning(brake document.Brake) (why string, releasable bool) {
	switch brake {
	case document.BrakeTotal:
		return "more deletes at once than max, max_share or max_absolute in [delete] let pass", true
	case document.BrakeIncomplete:
		return "not every page of the host was looked at, so what seems missing may be there", true
	case document.BrakeClock:
		return "the clock stands before the last run's or long after it, so what seems expired may not be", true
	case document.BrakeOrigin:
		return "a start address on a host that this ledger does not know yet", true
	case document.BrakeHost:
		return "the host is not ok; what is still due goes out once it is", false
	case document.BrakeTarget:
		return "the document that takes its place is not acknowledged; it goes out once that is", false
	}
	return "", true
}

// release explains the brakes that hold something, and names the commands that
// release it.
func (t *textWriter) release(held iter.Seq2[document.Entry, error]) {
	brakes := map[document.Brake]bool{}
	for e, err := range held {
		if err != nil {
			t.err = err
			return
		}
		brakes[e.Brake] = true
	}
	anyReleasable := false
	for _, brake := range slices.Sorted(maps.Keys(brakes)) {
		why, releasable := meaning(brake)
		anyReleasable = anyReleasable || releasable
		t.line("  brake %q: %s", brake, why)
	}
	if anyReleasable {
		t.line("  release with: sitesync approve ID... | --group G | --cause C | --all, or deletes once with: sitesync sync --allow-deletes")
	}
}
