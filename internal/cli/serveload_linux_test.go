package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	maxServeMB   = 300       // anonymous memory of the service
	eventsOnDisk = 300 << 20 // of the store's file: 100 MB of events, and the pages they leave behind
)

// TestServeUnderStrangers: 200 searches at once, 1,000 clients that do not read, 500 that
// do not write and a flood of feedback leave the service below 300 MB of memory, with its
// file bounded and ordinary calls answered.
func TestServeUnderStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes memory of its own")
	}
	t.Parallel()
	url, serving := serveApart(t, "sitesync")
	s := served(url)
	for batch := range 20 {
		var docs []string
		for i := range 20 {
			text, _ := json.Marshal(fmt.Sprintf("opening hours of house %d. %s", batch*20+i, strings.Repeat("the common words of every page ", 600)))
			docs = append(docs, fmt.Sprintf(`{"id":"https://x.test/%d","fields":{"Title":"house %d","Content":%s}}`, batch*20+i, i, text))
		}
		s.ask(t, "PUT", "/api/v4/10000001/index/site/documents", "["+strings.Join(docs, ",")+"]")
	}
	var most atomic.Uint64
	watch, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		for tick := time.NewTicker(20 * time.Millisecond); watch.Err() == nil; <-tick.C {
			most.Store(max(most.Load(), uint64(anonymousMB(strconv.Itoa(serving.Process.Pid)))))
		}
	})
	const whole, short = `{"query":"common words","perPage":100}`, `{"query":"opening hours","fields":["Title"]}`
	s.crowd(t, 1000, "POST /api/v4/10000001/7/search HTTP/1.1\r\n", whole)
	s.crowd(t, 500, "POST /api/v4/10000001/7/search HTTP/1.1\r\n", whole[:10]) // never send the rest
	s.ask(t, "POST", "/api/v4/10000001/7/search", short)
	answers := s.together(t, 200, "/api/v4/10000001/7/search", strings.Replace(whole, "}", `,"fields":["Title"]}`, 1))
	if answers[200]+answers[503] != 200 || answers[200] == 0 {
		t.Errorf("200 searches at once are answered %v", answers)
	}
	feedback, sent := `{"comment":"`+strings.Repeat("x", 60_000)+`"}`, map[int]int{}
	for len(sent) < 2 {
		for status, n := range s.together(t, 100, "/api/v4/10000001/7/feedback", feedback) {
			sent[status] += n
		}
		s.ask(t, "POST", "/api/v4/10000001/7/search", short)
	}
	if sent[200] == 0 || sent[429] == 0 || len(sent) != 2 {
		t.Errorf("a flood of feedback is answered %v", sent)
	}
	stop()
	watching.Wait()
	t.Logf("at most %d MB of anonymous memory", most.Load())
	info, err := os.Stat(filepath.Join(serving.Dir, "service.db"))
	if err != nil || most.Load() > maxServeMB || most.Load() == 0 || info.Size() > eventsOnDisk {
		t.Errorf("%d MB of memory, %v on disk, %v", most.Load(), info, err)
	}
}

// served is the address of a process that runs serve.
type served string

func (s served) request(method, path, body string) (*http.Response, error) {
	req, err := http.NewRequest(method, string(s)+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("10000001", "local")
	return http.DefaultClient.Do(req)
}

// ask is an ordinary call, made again where the service is busy.
func (s served) ask(t *testing.T, method, path, body string) {
	t.Helper()
	for try := 1; ; try++ {
		resp, err := s.request(method, path, body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return
		}
		if resp.StatusCode != http.StatusServiceUnavailable || try == 5 {
			t.Fatalf("%s %s is answered %s", method, path, resp.Status)
		}
	}
}

// together makes n calls at once and counts their statuses.
func (s served) together(t *testing.T, n int, path, body string) map[int]int {
	t.Helper()
	var mu sync.Mutex
	counts := map[int]int{}
	var group errgroup.Group
	for range n {
		group.Go(func() error {
			resp, err := s.request("POST", path, body)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			mu.Lock()
			defer mu.Unlock()
			counts[resp.StatusCode]++
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return counts
}

// crowd opens n connections that send a body, or a part of it, and read nothing.
func (s served) crowd(t *testing.T, n int, line, body string) {
	t.Helper()
	host := strings.TrimPrefix(string(s), "http://")
	for range n {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		_ = conn.(*net.TCPConn).SetReadBuffer(1024)
		fmt.Fprintf(conn, "%sHost: %s\r\nAuthorization: Basic MTAwMDAwMDE6bG9jYWw=\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", line, host, len(`{"query":"common words","perPage":100}`), body)
	}
}
