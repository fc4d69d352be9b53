package testsite

import (
	"bytes"
	"context"
	"maps"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestHugePages(t *testing.T) {
	const origin = "http://127.0.0.1:8080"
	h, twin := NewHuge(HugeOptions{Pages: 100_000}), NewHuge(HugeOptions{Pages: 100_000})
	s := newSheet() // the same for all pages, as in a server
	seen := map[string]int{}
	for _, n := range []int{0, 1, 2, 4_999, 5_000, 99_999} {
		page := h.Page(origin, n)
		if len(page) < 26_000 || len(page) > 34_000 {
			t.Errorf("page %d has %d bytes", n, len(page))
		}
		if links := bytes.Count(page, []byte("<a ")); links != 80 {
			t.Errorf("page %d has %d links", n, links)
		}
		if !bytes.Equal(page, twin.Page(origin, n)) {
			t.Errorf("page %d differs from one site to the next", n)
		}
		for _, part := range []string{"<title>", "<h1 class=\"entry-title\">", "<p>"} {
			text := between(string(page), part, "</")
			if before, ok := seen[text]; ok {
				t.Errorf("pages %d and %d both have %s %q", before, n, part, text)
			}
			seen[text] = n
		}
		h.compose(s, origin, n)
		if inflate(t, string(s.gzip())) != string(page) {
			t.Errorf("page %d is another when compressed", n)
		}
		if !bytes.Equal(s.plain(), page) {
			t.Errorf("page %d is another on a used sheet", n)
		}
	}
}

func between(text, start, end string) string {
	_, rest, _ := strings.Cut(text, start)
	middle, _, _ := strings.Cut(rest, end)
	return middle
}

func TestHugeLean(t *testing.T) {
	page := string(NewHuge(HugeOptions{Pages: 100_000, Lean: true}).Page("http://site", 4711))
	if links := strings.Count(page, "related-list__item"); links != leanLinks || len(page) > 5000 || !strings.HasSuffix(page, "</html>\n") {
		t.Errorf("%d links, %d bytes, ends with %q", links, len(page), page[len(page)-20:])
	}
}

func TestHugeNumbers(t *testing.T) {
	h := NewHuge(HugeOptions{Pages: 1000})
	for n := range 1000 {
		if got, ok := h.number(HugePath(n)); !ok || got != n {
			t.Fatalf("%s is page %d, %t; want %d", HugePath(n), got, ok, n)
		}
	}
	for _, path := range []string{"", "/news", "/news/a-b-c-12", HugePath(1000), HugePath(7) + "x", strings.Replace(HugePath(7), "-7", "-07", 1), "/-0"} {
		if n, ok := h.number(path); ok {
			t.Errorf("%q is page %d", path, n)
		}
	}
}

// TestHugeReachable crawls by links alone.
func TestHugeReachable(t *testing.T) {
	for _, pages := range []int{1, 2, 37, 450} {
		server := httptest.NewServer(NewHuge(HugeOptions{Pages: pages, NoSitemap: true}))
		href := regexp.MustCompile(`href="(?:` + server.URL + `)?(/[^"#]*)`)
		found := map[string]bool{"/": true}
		for queue := []string{"/"}; len(queue) > 0; queue = queue[1:] {
			got := get(t, server.URL+queue[0])
			if got.status != 200 {
				t.Fatalf("%s answered %d", queue[0], got.status)
			}
			_, body, _ := strings.Cut(got.body, "<body")
			for _, match := range href.FindAllStringSubmatch(body, -1) {
				if !found[match[1]] {
					found[match[1]] = true
					queue = append(queue, match[1])
				}
			}
		}
		server.Close()
		if len(found) != pages {
			t.Errorf("of %d pages links reach %d", pages, len(found))
		}
	}
}

func TestHugeVersions(t *testing.T) {
	h := NewHuge(HugeOptions{Pages: 100})
	server := httptest.NewServer(h)
	defer server.Close()
	before := map[int]reply{}
	for _, n := range []int{6, 7, 8} {
		before[n] = get(t, server.URL+HugePath(n))
	}
	h.Bump(7, 8)
	h.Bump(-5, 0)
	h.Bump(100, 200)
	for n, old := range before {
		want := 304
		if n == 7 {
			want = 200
		}
		for _, header := range []string{"ETag", "Last-Modified"} {
			condition := map[string]string{"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}[header]
			now := get(t, server.URL+HugePath(n), condition, old.header.Get(header))
			if now.status != want || now.body == old.body {
				t.Errorf("page %d with its old %s: status %d, want %d", n, header, now.status, want)
			}
			if n == 7 && !maps.Equal(links(now.body), links(old.body)) {
				t.Error("a new version has other links")
			}
		}
	}
	want := Stats{Requests: 9, Pages: 3, Repeated: 2, NotModified: 4, Bytes: h.Stats().Bytes}
	if got := h.Stats(); got != want || got.Bytes < 5*26_000 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	h.Reset()
	if got := h.Stats(); got != (Stats{}) {
		t.Errorf("after a reset: %+v", got)
	}
}

func links(body string) map[string]bool {
	all := map[string]bool{}
	for _, part := range strings.Split(body, "<a href=\"")[1:] {
		link, _, _ := strings.Cut(part, "\"")
		all[link] = true
	}
	return all
}

func TestHugeSitemaps(t *testing.T) {
	server := httptest.NewServer(NewHuge(HugeOptions{Pages: sitemapSize + 1}))
	defer server.Close()
	for path, want := range map[string][]string{
		"/robots.txt":    {"Sitemap: " + server.URL + "/sitemap.xml\n"},
		"/sitemap.xml":   {server.URL + "/sitemap-0.xml<", server.URL + "/sitemap-1.xml<"},
		"/sitemap-0.xml": {server.URL + "/</loc><lastmod>2023-01-01T00:00:00Z<", server.URL + HugePath(49_999) + "<"},
		"/sitemap-1.xml": {server.URL + HugePath(50_000) + "<"},
	} {
		plain, packed := get(t, server.URL+path), get(t, server.URL+path, "Accept-Encoding", "gzip")
		if inflate(t, packed.body) != plain.body {
			t.Errorf("%s is another when compressed", path)
		}
		for _, text := range want {
			if strings.Count(plain.body, text) != 1 {
				t.Errorf("%s does not hold %q once", path, text)
			}
		}
	}
	if got := strings.Count(get(t, server.URL+"/sitemap-0.xml").body, "<url>"); got != sitemapSize {
		t.Errorf("a sitemap has %d addresses", got)
	}
	for _, path := range []string{"/sitemap-2.xml", "/sitemap--1.xml", "/sitemap-x.xml", "/elsewhere"} {
		if got := get(t, server.URL+path).status; got != 404 {
			t.Errorf("%s answered %d", path, got)
		}
	}
}

func TestHugeWithoutSitemap(t *testing.T) {
	server := httptest.NewServer(NewHuge(HugeOptions{Pages: 10, NoSitemap: true}))
	defer server.Close()
	if got := get(t, server.URL+"/robots.txt"); strings.Contains(got.body, "Sitemap") {
		t.Errorf("robots.txt: %q", got.body)
	}
	if got := get(t, server.URL+"/sitemap.xml").status; got != 404 {
		t.Errorf("the sitemap answered %d", got)
	}
}

func TestHugeDelay(t *testing.T) {
	for _, test := range []struct {
		delay time.Duration
		gone  bool
		want  int64
	}{{time.Nanosecond, false, 1}, {time.Hour, true, 0}} {
		h := NewHuge(HugeOptions{Pages: 1, Delay: test.delay})
		ctx, cancel := context.WithCancel(t.Context())
		if test.gone {
			cancel()
		}
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
		if got := h.Stats().Pages; got != test.want {
			t.Errorf("after %v, client gone %t: %d pages", test.delay, test.gone, got)
		}
		cancel()
	}
}
