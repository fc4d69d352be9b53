package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitesync/internal/cli"
	"sitesync/internal/service"
	"sitesync/push"
)

const (
	toolsBefore = `
ranking = [{ name = "R", terms = ["a"], pages = [{ url = "https://www.example.com/a" }] }, { name = "Gone", terms = ["a"], pages = [{ url = "https://www.example.com/a" }] }]
banner = [{ name = "B", html = "<p>1</p>" }, { name = "Gone", html = "<p>1</p>" }]
synonyms = [{ name = "s", words = ["a", "b"] }, { name = "gone", words = ["x", "y"] }]
`
	toolsAfter = `
ranking = [{ name = "R", terms = ["b"], pages = [{ url = "https://www.example.com/b" }] }, { name = "N", terms = ["a"], pages = [{ url = "https://www.example.com/a" }] }]
banner = [{ name = "B", html = "<p>2</p>" }, { name = "N", html = "<p>1</p>", from = 2026-01-01T00:00:00Z }]
synonyms = [{ name = "s", words = ["a", "c"] }, { name = "n", words = ["d", "e"] }]
`
)

// interruption ends the program at one call of many: before it, on the way of its
// answer, or right after it.
type interruption struct {
	at, n  int
	when   string
	cancel context.CancelFunc
}

func (i *interruption) RoundTrip(r *http.Request) (*http.Response, error) {
	i.n++
	if i.n != i.at {
		return http.DefaultTransport.RoundTrip(r)
	}
	defer i.cancel()
	if i.when == "before" {
		return nil, context.Canceled
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if i.when == "answer lost" && err == nil {
		answer.Body.Close()
		return nil, context.Canceled
	}
	return answer, err
}

// Wherever apply is ended: nothing is made twice, and the next apply ends in the same
// state, except for creates that only the owner can look for.
func TestToolsInterrupted(t *testing.T) {
	t.Parallel()
	for _, extended := range []bool{false, true} {
		for i, when := range []string{"before", "answer lost", "right after"} {
			t.Run(fmt.Sprintf("extended=%v,%s", extended, when), func(t *testing.T) {
				t.Parallel()
				calm := newHut(t, extended)
				calm.apply(t, toolsBefore, nil)
				calm.apply(t, toolsAfter, nil)
				want, calls := calm.held(t), 3
				first, step := 1, 1
				if !*allFaults { // together the three ways meet each call
					first, step = 1+i, 3
				}
				for at := first; at <= calls; at += step {
					h := newHut(t, extended)
					h.apply(t, toolsBefore, nil)
					ctx, cancel := context.WithCancel(t.Context())
					cut := &interruption{at: at, when: when, cancel: cancel}
					h.run(ctx, t, toolsAfter, cut)
					if cancel(); cut.n < at {
						break // no call is left to be interrupted
					}
					calls = at + step
					h.settle(t, at, want)
				}
				if calls < 12 {
					t.Errorf("apply made %d calls", calls-1)
				}
			})
		}
	}
}

// hut is a place with a service, a configuration and a ledger.
type hut struct {
	dir      string
	extended bool
	service  *service.Service
	server   *httptest.Server
}

func newHut(t *testing.T, extended bool) *hut {
	h := &hut{dir: t.TempDir(), extended: extended}
	h.open(t, extended)
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.service.ServeHTTP(w, r) }))
	t.Cleanup(func() { h.server.Close(); h.service.Close() })
	text := fmt.Sprintf("[site]\nstart = ['https://www.example.com/']\n[push]\nbase_url = %q\ncustomer_id = %d\nengine_id = 7\ncrawler_id = 'c'\napi_key = %q\n", h.server.URL, customer, apiKey)
	h.write(t, "sitesync.toml", text)
	return h
}

func (h *hut) open(t *testing.T, extended bool) {
	var err error
	h.service, err = service.Open(service.Options{Path: filepath.Join(h.dir, "service.db"), CustomerID: customer, APIKey: apiKey, Extended: extended})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *hut) write(t *testing.T, name, text string) {
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (h *hut) run(ctx context.Context, t *testing.T, file string, transport http.RoundTripper, flags ...string) (int, string) {
	h.write(t, "tools.toml", file)
	var out bytes.Buffer
	args := append([]string{"tools", "apply", "-c", filepath.Join(h.dir, "sitesync.toml")}, flags...)
	code := cli.RunTuned(ctx, args, &out, func(string) string { return "" }, func(o *push.Options) { o.Transport = transport })
	return code, out.String()
}

func (h *hut) apply(t *testing.T, file string, transport http.RoundTripper) {
	t.Helper()
	if code, out := h.run(t.Context(), t, file, transport); code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
}

// settle applies again, and compares what the service holds in the end. A create of
// which no answer came is asked for again, as an owner would who did not find it; what
// it may have made, a banner that is still disabled among them, is the owner's to delete.
func (h *hut) settle(t *testing.T, at int, want []string) {
	code, out := h.run(t.Context(), t, toolsAfter, nil)
	got := h.held(t)
	if code == 4 {
		if len(slices.Compact(slices.Clone(got))) < len(got) {
			t.Errorf("call %d: made twice:\n%s", at, strings.Join(got, "\n"))
		}
		code, out = h.run(t.Context(), t, toolsAfter, nil, "--retry-unknown")
		got = slices.DeleteFunc(slices.Compact(h.held(t)), func(tool string) bool { return strings.Contains(tool, `"isDisabled":true`) })
	}
	if code != 0 || !slices.Equal(got, want) {
		t.Errorf("call %d: exit code %d: %s; the service holds\n%s\nand should hold\n%s", at, code, out, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

var toolID = regexp.MustCompile(`"(id|groupId)":[0-9]+,`)

// held returns what the service holds, without IDs.
func (h *hut) held(t *testing.T) (all []string) {
	h.service.Close()
	h.open(t, true)
	for _, path := range []string{"/api/rankings/site/7", "/api/banners/site/7", "/api/synonymsgroup/en"} {
		r, err := http.NewRequest(http.MethodGet, h.server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(strconv.Itoa(customer), apiKey)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var list []json.RawMessage
		err = json.NewDecoder(answer.Body).Decode(&list)
		if answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		for _, tool := range list {
			all = append(all, toolID.ReplaceAllString(string(tool), ""))
		}
	}
	h.service.Close()
	h.open(t, h.extended)
	slices.Sort(all)
	return all
}
