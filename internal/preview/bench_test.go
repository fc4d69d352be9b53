package preview_test

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/preview"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

var benchDocs = flag.Int("preview.docs", 3_000, "documents of BenchmarkPreview")

// BenchmarkPreview builds both sides of documents of about 2 KB, of which a tenth changes,
// and searches them.
//
//	go test ./internal/preview -run '^$' -bench Preview -benchtime 1x -preview.docs 20000
func BenchmarkPreview(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.2, 4, 50_000)
	text := func() string {
		words := make([]string, 300)
		for i := range words {
			words[i] = fmt.Sprintf("word%d", zipf.Uint64())
		}
		return strings.Join(words, " ")
	}
	dir := b.TempDir()
	path, plan, folder := filepath.Join(dir, "sitesync.db"), filepath.Join(dir, "plan"), filepath.Join(dir, "folder")
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		b.Fatal(err)
	}
	out, err := planfile.Create(plan, document.PlanHeader{})
	if err != nil {
		b.Fatal(err)
	}
	var batch document.Batch
	for i := range *benchDocs {
		id := fmt.Sprintf("https://a.test/%d", i)
		c := change(document.Put, id, fmt.Sprint("Page ", i), text())
		batch.Settled = append(batch.Settled, document.Settled{Change: c, Outcome: document.Outcome{ID: id, State: document.Acknowledged}})
		if i%10 == 0 {
			if err := out.Change(change(document.Patch, id, "", text())); err != nil {
				b.Fatal(err)
			}
		}
		if len(batch.Settled) == 1000 || i == *benchDocs-1 {
			if err := ledger.Step("1", batch); err != nil {
				b.Fatal(err)
			}
			batch = document.Batch{}
		}
	}
	if err := ledger.Close(); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(document.PlanTrailer{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		start := time.Now()
		p := preview.New(b.Context(), preview.Options{
			Engine: 1, Ledger: path, Texts: true, Dir: folder,
			Room:  func(string, int64) error { return nil },
			Tools: func(func(wire.Kind, []byte) error) error { return nil },
		})
		p.Pending(plan)
		again := time.NewTicker(10 * time.Millisecond)
		for p.Progress().Doing != "" {
			<-again.C
		}
		again.Stop()
		b.ReportMetric(time.Since(start).Seconds(), "build-s")
		b.ReportMetric(float64(size(folder))/1e6, "disk-MB")
		b.ReportMetric(float64(size(path))/1e6, "ledger-MB")
		times := make([]time.Duration, 200)
		for i := range times {
			start := time.Now()
			side := []ui.Side{ui.Before, ui.After}[i%2]
			if _, err := p.Search(b.Context(), side, ui.Query{Text: fmt.Sprintf("word%d word%d", zipf.Uint64(), zipf.Uint64()), Size: 10}); err != nil {
				b.Fatal(err)
			}
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[100].Microseconds())/1000, "p50-ms")
		b.ReportMetric(float64(times[198].Microseconds())/1000, "p99-ms")
		p.Close()
	}
}

func size(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil {
			if info, err := entry.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
