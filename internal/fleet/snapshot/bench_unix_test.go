//go:build unix

package snapshot

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/fleet/lease"
)

// BenchmarkLedger moves a ledger of 100,000 documents of 2 KB of text: whole, after a night
// that changed nothing, after one that changed 100 documents, and back. The CPU is that of
// this process, which the server is in.
func BenchmarkLedger(b *testing.B) {
	documents := 100_000
	if few, err := strconv.Atoi(os.Getenv("LEDGER_DOCUMENTS")); err == nil {
		documents = few
	}
	r := newRig(b)
	path := filepath.Join(b.TempDir(), LedgerFile)
	generation := uint64(0)
	night(b, path, &generation, documents, func(n int) int { return n })
	var before lease.File
	number := uint64(0)
	put := func(b *testing.B, last *lease.File) {
		number++
		cpu, stored := cpuTime(b), r.bytes(b)
		f, err := r.store.Put(b.Context(), "ledger", "town", number, path, last)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(cpuTime(b)-cpu)/1e9, "cpu-s/op")
		b.ReportMetric(float64(r.bytes(b)-stored)/1e6, "MB-moved/op")
		b.ReportMetric(float64(f.Size)/1e6, "MB-ledger")
		if err := r.store.Sweep(b.Context(), "ledger", "town", f); err != nil {
			b.Fatal(err)
		}
		before = f
	}
	once := func(name string, do func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do(b)
			}
		})
	}
	once("whole", func(b *testing.B) { put(b, nil) })
	once("same", func(b *testing.B) { put(b, &before) })
	for _, changed := range []int{0, 100} {
		once(fmt.Sprintf("changed-%d", changed), func(b *testing.B) {
			b.StopTimer()
			night(b, path, &generation, changed, func(int) int { return rand.IntN(documents) })
			b.StartTimer()
			put(b, &before)
		})
	}
	once("get", func(b *testing.B) {
		cpu, to := cpuTime(b), filepath.Join(b.TempDir(), "got")
		if err := r.store.Get(b.Context(), "ledger", "town", before, to); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(cpuTime(b)-cpu)/1e9, "cpu-s/op")
	})
}

func cpuTime(t testing.TB) int64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return use.Utime.Nano() + use.Stime.Nano()
}

// night plays a run that puts so many documents on a real ledger.
func night(t testing.TB, path string, generation *uint64, changed int, which func(n int) int) {
	t.Helper()
	ledger, err := diffstore.Open(path, true)
	must(t, err)
	identity, err := ledger.Identity()
	must(t, err)
	run := fmt.Sprintf("run-%d", *generation)
	must(t, ledger.Begin(document.PlanHeader{Ledger: identity, Generation: *generation, Target: document.Target{Base: "https://api.example.com", Customer: 10000001, Crawler: "c1"}}))
	*generation++
	must(t, ledger.SetMode("documents"))
	random := rand.New(rand.NewPCG(1, *generation))
	text := make([]byte, 1<<20)
	for n := range text {
		text[n] = "etaoinshrdlucmfw "[random.IntN(17)]
	}
	var batch document.Batch
	for n := range changed {
		at := random.IntN(len(text) - 2000)
		doc := document.Document{ID: fmt.Sprintf("https://www.example.com/page/%07d", which(n)), Type: document.PageContent, Fields: map[string]string{"Title": run, "Content": string(text[at : at+2000])}}
		next := &document.Record{ID: doc.ID, Type: doc.Type, Fields: doc.FieldHashes(), Push: document.PushOK}
		c := document.Change{Op: document.Put, ID: doc.ID, Type: doc.Type, Doc: doc.Wire(), Next: next}
		batch.Settled = append(batch.Settled, document.Settled{Change: c, Outcome: document.Outcome{ID: doc.ID, State: document.Acknowledged, By: "row"}})
		if len(batch.Settled) == 1000 || n == changed-1 {
			must(t, ledger.Step(run, batch))
			batch.Settled = nil
		}
	}
	must(t, ledger.Finish(document.PlanTrailer{Summary: document.Summary{Run: run, Start: 1_700_000_000}}))
	must(t, ledger.Close())
}
