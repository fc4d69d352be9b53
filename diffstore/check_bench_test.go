package diffstore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// BenchmarkCheck checks a ledger of 100,000 documents of 2 KB of text.
func BenchmarkCheck(b *testing.B) { benchLarge(b, diffstore.Check) }

// BenchmarkCopy leaves a copy of the same, in the place of an earlier one.
func BenchmarkCopy(b *testing.B) {
	benchLarge(b, func(path string) error { return diffstore.KeepCopy(b.Context(), path) })
}

func benchLarge(b *testing.B, call func(path string) error) {
	path := filepath.Join(b.TempDir(), "sitesync.db")
	fillLarge(b, path, 100_000, 2000)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := call(path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}

// fillLarge writes a ledger of so many documents, each with so many bytes of text
// that hardly packs, at path.
func fillLarge(t testing.TB, path string, documents, length int) {
	t.Helper()
	ledger := open(t, path, true)
	if err := beginIn(ledger, 0, testTarget()); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 1<<20)
	for n := range text {
		text[n] = "etaoinshrdlucmfw "[random.IntN(17)]
	}
	var batch document.Batch
	for n := range documents {
		at := random.IntN(len(text) - length)
		c := change(document.Put, fmt.Sprintf("https://www.example.com/page/%07d", n), map[string]string{"Title": fmt.Sprint(n), "Url": "/", "Content": string(text[at : at+length])})
		batch.Settled = append(batch.Settled, settled(c, document.Acknowledged, ""))
		if len(batch.Settled) == 1000 || n == documents-1 {
			step(t, ledger, "run-1", batch)
			batch.Settled = nil
		}
	}
	finish(t, ledger, document.Summary{Run: "run-1", Start: 1_700_000_000})
	if err := ledger.Close(); err != nil {
		t.Fatal(err)
	}
}
