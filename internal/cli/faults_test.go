package cli_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/cli"
	"sitesync/internal/wire"
	"sitesync/push"
)

var allFaults = flag.Bool("faults.all", false, "TestFaultAtEveryCall tries each spread of each fault at each call, not one of them at every third; TestToolsInterrupted interrupts each call, not every third")

// A fault answers one call in the service's place, or in its way.
type fault func(s http.Handler, w http.ResponseWriter, r *http.Request)

// apiFaults are what can become of a call. A nil one never arrives: its connection
// is refused.
var apiFaults = map[string]fault{
	"refused":               nil,
	"reset before applying": func(_ http.Handler, w http.ResponseWriter, _ *http.Request) { reset(w) },
	"applied, then reset": func(s http.Handler, w http.ResponseWriter, r *http.Request) {
		carryOut(s, r)
		reset(w)
	},
	"hang": func(_ http.Handler, _ http.ResponseWriter, r *http.Request) { hang(r) },
	"applied, then hang": func(s http.Handler, _ http.ResponseWriter, r *http.Request) {
		carryOut(s, r)
		hang(r)
	},
	"401":                   says(401, `{"message":"Unauthorized"}`),
	"403":                   says(403, ``),
	"unauthorised as 400":   says(400, `{"message":"unauthorized"}`),
	"400":                   says(400, `{"message":"bad request"}`),
	"404":                   says(404, `not here`),
	"413":                   says(413, ``),
	"429 for a while":       says(429, ``, "Retry-After", "1"),
	"429 until a past date": says(429, ``, "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),
	"429 for ages":          says(429, ``, "Retry-After", "99999999999999999999"),
	"500":                   says(500, `{"status":"InternalServerError","code":500,"messages":["reference 1"]}`),
	"500 after applying": func(s http.Handler, w http.ResponseWriter, r *http.Request) {
		carryOut(s, r)
		w.WriteHeader(500)
	},
	"503":         says(503, `<h1>Service Unavailable</h1>`),
	"failed rows": failRows,
	"cut JSON": func(s http.Handler, w http.ResponseWriter, r *http.Request) {
		body := carryOut(s, r)
		_, _ = w.Write(body[:len(body)/2])
	},
	"cut JSON of what was not applied": says(200, `[{"success":tr`),
	"cut answer": func(s http.Handler, w http.ResponseWriter, r *http.Request) {
		body := carryOut(s, r)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		_, _ = w.Write(body[:len(body)/2])
	},
	"empty 200": func(s http.Handler, _ http.ResponseWriter, r *http.Request) { carryOut(s, r) },
}

func says(status int, body string, header ...string) fault {
	return func(_ http.Handler, w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// carryOut makes the call and returns the body of the answer, which nobody got.
func carryOut(s http.Handler, r *http.Request) []byte {
	answer := httptest.NewRecorder()
	s.ServeHTTP(answer, r)
	return answer.Body.Bytes()
}

// hang waits until the client gives up.
func hang(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that
	<-r.Context().Done()
}

// reset ends the connection as a machine does that knows nothing of it.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// failRows refuses each document by its row, and applies none.
func failRows(_ http.Handler, w http.ResponseWriter, r *http.Request) {
	var docs []wire.Document
	if err := json.NewDecoder(r.Body).Decode(&docs); err != nil {
		_, _ = io.WriteString(w, `{"failed":1,"reason":"busy"}`)
		return
	}
	var rows []string
	for _, doc := range docs {
		rows = append(rows, fmt.Sprintf(`{"document":{"id":%q},"success":false,"reason":"busy"}`, doc.ID))
	}
	_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
}

// spreads say how long a fault lasts: for one call, for the same call however often
// it is tried, or from there on.
var spreads = map[string]func(n, at int, same bool) bool{
	"once":     func(n, at int, _ bool) bool { return n == at },
	"each try": func(n, at int, same bool) bool { return n == at || n > at && same },
	"from on":  func(n, at int, _ bool) bool { return n >= at },
}

// Whatever becomes of whichever call: what the site has stays in the index meanwhile,
// the exit code is not 0 unless all was done, and after one clean run the index holds
// exactly the site.
func TestFaultAtEveryCall(t *testing.T) {
	lasting := slices.Sorted(maps.Keys(spreads))
	for i, name := range slices.Sorted(maps.Keys(apiFaults)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVillage(t)
			v.restore(t)
			if code, out := v.sync(t); code != 0 {
				t.Fatalf("a run without faults: exit code %d\n%s", code, out)
			}
			v.compare(t, "village.db", "no fault")
			calls := v.front.n
			if calls < 9 {
				t.Fatalf("%d calls; 9 or more were to be tried", calls)
			}
			for at := 1; at <= calls; at++ {
				if testing.Short() && at%4 != 1 {
					continue
				}
				for j, spread := range lasting {
					if turn := i + at; *allFaults || turn%3 == 0 && j == turn/3%len(lasting) {
						v.strike(t, at, apiFaults[name], spread)
					}
				}
			}
		})
	}
}

// strike has one run with a fault, and one without.
func (v *village) strike(t *testing.T, at int, f fault, spread string) {
	t.Helper()
	what := fmt.Sprintf("call %d, %s", at, spread)
	v.restore(t)
	v.front.at, v.front.fault, v.front.strike = at, f, spreads[spread]
	code, out := v.sync(t)
	if t.Failed() {
		t.Fatalf("%s: exit code %d\n%s", what, code, out)
	}
	if code == 0 {
		v.compare(t, "village.db", what+", which ended with exit code 0")
	}
	v.front.strike = nil
	if code, out := v.sync(t); code != 0 {
		t.Fatalf("%s, then a clean run: exit code %d\n%s", what, code, out)
	}
	v.compare(t, "village.db", what)
}

// sync has one run, whose client is less patient.
func (v *village) sync(t *testing.T) (int, string) {
	var out bytes.Buffer
	getenv := func(name string) string { return map[string]string{"SITESYNC_API_KEY": apiKey}[name] }
	v.front.n = 0
	code := cli.RunTuned(t.Context(), []string{"sync", "-c", v.config}, &out, getenv, func(o *push.Options) {
		o.Transport, o.After = v.front, func(time.Duration) <-chan time.Time { return time.After(0) }
		if v.front.strike != nil {
			o.Timeout = 100 * time.Millisecond
		}
	})
	return code, out.String()
}
