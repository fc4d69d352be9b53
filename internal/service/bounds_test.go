package service

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sitesync/internal/wire"
)

const (
	ownDocuments = "/_/crawlers/10000001/crawler-1/documents"
	ownEvents    = "/_/events/10000001/7"
)

// raw opens a connection and sends a request with Basic credentials, all but the end of
// its body.
func (l *local) raw(method, path, body string, missing int) net.Conn {
	l.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(1024)
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		method, path, conn.RemoteAddr(), rightBasic, len(body)+missing, body)
	return conn
}

// untilServed repeats a call until it is no longer answered 503, and returns how often it
// was.
func (l *local) untilServed(method, path, body string) (busy int) {
	l.t.Helper()
	for ; ; busy++ {
		got := l.call(method, path, body)
		if got.err != nil || got.status != http.StatusOK && got.status != http.StatusServiceUnavailable {
			l.t.Fatalf("%s %s: %+v", method, path, got)
		}
		if got.status == http.StatusOK {
			return busy
		}
		if got.header.Get("Retry-After") != "1" || !strings.HasPrefix(got.body, `{"message":"`) {
			l.t.Fatalf("503 with %v %s", got.header, got.body)
		}
	}
}

// TestLongQuestions: no search reads more than 8 KB, and no request a longer header.
func TestLongQuestions(t *testing.T) {
	l := open(t, Options{})
	for _, path := range []string{searchPath, searchPath + "/answer", searchPath + "/summarize", "/api/v3/10000001/7/search"} {
		l.want(413, "POST", path, `{"query":"a"`+strings.Repeat(" ", 8<<10)+`}`)
		l.want(200, "POST", path, `{"query":"a"`+strings.Repeat(" ", 8<<10-13)+`}`)
	}
	if got := l.call("GET", completePath+"?query="+strings.Repeat("a", 32<<10), ""); got.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a long header is answered %+v", got)
	}
}

// TestSearchesTakeTime: no search works longer than the bound.
func TestSearchesTakeTime(t *testing.T) {
	l := open(t, Options{Bounds: Bounds{Work: time.Nanosecond}})
	l.put(testCrawler, page("a", "Title=t"))
	for _, path := range []string{searchPath, searchPath + "/answer", searchPath + "/summarize"} {
		if got := l.want(503, "POST", path, `{"query":"t"}`); !strings.Contains(got, "too long") && !strings.Contains(got, "is being made") {
			t.Errorf("%s: %s", path, got)
		}
	}
	l.want(503, "GET", completePath+"?query=t", "")
}

// TestSlowClients: who does not read a long answer keeps others from no more than such answers,
// and that for a while.
func TestSlowClients(t *testing.T) {
	options := Options{Path: filepath.Join(t.TempDir(), "service.db"), Bounds: Bounds{Held: 4 << 20, Wait: time.Millisecond, Send: time.Hour}}
	l := open(t, options)
	for i := range 6 {
		// The room of a request is free again only after its client has the answer.
		l.untilServed("PUT", documents, "["+page(fmt.Sprint(i), "Title=word", "Content="+strings.Repeat(" ", 2_000_000))+"]")
	}
	slow := func() net.Conn {
		for {
			conn, status := l.raw("GET", ownDocuments, "", 0), make([]byte, len("HTTP/1.1 200"))
			if _, err := io.ReadFull(conn, status); err != nil {
				t.Fatal(err)
			}
			if bytes.HasSuffix(status, []byte("200")) { // its answer is on the way, and the one before it is sent
				return conn
			}
		}
	}
	first := slow()
	if got := l.call("GET", ownDocuments, ""); got.status != http.StatusServiceUnavailable {
		t.Errorf("two lists are sent at once: %d", got.status)
	}
	l.want(200, "POST", searchPath, `{"query":"word","fields":["Title"]}`)
	first.Close()
	l.untilServed("GET", ownDocuments+"?after=4", "")

	l.end()
	options.Bounds.Send = 100 * time.Millisecond
	l = open(t, options)
	slow()
	l.untilServed("GET", ownDocuments+"?after=4", "")
}

// TestConnections: one more than the bound waits until another ends.
func TestConnections(t *testing.T) {
	l := open(t, Options{Bounds: Bounds{Connections: 1}})
	first := l.raw("PUT", documents, "[", 1)
	second := l.raw("GET", "/_/openapi.json", "", 0)
	_ = second.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := second.Read(make([]byte, 1)); n > 0 || !os.IsTimeout(err) {
		t.Errorf("two connections are served: %d bytes, %v", n, err)
	}
	first.Close()
	_ = second.SetReadDeadline(time.Time{})
	if _, err := http.ReadResponse(bufio.NewReader(second), nil); err != nil {
		t.Error(err)
	}
}

// TestAnswersHaveRoom: documents of any length are found; beyond 4 MB of texts each value
// keeps 1,000 bytes.
func TestAnswersHaveRoom(t *testing.T) {
	l := open(t, Options{})
	for i := range 6 {
		l.put(testCrawler, page(fmt.Sprint(i), fmt.Sprintf("Title=title %d", i), "Content="+strings.Repeat("é ", 500_000)))
	}
	answer := l.search(`{"query":"title","fields":["Title","Content"]}`)
	lengths := 0
	for _, doc := range answer.TypedDocuments {
		n := len(doc.Fields["Content"].Value)
		if lengths += n; n < 999 || doc.Fields["Title"].Value != "title "+doc.ID {
			t.Errorf("document %s is answered with %d bytes and %q", doc.ID, n, doc.Fields["Title"].Value)
		}
	}
	if len(answer.TypedDocuments) != 6 || lengths < 4<<20-10 || lengths > 4<<20+6000 {
		t.Errorf("%d documents are answered with %d bytes", len(answer.TypedDocuments), lengths)
	}
}

// TestListsArePaged: a page of long documents ends early, and the next one begins after an ID.
func TestListsArePaged(t *testing.T) {
	l := open(t, Options{})
	for i := range 6 {
		l.put(testCrawler, page(fmt.Sprint(i), "Content="+strings.Repeat("x", 1_000_000)))
		l.as("", "POST", eventPaths[wire.EventFeedback], `{"comment":"`+fmt.Sprint(i)+`"}`)
	}
	events := l.events(wire.EventFeedback)
	for path, want := range map[string]int{
		ownDocuments: 5, ownDocuments + "?after=4": 1, ownEvents + "?after=" + events[1].ID: 4, ownEvents + "?after=none": 0, ownEvents + "?kind=query": 0,
	} {
		var page []struct{ ID string }
		if err := json.Unmarshal([]byte(l.want(200, "GET", path, "")), &page); err != nil || len(page) != want {
			t.Errorf("%s: a page has %d, not %d, %v", path, len(page), want, err)
		}
	}
	l.want(400, "GET", ownEvents+"?limit=1", "")
}

// TestEventsHaveRoom: beyond their bytes the oldest events leave; the file stays bounded.
func TestEventsHaveRoom(t *testing.T) {
	const room = 200_000
	path := filepath.Join(t.TempDir(), "service.db")
	options := Options{Path: path, Bounds: Bounds{EventBytes: room, EventRate: 1e9}}
	l := open(t, options)
	for _, reopened := range []bool{false, true} {
		if reopened {
			l.end()
			l = open(t, options)
		}
		for i := range 500 {
			body := fmt.Sprintf(`{"comment":"%d %s"}`, i, strings.Repeat("x", i*13%5000))
			if got := l.as("", "POST", eventPaths[wire.EventFeedback], body); got.status != 200 {
				t.Fatalf("%+v", got)
			}
		}
		kept := l.events("")
		if last := kept[len(kept)-1].Event["comment"]; !strings.HasPrefix(last, "499 ") || len(kept) < 20 || len(kept) > 400 {
			t.Errorf("%d events are kept, the last %.10s", len(kept), last)
		}
		if size := len(l.want(200, "GET", ownEvents, "")); size > room+len(kept)+2 || size < room/2 {
			t.Errorf("%d bytes of events are kept", size)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 4*room {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
}

// TestEventsComeInTurn: 10 minutes of a flood record what the rate lets in, the rest is
// answered 429.
func TestEventsComeInTurn(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := open(t, Options{Bounds: Bounds{EventRate: 0.5}, Now: func() time.Time { return now }})
	counts := map[int]int{}
	for range 10 * 60 {
		now = now.Add(time.Second)
		for _, path := range []string{eventPaths[wire.EventFeedback], eventPaths[wire.EventQuery]} {
			got := l.as(rightSiteKey, "POST", path, `{"sw":"a","qid":"b"}`)
			if counts[got.status]++; got.status == 429 && got.header.Get("Retry-After") != "1" {
				t.Fatalf("%+v", got)
			}
		}
	}
	if counts[200] < 300 || counts[200] > 302 || counts[200]+counts[429] != 1200 || len(l.events("")) != counts[200] {
		t.Errorf("%v by status, %d recorded", counts, len(l.events("")))
	}
}

// TestFilesAreTheirOwners: nobody else may read what is stored.
func TestFilesAreTheirOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes")
	}
	dir := t.TempDir()
	l := open(t, Options{Path: filepath.Join(dir, "service.db")})
	for i := range 30 {
		l.put(testCrawler, page(fmt.Sprint(i), "Title=t"))
	}
	l.search("t")
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := entry.Info()
		files++
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		return err
	})
	if err != nil || files != 4 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestFieldsOfADocument: a row with more fields than the bound fails, by PUT and by PATCH.
func TestFieldsOfADocument(t *testing.T) {
	l := open(t, Options{})
	fields := func(prefix string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprint(prefix, i, "=v"))
		}
		return all
	}
	l.put(testCrawler, page("a", fields("f", 1000)...))
	for method, id := range map[string]string{"PUT": "b", "PATCH": "a"} {
		n := map[string]int{"PUT": 1001, "PATCH": 1}[method]
		got := l.want(200, method, documents, "["+page(id, fields("g", n)...)+"]")
		if !strings.Contains(got, `"reason":"the document has more than 1000 fields","success":false`) {
			t.Errorf("%s: %.200s", method, got[max(0, len(got)-200):])
		}
	}
	l.finds("*", "a")
}
