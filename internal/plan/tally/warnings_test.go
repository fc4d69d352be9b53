package tally

import (
	"fmt"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// TestWarnCountsTheRest: of each kind the first 200 are kept and the others
// counted.
func TestWarnCountsTheRest(t *testing.T) {
	scratch := spool.NewScratch(t.TempDir())
	defer scratch.Close()
	w := NewWarnings(scratch)
	for i := range KeptWarnings + 7 {
		for _, kind := range []string{document.WarnBroken, "unhealthy"} {
			w.Warn(document.Warning{Kind: kind, URL: fmt.Sprint("https://a.test/", i)})
		}
	}
	w.Conclude()
	got := map[string]int{}
	var rest []document.Warning
	if err := w.kept.Each(func(one document.Warning, _ []byte) error {
		got[one.Kind]++
		if one.More > 0 {
			rest = append(rest, one)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got[document.WarnBroken] != KeptWarnings+1 || got["unhealthy"] != KeptWarnings+1 {
		t.Errorf("kept %v", got)
	}
	if len(rest) != 2 || rest[0] != (document.Warning{Kind: document.WarnBroken, Text: "and 7 more of this kind", More: 7}) {
		t.Errorf("the rest: %+v", rest)
	}
}
