package testsite

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

func inflate(t *testing.T, packed string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestFaults(t *testing.T) {
	const page = "<p>a plain page</p>"
	for _, test := range []struct {
		name          string
		fault         Fault
		status        int
		header, value string
		body          string
	}{
		{"status", Status(503, "120"), 503, "Retry-After", "120", "Service Unavailable"},
		{"status alone", Status(500, ""), 500, "Retry-After", "", "Internal Server Error"},
		{"say", Say(200, "Parked", "This domain is for sale."), 200, "ETag", "", "<p>This domain is for sale.</p>"},
		{"maintenance", Maintenance(), 503, "ETag", "", "maintenance"},
		{"login", LoginWall(), 302, "Location", "/login", ""},
		{"auth", BasicAuth("u", "p"), 401, "WWW-Authenticate", `Basic realm="staging"`, "Sign in"},
		{"charset", Header("Content-Type", "text/html; charset=utf-16"), 200, "Content-Type", "text/html; charset=utf-16", page},
		{"odd bytes", Header("X-Note", "caf\xe9\xff"), 200, "X-Note", "caf\xe9\xff", page},
		{"no header", Header("Content-Type", ""), 200, "Content-Type", "", page},
		{"oversize", Oversize(100_000), 200, "Content-Length", "100000", page + page},
		{"times", Times(0, Status(500, "")), 200, "", "", page},
		{"after", After(0, Status(500, "")), 500, "", "", ""},
	} {
		s := newSite(t)
		s.Set("/a", Page{Body: page})
		s.Fault("/a", test.fault)
		got := get(t, s.URL()+"/a")
		if got.err != nil || got.status != test.status || got.header.Get(test.header) != test.value || !strings.Contains(got.body, test.body) {
			t.Errorf("%s: got %d, %s %q, body %q, %v", test.name, got.status, test.header, got.header.Get(test.header), got.body, got.err)
		}
		s.Heal("/a")
		if got := get(t, s.URL()+"/a"); got.status != 200 || got.body != page {
			t.Errorf("%s: healed page answered %d %q", test.name, got.status, got.body)
		}
	}
}

// TestControlCharacters reads the answer's bytes, as Go's own client refuses
// such headers.
func TestControlCharacters(t *testing.T) {
	s := newSite(t)
	s.Fault("/", Header("X-Note", "\x1b[2J\x01"))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(conn); err != nil || !bytes.Contains(answer, []byte("X-Note: \x1b[2J\x01\r\n")) {
		t.Errorf("got %q, %v", answer, err)
	}
}

func TestFaultPatterns(t *testing.T) {
	s := newSite(t)
	s.Fault("/news/*", Header("X-First", "1"), Header("X-Second", "1"))
	s.Fault("*", Status(500, ""))
	s.Fault("/news/a", Times(2, Status(410, "")))
	for _, test := range []struct {
		path string
		want int
	}{{"/news/a", 410}, {"/news/a", 410}, {"/news/a", 500}, {"/news/", 500}, {"/news", 500}} {
		if got := get(t, s.URL()+test.path).status; got != test.want {
			t.Errorf("%s answered %d, want %d", test.path, got, test.want)
		}
	}
	s.Heal("*")
	if got := get(t, s.URL()+"/news/b"); got.status != 404 || got.header.Get("X-First")+got.header.Get("X-Second") != "11" {
		t.Errorf("got %d %v", got.status, got.header)
	}
	if got := get(t, s.URL()+"/news"); got.header.Get("X-First") != "" {
		t.Error("a prefix matched a path that does not begin so")
	}
}

func TestLoginForm(t *testing.T) {
	s := newSite(t)
	s.Fault("*", LoginWall())
	if got := get(t, s.URL()+"/login"); got.status != 200 || !strings.Contains(got.body, `type="password"`) {
		t.Errorf("got %d %q", got.status, got.body)
	}
	s.Fault("*", BasicAuth("u", "p"))
	s.Set("/", Page{Body: "inside"})
	if got := get(t, s.URL()+"/", "Authorization", "Basic dTpw"); got.body != "inside" {
		t.Errorf("with credentials: got %d %q", got.status, got.body)
	}
}

func TestCutBodies(t *testing.T) {
	for name, fault := range map[string]Fault{"cut": Cut(4), "cut at nothing": Cut(0), "reset": Reset(4), "cut beyond the end": Cut(100)} {
		s := newSite(t)
		s.Set("/", Page{Body: "0123456789"})
		s.Fault("/", fault)
		answer, err := ask(t, s.URL()+"/", "Accept-Encoding", "gzip")
		if err != nil { // some systems drop what came before a reset
			continue
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err == nil || !strings.HasPrefix("0123456789", string(body)) {
			t.Errorf("%s: got %q, %v", name, body, err)
		}
	}
}

func TestResetBeforeHeaders(t *testing.T) {
	s := newSite(t)
	s.Fault("*", Reset(-1))
	if _, err := ask(t, s.URL()+"/"); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("got %v, want a connection reset", err)
	}
}

func TestEndless(t *testing.T) {
	s := newSite(t)
	s.Set("/", Page{Body: "again "})
	s.Fault("/", Endless())
	answer, err := ask(t, s.URL()+"/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	const enough = 3 << 20
	if n, err := io.CopyN(io.Discard, answer.Body, enough); n != enough || answer.ContentLength != -1 {
		t.Errorf("read %d bytes of %d announced, %v", n, answer.ContentLength, err)
	}
}

func TestBomb(t *testing.T) {
	s := newSite(t)
	s.Set("/", Page{Body: "harmless"})
	const size = 20<<20 + 7
	s.Fault("/", Bomb(size))
	got := get(t, s.URL()+"/")
	if got.header.Get("Content-Encoding") != "gzip" || len(got.body) > size/800 {
		t.Errorf("sent %d bytes with %v", len(got.body), got.header)
	}
	if plain := inflate(t, got.body); len(plain) != size || strings.Trim(plain, " ") != "" {
		t.Errorf("inflated to %d bytes", len(plain))
	}
}

func TestHold(t *testing.T) {
	s := newSite(t)
	s.Set("/", Page{Body: "late"})
	gate := make(chan struct{})
	s.Fault("/", Hold(gate))
	done := make(chan error)
	go func() {
		_, err := ask(t, s.URL()+"/")
		done <- err
	}()
	if err := s.Await(t.Context(), "/", 1); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		t.Fatalf("answered while held: %v", err)
	default:
	}
	if status := s.Requests()[0].Status; status != 0 {
		t.Errorf("a held request has status %d", status)
	}
	close(gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestDrip(t *testing.T) {
	s := newSite(t)
	s.Set("/", Page{Body: "0123456789"})
	gate := make(chan struct{})
	s.Fault("/", Drip(4, gate))
	answer, err := ask(t, s.URL()+"/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	part := make([]byte, 4)
	gate <- struct{}{}
	if _, err := io.ReadFull(answer.Body, part); err != nil || !bytes.Equal(part, []byte("0123")) {
		t.Errorf("first part: %q, %v", part, err)
	}
	close(gate)
	if rest, err := io.ReadAll(answer.Body); err != nil || string(rest) != "456789" {
		t.Errorf("the rest: %q, %v", rest, err)
	}
}

func TestCloseFreesHeldRequests(t *testing.T) {
	s := New()
	s.Fault("*", Hold(nil))
	done := make(chan error)
	go func() {
		_, err := ask(t, s.URL()+"/")
		done <- err
	}()
	if err := s.Await(t.Context(), "/", 1); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := <-done; err == nil {
		t.Error("a closed site answered")
	}
}
