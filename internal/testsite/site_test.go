package testsite

import (
	"io"
	"net/http"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	MaybeServe()
	os.Exit(m.Run())
}

// reply is an answer read to its end.
type reply struct {
	status int
	header http.Header
	body   string
	err    error // of the body
}

// get asks for a path with headers in pairs. It follows no redirect and
// inflates nothing.
func get(t *testing.T, url string, headers ...string) reply {
	t.Helper()
	answer, err := ask(t, url, headers...)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(body), err}
}

func ask(t *testing.T, url string, headers ...string) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	return client.RoundTrip(request)
}

func newSite(t *testing.T) *Site {
	s := New()
	t.Cleanup(s.Close)
	return s
}

func TestValidators(t *testing.T) {
	s := newSite(t)
	s.HTML("/", "Home", "<p>one</p>")
	first := get(t, s.URL()+"/").header
	tag, date := first.Get("ETag"), first.Get("Last-Modified")
	if tag == "" || date == "" {
		t.Fatalf("no validators: %v", first)
	}
	expect := func(want int, headers ...string) {
		t.Helper()
		if got := get(t, s.URL()+"/", headers...); got.status != want || want == 304 && got.body != "" {
			t.Errorf("with %q: status %d, want %d", headers, got.status, want)
		}
	}
	expect(304, "If-None-Match", tag)
	expect(304, "If-None-Match", `"other", `+tag, "Accept-Encoding", "gzip")
	expect(304, "If-Modified-Since", date)
	expect(200, "If-None-Match", `"other"`, "If-Modified-Since", date)
	expect(200, "If-Modified-Since", "yesterday")

	if err := s.Edit("/", "one", "two"); err != nil {
		t.Fatal(err)
	}
	expect(200, "If-None-Match", tag)
	expect(200, "If-Modified-Since", date)
	if err := s.Edit("/", "one", "two"); err == nil {
		t.Error("edit of a text that is not there gave no error")
	}
	if err := s.Edit("/none", "", ""); err == nil {
		t.Error("edit of a page that is not there gave no error")
	}

	s.Validators(false)
	if got := get(t, s.URL()+"/", "If-None-Match", "*"); got.status != 200 || got.header.Get("ETag")+got.header.Get("Last-Modified") != "" {
		t.Errorf("without validators: %d %v", got.status, got.header)
	}
}
