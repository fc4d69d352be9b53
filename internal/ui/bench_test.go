package ui

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
)

var benchDocs = flag.Int("bench.docs", 3_000, "changes of BenchmarkPlanPages")

// BenchmarkPlanPages reads a plan of changes of about 2 KB, a third of each kind, and shows
// its pages, fifty times each: the time at the server, and the memory that is left.
//
//	go test ./internal/ui -run '^$' -bench PlanPages -benchtime 1x -bench.docs 100000
func BenchmarkPlanPages(b *testing.B) {
	path := filepath.Join(b.TempDir(), "plan")
	w, err := planfile.Create(path, document.PlanHeader{})
	if err != nil {
		b.Fatal(err)
	}
	var held strings.Builder
	held.WriteString(`{"groups":[{"op":"delete","cause":"missing","brake":"total"}],"held":[`)
	address := func(i int) string { return fmt.Sprintf("https://www.example.com/section-%d/page-%06d.html", i%40, i) }
	for i := range *benchDocs {
		doc := document.Document{ID: address(i), Type: document.PageContent, Fields: map[string]string{"Title": fmt.Sprint("The title of page ", i), "Url": address(i), "Content": strings.Repeat(fmt.Sprintf("Bee %d makes honey in spring. ", i), 60)}}
		c := document.Change{Op: document.Put, ID: doc.ID, Type: doc.Type, Cause: document.CauseNew, State: document.Planned, Doc: doc.Wire()}
		switch i % 3 {
		case 1:
			c.Op, c.Cause, c.Fields = document.Patch, document.CauseChanged, []string{"Content", "Title"}
		case 2:
			c.Op, c.Cause, c.State, c.Brake, c.Evidence, c.Doc = document.Delete, document.CauseMissing, document.Held, document.BrakeTotal, "404 in runs 01J and 01K", nil
		}
		if err := w.Change(c); err != nil {
			b.Fatal(err)
		}
		fmt.Fprintf(&held, `{"op":"delete","id":%q,"cause":"missing","brake":"total","evidence":"404 in runs 01J and 01K"},`, c.ID)
	}
	if err := w.Close(document.PlanTrailer{}); err != nil {
		b.Fatal(err)
	}
	answer := strings.TrimSuffix(held.String(), ",") + "]}"
	debug.FreeOSMemory()
	before := anonymousMB()
	start := time.Now()
	s := New(b.Context(), Options{
		Port: "8484", Plan: path, Run: func(context.Context, string, ...string) Answer { return Answer{Out: answer} },
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
	})
	b.Cleanup(s.Wait)
	<-s.plan.ready
	read := time.Since(start)
	for _, page := range []struct{ name, path string }{
		{"overview", "/"}, {"first", "/plan/changes"}, {"filter", "/plan/changes?kind=changed&folder=https%3A%2F%2Fwww.example.com%2Fsection-7%2F&field=Title&sort=title"},
		{"search", "/plan/changes?q=page-0999"}, {"nothing", "/plan/changes?q=wasps"}, {"last", "/plan/changes?page=4000"},
		{"change", "/plan/change?id=" + url.QueryEscape(address(*benchDocs-2))}, {"held", "/held"},
	} {
		b.Run(page.name, func(b *testing.B) {
			times := make([]time.Duration, 50)
			for b.Loop() {
				for i := range times {
					start := time.Now()
					if w := ask(s, http.MethodGet, page.path, nil); w.Code != http.StatusOK {
						b.Fatal(w.Code)
					}
					times[i] = time.Since(start)
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[25].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[49].Microseconds())/1000, "p99-ms")
			b.ReportMetric(anonymousMB()-before, "anon-MB")
			b.ReportMetric(read.Seconds(), "read-s")
		})
	}
}

// anonymousMB returns the anonymous memory of this process; 0 where the system does not
// tell.
func anonymousMB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if value, is := strings.CutPrefix(line, "RssAnon:"); is {
			kB, _ := strconv.Atoi(strings.Fields(value)[0])
			return float64(kB) / 1024
		}
	}
	return 0
}
