package folder

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/weburl"
)

const folderOrigin = "https://www.example.com"

// writeFolder makes a folder of files; a name that ends with "/" is a directory.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			path = filepath.Join(path, "x")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openFolder(t *testing.T, files map[string]string) *Folder {
	t.Helper()
	folder, err := Open(writeFolder(t, files), folderOrigin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}

// folderGet returns the response and its body.
func folderGet(t *testing.T, folder *Folder, address string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := folder.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.ContentLength != int64(len(body)) {
		t.Errorf("%s: Content-Length %d of %d", address, resp.ContentLength, len(body))
	}
	return resp, string(body)
}

// brief writes status, media type or Location, and body on one line.
func folderBrief(resp *http.Response, body string) string {
	if location := resp.Header.Get("Location"); location != "" {
		return fmt.Sprintf("%d %s", resp.StatusCode, location)
	}
	return fmt.Sprintf("%d %s %s", resp.StatusCode, resp.Header.Get("Content-Type"), strings.TrimSpace(body))
}

func TestFolder(t *testing.T) {
	folder := openFolder(t, map[string]string{
		"index.html": "home", "404.html": "sorry", "a.html": "a", "d/index.html": "d", "d/page.HTM": "page", "empty/": "", "shadow/index.html": "shadow",
		"doc.pdf": "pdf", "doc.docx": "docx", "feed.xml": "xml", "unknown.zzz": "?", "with space.html": "space", "smør.html": "ø", "a%2Fb.html": "percent",
		"a+b.html": "plus", "real.html": "real", "forced.html": "forced", "_odd/slash.html": "odd", "gone.html": "it is gone", "bare/": "", "x/y/index.html": "xy",
		"_headers": "/x\n  A: b",
		"_redirects": strings.Join([]string{
			"\uFEFF# comment",
			"/old /new",
			"/temp\t/new#part 302   # why",
			"/see /new 303",
			"/keep /new 307",
			"/perm https://other.example/x 308",
			"/ext https://other.example/y?z=1",
			"",
			"/blog/* /news/:splat 301",
			"/copy/* /x/:splat 200",
			"/odd%2fname /_odd/slash.html 200",
			"/Sm%c3%b8r%41 /a.html 200",
			"/frø /a.html 200",
			"/real.html /elsewhere 301",
			"/forced.html /elsewhere 301!",
			"/shadow /elsewhere",
			"/bare /elsewhere",
			"/gone /gone.html 410",
			"/gone-too 410",
			"/hidden/* /404.html 404",
			"/hidden/x /never 301",
			"/nothere /missing.html 200",
			"/d/* /elsewhere 301",
			"/loop /loop 301",
		}, "\r\n"),
	})
	for address, want := range map[string]string{
		"":                              "200 text/html home",
		"/index.html":                   "200 text/html home",
		"/a.html":                       "200 text/html a",
		"/a.html/":                      "404 text/html sorry",
		"/d/":                           "200 text/html d",
		"/d":                            "301 /d/",
		"/d?q=1":                        "301 /d/?q=1",
		"/d/page.HTM":                   "200 text/html page",
		"/x/y":                          "301 /x/y/",
		"/empty":                        "301 /empty/",
		"/empty/":                       "404 text/html sorry",
		"/doc.pdf":                      "200 application/pdf pdf",
		"/feed.xml":                     "200 application/octet-stream xml",
		"/unknown.zzz":                  "200 application/octet-stream ?",
		"/sm%C3%B8r.html":               "200 text/html ø",
		"/a%252Fb.html":                 "200 text/html percent",
		"/a%2Fb.html":                   "404 text/html sorry",
		"/a+b.html":                     "200 text/html plus",
		"/../a.html":                    "404 text/html sorry",
		"/d/..%2fa.html":                "301 /elsewhere",
		"/%00":                          "404 text/html sorry",
		"/d%5C..%5Ca.html":              "404 text/html sorry",
		"//a.html":                      "404 text/html sorry",
		"/_redirects":                   "404 text/html sorry",
		"/_headers":                     "404 text/html sorry",
		"/" + strings.Repeat("x", 4000): "404 text/html sorry",
		// _redirects
		"/old?a=b":         "301 /new?a=b",
		"/temp":            "302 /new#part",
		"/temp?a=b":        "302 /new?a=b#part",
		"/perm":            "308 https://other.example/x",
		"/ext?a=b":         "301 https://other.example/y?z=1",
		"/blog/2024/a%2Fb": "301 /news/2024/a%2Fb",
		"/copy/y/":         "200 text/html xy",
		"/copy/z":          "404 text/html sorry",
		"/odd%2Fname":      "200 text/html odd",
		"/odd/name":        "404 text/html sorry",
		"/Sm%C3%B8rA":      "200 text/html a",
		"/real.html":       "200 text/html real",
		"/forced.html":     "301 /elsewhere",
		"/shadow":          "301 /shadow/",
		"/bare":            "301 /elsewhere",
		"/gone":            "410 text/html it is gone",
		"/gone-too":        "410 text/plain Gone",
		"/nothere":         "404 text/html sorry",
	} {
		resp, body := folderGet(t, folder, folderOrigin+address)
		if got := folderBrief(resp, body); got != want {
			t.Errorf("%.80s: %s, want %s", address, got, want)
		}
		if tag := resp.Header.Get("ETag"); (tag != "") != (resp.StatusCode == http.StatusOK) {
			t.Errorf("%s: status %d, ETag %q", address, resp.StatusCode, tag)
		}
	}
}

func TestHeaders(t *testing.T) {
	folder := openFolder(t, map[string]string{
		"a.html": "a", "b.html": "b", "news/x.html": "x", "news/y.pdf": "y", "smør.html": "ø",
		"_redirects": "/old /a.html",
		"_headers": strings.Join([]string{
			"# all",
			"/*",
			"  X-All: 1",
			"/news/*",
			"\tX-Robots-Tag: noindex",
			"  X-Robots-Tag:nofollow",
			"",
			"/*.pdf",
			"  # a comment",
			"  X-Robots-Tag: noarchive",
			"/b.html",
			"  content-type: text/html; charset=windows-1252",
			"/sm%c3%b8r.html",
			"  X-Fish: 1",
			"/old",
			"  X-Old: 1",
		}, "\n"),
	})
	for path, want := range map[string]string{
		"/a.html":         "Content-Type=text/html X-All=1",
		"/b.html":         "Content-Type=text/html; charset=windows-1252 X-All=1",
		"/news/x.html":    "Content-Type=text/html X-All=1 X-Robots-Tag=noindex,nofollow",
		"/news/y.pdf":     "Content-Type=application/pdf X-All=1 X-Robots-Tag=noindex,nofollow,noarchive",
		"/sm%C3%B8r.html": "Content-Type=text/html X-All=1 X-Fish=1",
		"/old":            "Content-Type=text/plain Location=/a.html X-All=1 X-Old=1",
		"/none":           "Content-Type=text/plain X-All=1",
	} {
		resp, _ := folderGet(t, folder, folderOrigin+path)
		resp.Header.Del("ETag")
		var fields []string
		for name, values := range resp.Header {
			fields = append(fields, name+"="+strings.Join(values, ","))
		}
		slices.Sort(fields)
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestConditionalRequests(t *testing.T) {
	folder := openFolder(t, map[string]string{"a.html": "one", "_headers": "/b\n  A: b"})
	first, _ := folderGet(t, folder, folderOrigin+"/a.html")
	tag := first.Header.Get("ETag")
	expect := func(what string, status int, condition string) {
		t.Helper()
		resp, body := folderGet(t, folder, folderOrigin+"/a.html", "If-None-Match", condition)
		if resp.StatusCode != status || (body == "") != (status == 304) || status == 304 && resp.Header.Get("ETag") != tag {
			t.Errorf("%s, %s: %d, body %q", what, condition, resp.StatusCode, body)
		}
	}
	for condition, status := range map[string]int{
		tag: 304, `"x"`: 200, "": 200, strings.Trim(tag, `"`): 200,
	} {
		expect("as it was", status, condition)
	}
	path := filepath.Join(folder.root.Name(), "a.html")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)) // the same size at another time
	expect("after a change", 200, tag)
	os.Chtimes(path, time.Time{}, info.ModTime())
	expect("changed back", 304, tag)
	if err := os.WriteFile(filepath.Join(folder.root.Name(), "_headers"), []byte("/*\n  X-Robots-Tag: noindex"), 0o644); err != nil {
		t.Fatal(err)
	}
	if folder, err = Open(folder.root.Name(), folderOrigin); err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	expect("with another header", 200, tag)
}

func TestRefuses(t *testing.T) {
	dir := writeFolder(t, map[string]string{"site/in.html": "in", "secret.html": "out"})
	folder, err := Open(filepath.Join(dir, "site"), folderOrigin+"/some/page")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	round := func(address string) error {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := folder.RoundTrip((&http.Request{URL: u, Header: http.Header{}}).WithContext(t.Context()))
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	for _, address := range []string{"http://www.example.com/in.html", "https://example.com/in.html", "https://www.example.com:8443/in.html"} {
		if err := round(address); err == nil || !strings.Contains(err.Error(), "holds "+folderOrigin+" only") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := round("https://WWW.example.com:443/in.html"); err != nil {
		t.Error(err)
	}
	if err := os.Symlink("../secret.html", filepath.Join(dir, "site", "link.html")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := round(folderOrigin + "/link.html"); err == nil || !strings.Contains(err.Error(), "link.html") {
		t.Errorf("a link out of the folder: %v", err)
	}
	for seed, err := range folder.Seeds() {
		if err != nil || seed != folderOrigin+"/in.html" {
			t.Errorf("seed %s, %v", seed, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for _, test := range []struct{ file, content, want string }{
		{"_redirects", "# x\n\n/a\n", "_redirects:3: there is no target"},
		{"_redirects", "/a /b\n/a b", "_redirects:2: \"b\" is not a status"},
		{"_redirects", "/a /b 300", "\"300\" is not a status"},
		{"_redirects", "/a /b 301 Country=dk", "one word too many"},
		{"_redirects", "a /b", "does not begin with"},
		{"_redirects", "/a/*/b /c", "at the end only"},
		{"_redirects", "/a?b=c /c", "no rule can ask for a query"},
		{"_redirects", "/a/* /b/:year", "placeholder"},
		{"_redirects", "/a /b/:splat", "no \"*\" at its end"},
		{"_redirects", "/a https://other.example/ 200", "must be a path in the folder"},
		{"_headers", "  X-A: b", "_headers:1: a header field comes before the first path"},
		{"_headers", "/a\n  X-A", "_headers:2: \"X-A\" is not a header field"},
		{"_headers", "/a\n  X A: b", "is not a header field"},
		{"_headers", "/a\n  X-A: \x01", "is not a header field"},
		{"_headers", "/:x\n", "placeholder"},
	} {
		folder, err := Open(writeFolder(t, map[string]string{test.file: test.content}), folderOrigin)
		if err == nil {
			folder.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.file+":") {
			t.Errorf("%q: %v, want %q", test.content, err, test.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), folderOrigin); err == nil {
		t.Error("a folder that is not there was opened")
	}
	if _, err := Open(t.TempDir(), "nowhere"); err == nil {
		t.Error("an origin that is none was taken")
	}
}

func TestSeeds(t *testing.T) {
	folder := openFolder(t, map[string]string{
		"index.html": "", "404.html": "", "robots.txt": "", "sitemap.xml": "", "style.css": "", "_redirects": "", "_headers": "", "_draft.html": "", ".hidden.html": "",
		"_odd/x.html": "", ".git/x.html": "", "d/index.html": "", "d/404.html": "", "d/a.PDF": "", "d/b.docx": "", "d/c.txt": "", "d/c.odp": "", "humans.txt": "", "d/c.doc": "", "d/e/index.html": "", "d.html": "", "e.htm": "",
		"smør brød.html": "", "100%.html": "", "a#b.html": "", "a^b`c{d}.html": "", "ab[c]'d+e&f=g;h,i!j$k(l)~m@n.html": "", "%41.html": "", "x.html/index.html": "",
	})
	canonical := weburl.NewCanonicalizer(nil)
	var got []string
	for seed, err := range folder.Seeds() {
		if err != nil {
			t.Fatal(err)
		}
		if again, err := canonical.URL(seed); err != nil || again != seed {
			t.Errorf("%s is not canonical: %s, %v", seed, again, err)
		}
		if resp, _ := folderGet(t, folder, seed); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", seed, resp.StatusCode)
		}
		got = append(got, strings.TrimPrefix(seed, folderOrigin))
	}
	want := []string{
		"/%2541.html", "/100%25.html", "/a%23b.html", "/a%5Eb%60c%7Bd%7D.html", "/ab[c]'d+e&f=g;h,i!j$k(l)~m@n.html",
		"/d/404.html", "/d/a.PDF", "/d/b.docx", "/d/c.odp", "/d/c.txt", "/d/e/", "/d/", "/d.html", "/e.htm", "/", "/sm%C3%B8r%20br%C3%B8d.html", "/x.html/",
	}
	if !slices.Equal(got, want) {
		t.Errorf("seeds\n%q, want\n%q", got, want)
	}
	for range folder.Seeds() {
		break // an early end is no fault
	}
}

func FuzzFileName(f *testing.F) {
	for _, path := range []string{"/", "/a/../b", "/%2e%2e/%2e%2e/etc/passwd", "/a%2fb", "//x", "/C:/x", "/%5c%5chost/x", "/_redirects", "/nul", "/\u00f8", "/%0%61"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		form := weburl.Normalize(path, false)
		if again := weburl.Normalize(form, false); again != form {
			t.Errorf("%q: %q, then %q", path, form, again)
		}
		if name, ok := fileName(form); ok && !filepath.IsLocal(name) {
			t.Errorf("%q leaves the folder as %q", path, name)
		}
	})
}

func FuzzParseRedirect(f *testing.F) {
	for _, line := range []string{"/a /b", "/a/* id=7 /b/:splat 301!", "/a 410", "/a /b # c"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.TrimSpace(line) == "" {
			return
		}
		rule, err := parseRedirect(line)
		if err == nil && rule.to == "" && rule.status != 404 && rule.status != 410 {
			t.Errorf("%q has no target: %+v", line, rule)
		}
	})
}

// TestOwnFiles: own files are neither listed nor read, and whatever else is a page stays one.
func TestOwnFiles(t *testing.T) {
	dir := writeFolder(t, map[string]string{
		"index.html": "home", "key.txt": "secret", "key.txt.html": "a page", "ledger": "records", "ledger.html": "a page", "ledger.work-dry-1/robots.txt": "a",
		"Ledger.copy.TXT": "records", "parts/drafts/a.html": "a draft", "parts.html": "a page", "ledgers/2.html": "a page",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, opened := range []string{dir, link} {
		own := []string{"", dir, filepath.Dir(dir), filepath.Join(dir, "ledger"), filepath.Join(link, "parts"), filepath.Join(dir, "key.txt"), filepath.Join(dir, "..", "index.html")}
		folder, err := Open(opened, folderOrigin, own...)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		var seeds []string
		for seed, err := range folder.Seeds() {
			if err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, strings.TrimPrefix(seed, folderOrigin))
		}
		if want := []string{"/", "/key.txt.html", "/ledger.html", "/ledgers/2.html", "/parts.html"}; !slices.Equal(seeds, want) {
			t.Errorf("%q, want %q", seeds, want)
		}
		for _, path := range []string{"/key.txt", "/ledger", "/ledger.work-dry-1/robots.txt", "/Ledger.copy.TXT", "/parts", "/parts/drafts/a.html"} {
			if resp, body := folderGet(t, folder, folderOrigin+path); resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s", path, folderBrief(resp, body))
			}
		}
	}
}
