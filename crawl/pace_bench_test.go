package crawl

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// BenchmarkPace crawls a site that takes 50 ms for each answer with 8 connections:
// 160 pages a second would be ideal.
//
//	go test ./crawl -run '^$' -bench Pace -benchtime 1x
func BenchmarkPace(b *testing.B) {
	const pages = 1000
	var home strings.Builder
	for i := range pages {
		fmt.Fprintf(&home, `<a href="/%d">page</a>`, i)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-time.After(50 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		n, err := strconv.Atoi(r.URL.Path[1:])
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, home.String())
		case err != nil:
			w.WriteHeader(http.StatusNotFound)
		default:
			fmt.Fprintf(w, "<title>%d</title><p>%s", n, testsite.Words(n))
		}
	}))
	defer site.Close()
	for b.Loop() {
		sink := &countSink{}
		c, err := New(Options{
			Start: []string{site.URL + "/"}, Links: true, UserAgent: "sitesync", Concurrency: 8, Retries: 2, RetryWait: time.Second,
			Timeout: time.Minute, MaxBody: 1 << 20, Work: b.TempDir(), Table: spool.NewTable(), Group: &spool.Group{},
		})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Run(b.Context(), &night{rig: &rig{}}, sink); err != nil || sink.Load() != pages+1 {
			b.Fatalf("%d pages, %v", sink.Load(), err)
		}
		_ = c.Close()
	}
	b.ReportMetric(float64(b.N*pages)/b.Elapsed().Seconds(), "pages/s")
}

// countSink counts pages.
type countSink struct{ atomic.Int64 }

func (s *countSink) Page(context.Context, *document.Page) error {
	s.Add(1)
	return nil
}
