package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/service/conformance"
	"sitesync/internal/service/tools"
	"sitesync/internal/testsite/inmemory"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
)

const (
	testKey      = "k3y-for-tests"
	testCustomer = 10000001
	testCrawler  = "crawler-1"
	documents    = "/api/v4/10000001/index/crawler-1/documents"
	bulk         = documents + "/bulk-delete"
	paths        = "/api/v4/10000001/crawler/crawler-1/paths"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(crashStore); path != "" {
		serveUntilKilled(path)
	}
	inmemory.Folders()
	os.Exit(m.Run())
}

// local is a running service with a client for it.
type local struct {
	*Service
	t   testing.TB
	url string
	end func() // before the test does
}

// open runs a service of its own for the test; options may be zero.
func open(t testing.TB, options Options) *local {
	t.Helper()
	if options.Path == "" {
		options.Path = filepath.Join(t.TempDir(), "service.db")
	}
	options.APIKey = testKey
	options.Bounds.Work = cmp.Or(options.Bounds.Work, time.Minute) // no test is about the speed of the machine
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	running, err := s.Start("")
	if err != nil {
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		if err := errors.Join(running.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return &local{Service: s, t: t, url: running.URL, end: end}
}

// strike puts faults before the service, for the calls from now on.
func (l *local) strike(faults ...strike.Fault) *strike.Panel {
	l.t.Helper()
	panel := strike.New(l.Service)
	panel.Set(faults...)
	server := httptest.NewServer(panel)
	l.t.Cleanup(server.Close)
	l.url = server.URL
	return panel
}

// reached is an answer as a test sees it; err is set when there was none.
type reached struct {
	status int
	header http.Header
	body   string
	err    error
}

// request returns a request with the right credentials.
func (l *local) request(method, path, body string) *http.Request {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("10000001", testKey)
	return req
}

// call sends one request with the right credentials.
func (l *local) call(method, path, body string) reached { return l.send(l.request(method, path, body)) }

// direct answers a request as on loopback, without a network.
func direct(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	at := context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})
	r.Host = "localhost"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(at))
	return w
}

func (l *local) send(req *http.Request) reached {
	l.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return reached{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return reached{resp.StatusCode, resp.Header, string(body), err}
}

// want sends one request and checks the status of its answer.
func (l *local) want(status int, method, path, body string) string {
	l.t.Helper()
	got := l.call(method, path, body)
	if got.err != nil || got.status != status {
		l.t.Fatalf("%s %s: want %d, got %d %s %v", method, path, status, got.status, got.body, got.err)
	}
	return got.body
}

// holds checks what the crawler stores, each document as "ID type field=value".
func (l *local) holds(want ...string) {
	l.t.Helper()
	got := []string{}
	docs, err := l.Documents(testCustomer, testCrawler)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, doc := range docs {
		got = append(got, sketch(doc))
	}
	if !slices.Equal(got, want) {
		l.t.Errorf("want %q stored, got %q", want, got)
	}
}

func sketch(doc wire.Document) string {
	fields, _ := json.Marshal(doc.Fields)
	return doc.ID + " " + *doc.Type + " " + string(fields)
}

// TestConformance runs the suite as it would against a hosted service, in full, and in
// full with the operations that the specification does not show; and where clients may send more,
// in all rules but those that it names.
func TestConformance(t *testing.T) {
	const engine = 7
	for _, mode := range []struct {
		name                   string
		local, extended, loose bool
	}{{"hosted", false, false, false}, {"local", true, false, false}, {"extended", true, true, false}, {"loose", true, true, true}} {
		t.Run(mode.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "service.db")
			var before string // a quicklink, which the contract can't create
			var quicklink struct{ ID int64 }
			t.Run("before", func(t *testing.T) {
				l := open(t, Options{Path: path, Extended: true})
				before = l.want(200, "POST", "/api/quicklinks", `{"url":"https://conformance.invalid/","websiteid":7,"terms":[{"name":"before"}]}`)
				if err := json.Unmarshal([]byte(before), &quicklink); err != nil {
					t.Fatal(err)
				}
			})
			l := open(t, Options{Path: path, Extended: mode.extended, Strict: !mode.loose})
			conformance.Run(t, conformance.Target{
				BaseURL: l.url, CustomerID: testCustomer, APIKey: testKey, CrawlerID: testCrawler, EngineID: engine,
				Local: mode.local, Loose: mode.loose, Extended: mode.extended, Events: true, Quicklink: quicklink.ID,
			})
			l.leftAlone(before)
		})
	}
}

// leftAlone checks that the suite took back all that it wrote but one ranking.
func (l *local) leftAlone(quicklink string) {
	l.t.Helper()
	l.holds()
	if queue, err := l.Queue(testCustomer, testCrawler); err != nil || len(queue.URLs) > 0 || queue.Active {
		l.t.Errorf("the suite left a queue behind: %v, %v", queue, err)
	}
	for kind, want := range map[wire.Kind]string{wire.KindQuicklink: "[" + quicklink + "]", wire.KindBanner: "[]", wire.KindSynonyms: "[]"} {
		if got := l.storedTools(kind); got != want {
			l.t.Errorf("the suite left %s behind: %s", kind, got)
		}
	}
	rankings, err := tools.All[wire.Ranking](l.Tools, testCustomer, wire.KindRanking)
	if err != nil || len(rankings) != 1 || len(rankings[0].Pages)+len(rankings[0].RankingTerms) > 0 {
		l.t.Errorf("want one ranking of empty lists left, got %v, %v", rankings, err)
	}
}
