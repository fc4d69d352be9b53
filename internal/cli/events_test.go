package cli_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/cli"
)

// eventService answers events one after the other; the last answer stays.
type eventService struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	wrong  []string // calls with another key than the SiteKey, or not JSON
}

func newEventService(t *testing.T, script ...http.HandlerFunc) *eventService {
	s := &eventService{}
	key := "SiteKey " + base64.StdEncoding.EncodeToString([]byte("10000001:7:SearchKey"))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.bodies = append(s.bodies, string(body))
		if r.Header.Get("Authorization") != key || r.Header.Get("Content-Type") != "application/json" {
			s.wrong = append(s.wrong, fmt.Sprint(r.URL, r.Header))
		}
		step := script[min(len(s.bodies), len(script))-1]
		s.mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func replies(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// TestEvents: events go out in order, once each; what ends the sending says how far it
// came and how to go on.
func TestEvents(t *testing.T) {
	t.Parallel()
	const clicks = "\ufeff{\"ls\":\"banner\",\"cloi\":1}\r\n\r\n{\"ls\":\"banner\",\"cloi\":2}\r\n{\"ls\":\"banner\",\"cloi\":3}"
	tracked := replies(200, `{"id":"t-1"}`)
	ctx, cancel := context.WithCancel(t.Context())
	for _, test := range []struct {
		name   string
		args   string
		script []http.HandlerFunc
		code   int
		out    string
		errs   string // "": nothing on standard error
		sent   int
	}{
		{"one", "track query --query a --qid q", []http.HandlerFunc{tracked}, 0, "query sent, ID t-1\n", "", 1},
		{"one as JSON", "track query --query a --qid q --json", []http.HandlerFunc{tracked}, 0, `{"kind":"query","id":"t-1"}` + "\n", "", 1},
		{"feedback", "feedback search --comment a", []http.HandlerFunc{replies(200, `{"value":{"eventId":"v","feedbackId":"f"}}`)}, 0, "feedback sent, ID v, feedbackId f\n", "", 1},
		{"feedback as JSON", "feedback search --comment a --json", []http.HandlerFunc{replies(200, `{"value":{"eventId":"v","feedbackId":"f"}}`)}, 0, `{"kind":"feedback","id":"v","feedbackId":"f"}` + "\n", "", 1},
		{"no body", "feedback summary --summary s --comment a", []http.HandlerFunc{replies(204, "")}, 0, "summary-feedback sent\n", "", 1},
		{"many", "track click -", []http.HandlerFunc{tracked}, 0, "line 1: click sent, ID t-1\nline 3: click sent, ID t-1\nline 4: click sent, ID t-1\n3 sent\n", "", 3},
		{"quietly", "track click - -q", []http.HandlerFunc{tracked}, 0, "", "", 3},
		{"the rest", "track click - --from 4", []http.HandlerFunc{tracked}, 0, "line 4: click sent, ID t-1\n1 sent\n", "", 1},
		{"no rest", "track click - --from 5", []http.HandlerFunc{tracked}, 0, "0 sent\n", "", 0},
		{"many as JSON", "track click - --json --from 3", []http.HandlerFunc{tracked}, 0, `{"kind":"click","line":3,"id":"t-1"}` + "\n" + `{"kind":"click","line":4,"id":"t-1"}` + "\n", "", 2},
		{"refused midway", "track click -", []http.HandlerFunc{tracked, replies(400, `{"message":"no"}`)}, 1, "line 1: click sent, ID t-1\n", "line 3: |1 sent before it; --from 3 continues with it once it is changed, --from 4 leaves it out", 2},
		{"too large midway", "track click -", []http.HandlerFunc{tracked, replies(413, `{"message":"no"}`)}, 1, "line 1: click sent, ID t-1\n", "line 3: |too-large|shorten the event|--from 4 leaves it out", 2},
		{"in doubt midway", "track click - -q", []http.HandlerFunc{tracked, replies(500, ``)}, 1, "line 1: click sent, ID t-1\n", "it may have been recorded|1 sent before it; --from 4 continues after it, --from 3 sends it again", 2},
		{"mismatch", "track click -", []http.HandlerFunc{replies(400, `{"Message":"Site ID does not match customer ID"}`)}, 2, "", "line 1: |mismatch|0 sent before it; --from 1", 1},
		{"unauthorised", "track click -", []http.HandlerFunc{replies(401, `{"message":"unauthorized"}`)}, 2, "", "line 1: |unauthorised|push.customer_id", 1},
		{"interrupted", "track click -", []http.HandlerFunc{tracked, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }}, 130, "line 1: click sent, ID t-1\n", "interrupted: line 3: |--from 4 continues after it", 2},
	} {
		service := newEventService(t, test.script...)
		config := filepath.Join(t.TempDir(), "sitesync.toml")
		text := fmt.Sprintf("[site]\nstart = [\"https://www.example.com/\"]\n[push]\nbase_url = %q\ncustomer_id = 10000001\nengine_id = 7\n", service.URL)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		noKey := func(string) string { return "" }
		code := cli.Run(ctx, append(strings.Fields(test.args), "-c", config), strings.NewReader(clicks), &out, &errs, noKey)
		if code != test.code || out.String() != test.out || (errs.Len() == 0) != (test.errs == "") || len(service.bodies) != test.sent {
			t.Errorf("%s: exit code %d after %d calls\n%s\n%s", test.name, code, len(service.bodies), out.String(), errs.String())
		}
		for _, want := range strings.Split(test.errs, "|") {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%s: no %q in\n%s", test.name, want, errs.String())
			}
		}
		if len(service.wrong) > 0 {
			t.Errorf("%s: %q", test.name, service.wrong)
		}
	}
}
