package testsite

import (
	"io"
	"net/http"
	"os"
	"strings"
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

func TestPages(t *testing.T) {
	s := newSite(t)
	s.HTML("/", "Fish & chips", "<p>Welcome.</p>", "/a%2Fb", "/a?x=1&y=2")
	s.Set("/a%2Fb", Page{Body: "escaped"})
	s.Set("/a/b", Page{Body: "two segments"})
	s.Set("/a?x=1&y=2", Page{Body: "query"})
	s.Set("/gone", Page{Status: http.StatusGone})
	s.Set("/file.pdf", Page{Body: "%PDF-1.7"})
	s.Set("/latin", Page{Body: "s\xf8", Header: map[string]string{"Content-Type": "text/html; charset=iso-8859-1"}})
	s.Set("/untyped", Page{Body: "<p>", Header: map[string]string{"Content-Type": ""}})
	s.Redirect("/old", "/a/b", http.StatusMovedPermanently)
	s.Robots("User-agent: *\nDisallow: /private/\n")

	for _, test := range []struct {
		path, header, value, body string
		status                    int
	}{
		{"/", "Content-Type", "text/html; charset=utf-8", "<h1>Fish &amp; chips</h1>", 200},
		{"/", "Content-Type", "text/html; charset=utf-8", `<a href="/a?x=1&amp;y=2">`, 200},
		{"/a%2Fb", "Content-Encoding", "", "escaped", 200},
		{"/a/b", "Content-Length", "12", "two segments", 200},
		{"/a?x=1&y=2", "Location", "", "query", 200},
		{"/a?y=2&x=1", "ETag", "", "nothing at this address", 404},
		{"/gone", "ETag", "", "", 410},
		{"/file.pdf", "Content-Type", "application/pdf", "%PDF", 200},
		{"/latin", "Content-Type", "text/html; charset=iso-8859-1", "s\xf8", 200},
		{"/untyped", "Content-Type", "", "<p>", 200},
		{"/old", "Location", "/a/b", "", 301},
		{"/robots.txt", "Content-Type", "text/plain; charset=utf-8", "Disallow", 200},
	} {
		got := get(t, s.URL()+test.path)
		if got.status != test.status || got.header.Get(test.header) != test.value || !strings.Contains(got.body, test.body) {
			t.Errorf("%s: got %d, %s %q, body %q", test.path, got.status, test.header, got.header.Get(test.header), got.body)
		}
	}

	s.Remove("/a/b")
	if got := get(t, s.URL()+"/a/b").status; got != 404 {
		t.Errorf("removed page answered %d", got)
	}
	s.Soft404(true)
	if got := get(t, s.URL()+"/a/b"); got.status != 200 || !strings.Contains(got.body, "Page not found") {
		t.Errorf("soft not-found page answered %d %q", got.status, got.body)
	}
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

func TestGzip(t *testing.T) {
	s := newSite(t)
	s.HTML("/", "Home", strings.Repeat("<p>one</p>", 100))
	s.Set("/file.pdf", Page{Body: "%PDF-1.7"})
	s.Set("/sitemap.xml.gz", Page{Body: Gzip("<urlset/>")})
	plain := get(t, s.URL()+"/").body
	packed := get(t, s.URL()+"/", "Accept-Encoding", "br, gzip")
	if got := inflate(t, packed.body); packed.header.Get("Content-Encoding") != "gzip" || got != plain {
		t.Errorf("gzip of %q gave %q with %v", plain, got, packed.header)
	}
	for _, path := range []string{"/file.pdf", "/sitemap.xml.gz"} {
		if got := get(t, s.URL()+path, "Accept-Encoding", "gzip").header.Get("Content-Encoding"); got != "" {
			t.Errorf("%s was sent as %s", path, got)
		}
	}
}

func TestSitemap(t *testing.T) {
	s := newSite(t)
	s.AutoSitemap(true)
	s.HTML("/", "Home", "")
	s.HTML("/a?x=1&y=2", "A", "")
	s.Redirect("/old", "/", 301)
	s.Set("/hidden", Page{Body: "hidden", Unlisted: true})
	want := `<url><loc>` + s.URL() + `/</loc><lastmod>2024-01-01T01:00:00Z</lastmod></url>
<url><loc>` + s.URL() + `/a?x=1&amp;y=2</loc><lastmod>2024-01-01T02:00:00Z</lastmod></url>
</urlset>
`
	if got := get(t, s.URL()+"/sitemap.xml").body; !strings.HasSuffix(got, want) || strings.Contains(got, "hidden") {
		t.Errorf("automatic sitemap: got %q", got)
	}
	s.Sitemap(Entry{Loc: "/b"}, Entry{Loc: "https://elsewhere.example/", Lastmod: "soon"})
	want = `<url><loc>` + s.URL() + `/b</loc></url>
<url><loc>https://elsewhere.example/</loc><lastmod>soon</lastmod></url>
</urlset>
`
	if got := get(t, s.URL()+"/sitemap.xml").body; !strings.HasSuffix(got, want) {
		t.Errorf("fixed sitemap: got %q", got)
	}
}
