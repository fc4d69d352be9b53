package ledger

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// manyHeld is how many changes the benchmark's ledger holds.
const manyHeld = 100_000

// BenchmarkHeld shows 100,000 held changes, as text and as JSON.
func BenchmarkHeld(b *testing.B) {
	ledger, err := diffstore.Open(filepath.Join(b.TempDir(), "ledger.db"), false)
	if err != nil {
		b.Fatal(err)
	}
	defer ledger.Close()
	summary := document.Summary{Run: "01JGFJJZ00000000000000TEST", Complete: true, Counts: document.Counts{Held: manyHeld}}
	for folder := range 100 {
		group := fmt.Sprintf("https://www.example.com/%d/", folder)
		summary.Brakes = append(summary.Brakes, document.Tripped{Brake: document.BrakeGroup, Group: group, Held: manyHeld / 100, Release: document.Command("sitesync approve --group " + group)})
		var noted []document.Entry
		for n := range manyHeld / 100 {
			noted = append(noted, document.Entry{
				Op: document.Delete, ID: fmt.Sprintf("%s%d", group, n), Cause: document.CauseMissing, State: document.Held,
				Brake: document.BrakeGroup, Group: group, Evidence: "404 in runs 01JGFJJZ00000000000000TEST",
			})
		}
		if err := ledger.Step(summary.Run, document.Batch{Noted: noted}); err != nil {
			b.Fatal(err)
		}
	}
	if err := ledger.Finish(document.PlanTrailer{Summary: summary}); err != nil {
		b.Fatal(err)
	}
	for _, asJSON := range []bool{false, true} {
		b.Run(fmt.Sprintf("json=%t", asJSON), func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				h, err := heldNow(ledger)
				if err != nil || len(h.Changes) != manyHeld || len(h.Groups) != 100 {
					b.Fatalf("%d changes, %v", len(h.Changes), err)
				}
				if asJSON {
					err = report.Object(&out, h)
				} else {
					err = report.Fill(&out, heldPage, h, false)
				}
				if n := strings.Count(out.String(), "\n"); n > 200 || err != nil {
					b.Fatalf("%d lines, %v", n, err)
				}
			}
		})
	}
}
