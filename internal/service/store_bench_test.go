//go:build unix

package service

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// benchDocuments is the number of documents that the benchmarks store.
var benchDocuments = flag.Int("service.docs", 2000, "documents of the benchmarks")

const (
	benchSearches = 200 // searches of each kind
	benchStops    = 50  // most frequent words, which no search has, like the stop words of a language
)

// BenchmarkPut measures documents per second from PUT until a search finds them. Documents have about 2.5 KB.
// The client is in the same process.
//
//	go test ./internal/service -run '^$' -bench Put -benchtime 1x -service.docs 20000
func BenchmarkPut(b *testing.B) {
	for b.Loop() {
		m := newBenchmark(b)
		cpu, spent := processTime(b), time.Duration(0)
		for first := 0; first < *benchDocuments; first += 1000 {
			spent += m.push(first, min(1000, *benchDocuments-first))
		}
		b.ReportMetric(float64(*benchDocuments)/spent.Seconds(), "docs/s")
		b.ReportMetric(float64((processTime(b)-cpu).Microseconds())/float64(*benchDocuments), "cpu-µs/doc")
		m.close()
	}
}

// BenchmarkSearch measures searches for one, two and four words, alone and beside a push that replaces
// documents. The memory includes the client's.
//
//	go test ./internal/service -run '^$' -bench Search -benchtime 1x -service.docs 20000
func BenchmarkSearch(b *testing.B) {
	for b.Loop() {
		m := newBenchmark(b)
		m.push(0, *benchDocuments)
		m.searches("alone")
		ctx, stop := context.WithCancel(b.Context())
		var pushing sync.WaitGroup
		pushing.Go(func() {
			for ctx.Err() == nil {
				m.push(0, min(1000, *benchDocuments))
			}
		})
		m.searches("pushed")
		stop()
		pushing.Wait()
		m.close()
	}
}

// A benchmark is a running service with a source of words.
type benchmark struct {
	*local
	b    *testing.B
	zipf *rand.Zipf
}

func newBenchmark(b *testing.B) *benchmark {
	debug.SetMemoryLimit(SoftMemory)
	l := open(b, Options{Path: filepath.Join(b.TempDir(), "service.db")})
	return &benchmark{l, b, rand.NewZipf(rand.New(rand.NewSource(1)), 1.2, 4, 30_000)}
}

// close reports the memory of the process, checks that every document is found, and ends the service.
func (m *benchmark) close() {
	debug.FreeOSMemory()
	m.b.ReportMetric(anonymousMB(m.b), "anon-MB")
	if found := m.search("marker").TotalDocument; found != *benchDocuments {
		m.b.Errorf("want %d documents found, got %d", *benchDocuments, found)
	}
	m.end()
}

// words returns n random words, of which a few are frequent and most are rare, as in natural texts. It leaves
// out the most frequent ones.
func (m *benchmark) words(n int, without uint64) string {
	const syllables = "balecidofugahijekolumanepiqorusatevixoyazu"
	var text strings.Builder
	for range n {
		rank := m.zipf.Uint64()
		for rank < without {
			rank = m.zipf.Uint64()
		}
		for word := int(rank) + 5; word > 0; word /= 21 {
			text.WriteString(syllables[word%21*2 : word%21*2+2])
		}
		text.WriteByte(' ')
	}
	return strings.TrimSpace(text.String())
}

// push puts n documents in batches as package push sends them, and returns how long that took.
func (m *benchmark) push(first, n int) time.Duration {
	var pages, batches []string
	for i := first; i < first+n; i++ {
		url := fmt.Sprintf("https://www.example.com/%d", i)
		pages = append(pages, page(url, "Title="+m.words(6, 0), "Description="+m.words(20, 0),
			"Content=marker "+m.words(360, 0), "Url="+url, fmt.Sprint("Category=Part ", i%12),
			"Language="+[]string{"en", "en", "en", "da"}[i%4], "Date=2026/08/14"))
	}
	for batch := range slices.Chunk(pages, 100) {
		batches = append(batches, "["+strings.Join(batch, ",")+"]")
	}
	start := time.Now()
	for _, batch := range batches {
		if got := m.call(http.MethodPut, documents, batch); got.status != 200 || strings.Contains(got.body, `"success":false`) {
			m.b.Errorf("%d %.500s", got.status, got.body)
		}
	}
	return time.Since(start)
}

// searches measures searches for different numbers of words, one after another.
func (m *benchmark) searches(name string) {
	random := &benchmark{zipf: rand.NewZipf(rand.New(rand.NewSource(2)), 1.2, 4, 30_000)}
	for _, words := range []int{1, 2, 4} {
		var all []time.Duration
		cpu := processTime(m.b)
		for range benchSearches {
			text := random.words(words, benchStops)
			start := time.Now()
			m.search(text)
			all = append(all, time.Since(start))
		}
		if name == "alone" {
			m.b.ReportMetric(float64((processTime(m.b)-cpu).Microseconds())/benchSearches/1000, fmt.Sprintf("cpu-ms/%d-words", words))
		}
		slices.Sort(all)
		for _, rank := range []int{50, 99} {
			at := all[len(all)*rank/100]
			m.b.ReportMetric(float64(at.Microseconds())/1000, fmt.Sprintf("%s-%d-words-p%d-ms", name, words, rank))
		}
	}
}

// processTime returns the processor time that this process has used.
func processTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// anonymousMB returns the anonymous memory of this process in MB. Without /proc it is the memory of the Go
// runtime.
func anonymousMB(b *testing.B) float64 {
	rollup, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return float64(stats.Sys-stats.HeapReleased) / 1e6
	}
	_, anonymous, _ := strings.Cut(string(rollup), "\nAnonymous:")
	kilobytes := 0
	if _, err := fmt.Sscan(anonymous, &kilobytes); err != nil {
		b.Fatal(err)
	}
	return float64(kilobytes) / 1000
}
