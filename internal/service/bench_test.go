package service

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var benchDocs = flag.Int("bench.docs", 10_000, "documents of the benchmark of search")

// BenchmarkSearch puts documents in batches of 100 over HTTP while they are indexed, until all
// are found, and then searches for words of them, one to four at once.
//
//	go test ./internal/service -run '^$' -bench Search -benchtime 1x -bench.docs 100000
func BenchmarkSearch(b *testing.B) {
	debug.SetGCPercent(400) // as serve has it
	debug.SetMemoryLimit(SoftMemory)
	for b.Loop() {
		l := openBench(b)
		write := newWriter()
		peak := watchMemory(func() {
			start, cpu := time.Now(), cpuSeconds()
			for n := 0; n < *benchDocs; n += 100 {
				l.benchCall(b, "PUT", documents, write.batch(n, min(100, *benchDocs-n)))
			}
			b.ReportMetric(float64(*benchDocs)/time.Since(start).Seconds(), "put-docs/s")
			if total := l.benchSearch(b, "*"); total != *benchDocs {
				b.Fatalf("%d documents are found", total)
			}
			b.ReportMetric(float64(*benchDocs)/time.Since(start).Seconds(), "docs/s")
			b.ReportMetric(1000*(cpuSeconds()-cpu)/float64(*benchDocs), "put-cpu-ms")
			benchTimes(b, "", func() { l.benchSearch(b, write.query(1+write.r.IntN(4))) })
			benchTimes(b, "20-words-", func() { l.benchSearch(b, write.query(20)) })
			benchTimes(b, "complete-", func() { l.benchComplete(b, write.begun()) })
		})
		b.ReportMetric(peak, "anon-MB")
		b.ReportMetric(statusMB("VmHWM:"), "peak-RSS-MB") // mapped files count, as far as they are in memory
	}
}

type benched struct {
	*local
	client http.Client
}

func openBench(b *testing.B) *benched {
	s, err := Open(Options{Path: filepath.Join(b.TempDir(), "service.db"), APIKey: testKey, Search: true})
	if err != nil {
		b.Fatal(err)
	}
	running, err := s.Start("")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := running.Close(); err != nil {
			b.Error(err)
		}
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return &benched{local: &local{Service: s, url: running.URL}}
}

func (l *benched) benchCall(b *testing.B, method, path string, body []byte) (answer searchAnswer) {
	req, err := http.NewRequestWithContext(b.Context(), method, l.url+path, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("10000001", testKey)
	resp, err := l.client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	var body2 bytes.Buffer
	if _, err := body2.ReadFrom(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status, body2.String(), err)
	}
	if path == searchPath {
		err = json.Unmarshal(body2.Bytes(), &answer)
	}
	if err != nil {
		b.Fatal(err)
	}
	return answer
}

// benchTimes reports how long each of 1,000 calls takes.
func benchTimes(b *testing.B, name string, call func()) {
	times, cpu := make([]time.Duration, 1000), cpuSeconds()
	for i := range times {
		start := time.Now()
		call()
		times[i] = time.Since(start)
	}
	slices.Sort(times)
	b.ReportMetric(1000*(cpuSeconds()-cpu)/float64(len(times)), name+"cpu-ms")
	b.ReportMetric(float64(times[500].Microseconds())/1000, name+"p50-ms")
	b.ReportMetric(float64(times[990].Microseconds())/1000, name+"p99-ms")
}

func (l *benched) benchComplete(b *testing.B, text string) {
	l.benchCall(b, "GET", completePath+"?query="+url.QueryEscape(text), nil)
}

func (l *benched) benchSearch(b *testing.B, text string) int {
	body, _ := json.Marshal(map[string]any{"query": text})
	return l.benchCall(b, "POST", searchPath, body).TotalDocument
}

// writer writes English-looking text of 2.3 KB: small words by the dozen, and a
// vocabulary of 50,000 words that are used as Zipf's law has it.
type writer struct {
	r          *rand.Rand
	zipf       *rand.Zipf
	small      []string
	vocabulary []string
	titles     []string // some
}

func newWriter() *writer {
	const letters = "etaoinshrdlucmfwypvbgk"
	w := &writer{r: rand.New(rand.NewPCG(1, 2)), small: strings.Fields("the of and a to in is it for that this with as on be are by not or an at from"), vocabulary: make([]string, 50_000)}
	w.zipf = rand.NewZipf(w.r, 1.05, 20, uint64(len(w.vocabulary)-1))
	for i := range w.vocabulary {
		var word strings.Builder
		for range 3 + w.r.IntN(8) {
			word.WriteByte(letters[int(float64(len(letters))*w.r.Float64()*w.r.Float64())])
		}
		w.vocabulary[i] = word.String()
	}
	return w
}

func (w *writer) text(words int) string {
	var b strings.Builder
	for range words {
		if w.r.IntN(5) < 2 {
			b.WriteString(w.small[w.r.IntN(len(w.small))])
		} else {
			b.WriteString(w.vocabulary[w.zipf.Uint64()])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// query returns words as texts have them, small ones aside.
func (w *writer) query(count int) string {
	var words []string
	for range count {
		words = append(words, w.vocabulary[w.zipf.Uint64()])
	}
	return strings.Join(words, " ")
}

// begun returns one to three words of a title, the last one without its end.
func (w *writer) begun() string {
	title := strings.Fields(w.titles[w.r.IntN(len(w.titles))])
	at := w.r.IntN(len(title) - 3)
	text := strings.Join(title[at:at+1+w.r.IntN(3)], " ")
	return text[:max(1, len(text)-2)]
}

func (w *writer) batch(from, count int) []byte {
	var docs []string
	for n := from; n < from+count; n++ {
		url, title := fmt.Sprintf("https://www.example.com/section-%d/page-%d.html", n%40, n), w.text(7)
		if n%100 == 0 {
			w.titles = append(w.titles, title)
		}
		docs = append(docs, page(url, "Url="+url, "Title="+title, "Description="+w.text(20), "Content="+w.text(250+w.r.IntN(140)),
			"Language=en", "Category=section "+strconv.Itoa(n%40), "Date=2026/01/"+strconv.Itoa(10+n%20)))
	}
	return []byte("[" + strings.Join(docs, ",") + "]")
}

// watchMemory returns the most anonymous memory seen while work ran, in MB; a mapped file
// is not counted. 0 where the system does not tell.
func watchMemory(work func()) (peak float64) {
	debug.FreeOSMemory()
	ctx, cancel := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			peak = max(peak, anonymousMB())
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	})
	work()
	cancel()
	watching.Wait()
	return peak
}

func anonymousMB() float64 { return statusMB("RssAnon:") }

// statusMB returns one of the figures on this process's memory.
func statusMB(name string) float64 {
	status, _ := os.ReadFile("/proc/self/status") // not there on other systems
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, name); ok {
			kB, _ := strconv.Atoi(strings.Fields(value)[0])
			return float64(kB) / 1024
		}
	}
	return 0
}

// cpuSeconds returns the time that this process has had of processors, in steps of 10 ms.
// 0 where the system does not tell.
func cpuSeconds() float64 {
	stat, _ := os.ReadFile("/proc/self/stat") // not there on other systems
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}
