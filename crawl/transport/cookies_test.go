package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const cookieFile = `# Netscape HTTP Cookie File
# This line is a comment

www.example.com	FALSE	/	FALSE	0	here	1
.example.com	TRUE	/	FALSE	2000000000	all	2
#HttpOnly_example.com	TRUE	/docs	FALSE	2000000000	docs	a b=c
example.com	TRUE	/docs/	FALSE	2000000000	below	3
www.example.com	FALSE	/	TRUE	0	safe	4
www.example.com	FALSE	/	FALSE	1000000000	over	5
WWW.Bücher.example	FALSE	/	FALSE	0	wide	6
192.0.2.1	TRUE	/	FALSE	0	address	7
[2001:DB8::1]	FALSE	/	FALSE	0	six	8
www.example.com	FALSE	/empty	FALSE	0	none	
www.example.com	FALSE	/empty	FALSE	0	cut
`

var cookieTime = time.Unix(1500000000, 0)

// TestCookies: which cookies a request carries, RFC 6265, sections 5.1 and 5.4.
func TestCookies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cookies.txt")
	if err := os.WriteFile(path, []byte("\uFEFF"+strings.ReplaceAll(cookieFile, "\n", "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	cookies, err := ReadCookies(path, cookieTime)
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"http://www.example.com":             "here=1; all=2",
		"http://WWW.example.com:8080/x":      "here=1; all=2",
		"https://www.example.com/":           "here=1; all=2; safe=4",
		"http://example.com/docs":            "docs=a b=c; all=2",
		"http://example.com/docs/a":          "below=3; docs=a b=c; all=2",
		"http://example.com/docsandmore":     "all=2",
		"http://www.example.com/empty":       "none=; cut=; here=1; all=2",
		"http://deep.www.example.com/":       "all=2",
		"http://notexample.com/":             "",
		"http://example.com.other.test/":     "",
		"http://www.xn--bcher-kva.example/x": "wide=6",
		"http://192.0.2.1/":                  "address=7",
		"http://5.192.0.2.1/":                "", // an address has no subdomains
		"http://[2001:db8::1]:80/":           "six=8",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{}
		cookies.addTo(header, u)
		if got := header.Get("Cookie"); got != want {
			t.Errorf("%s gets %q, want %q", address, got, want)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", cookies, cookies, cookies); strings.Contains(text, "a b=c") {
		t.Errorf("printed: %s", text)
	}
}

func TestCookiesThatCannotBeRead(t *testing.T) {
	const good = "# a comment\nwww.example.com\tFALSE\t/\tFALSE\t0\ta\tb\n"
	for line, part := range map[string]string{
		"www.example.com FALSE / FALSE 0 token hunter2":                    "1 field ",
		"\tFALSE\t/\tFALSE\t0\ttoken\thunter2":                             "host name",
		"www.example.com/x\tFALSE\t/\tFALSE\t0\ttoken\thunter2":            "host name",
		"u:hunter2@www.example.com\tFALSE\t/\tFALSE\t0\ttoken\thunter2":    "host name",
		"www.example.com:8080\tFALSE\t/\tFALSE\t0\ttoken\thunter2":         "host name",
		"www.example.com\tyes\t/\tFALSE\t0\ttoken\thunter2":                "TRUE or FALSE",
		"www.example.com\tFALSE\t/\thunter2\t0\ttoken\thunter2":            "TRUE or FALSE",
		"www.example.com\tFALSE\thunter2\tFALSE\t0\ttoken\thunter2":        "SECONDS",
		"www.example.com\tFALSE\t/\tFALSE\thunter2\ttoken\thunter2":        "SECONDS",
		"www.example.com\tFALSE\t/\tFALSE\t0\t\thunter2":                   "can't be sent",
		"www.example.com\tFALSE\t/\tFALSE\t0\ttoken\thunter2;more":         "can't be sent",
		"www.example.com\tFALSE\t/\tFALSE\t0\ttoken\thunter2\rX-Header: 1": "can't be sent",
	} {
		path := filepath.Join(t.TempDir(), "cookies.txt")
		if err := os.WriteFile(path, []byte(good+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadCookies(path, cookieTime)
		for _, part := range []string{"fetch.cookies: cookies.txt, line 3: ", part} {
			if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%q: %v, want %q and no value", line, err, part)
			}
		}
	}
	if _, err := ReadCookies(filepath.Join(t.TempDir(), "none"), cookieTime); err == nil || !strings.Contains(err.Error(), "fetch.cookies") {
		t.Errorf("no file: %v", err)
	}
}

// FuzzCookies: whatever the file holds, the header stays one line, and an error
// quotes no value.
func FuzzCookies(f *testing.F) {
	f.Add([]byte(cookieFile), "https://www.example.com/docs/a")
	f.Add([]byte("a\tTRUE\t/\tTRUE\t-1\t\t"), "http://a/")
	f.Fuzz(func(t *testing.T, data []byte, address string) {
		cookies, err := parseCookies(append([]byte("a.test\tFALSE\t/\tFALSE\t0\tcanary\thunter2\n"), data...), cookieTime)
		u, wrong := url.Parse(address)
		if wrong != nil {
			return
		}
		header := http.Header{}
		cookies.addTo(header, u)
		if value := header.Get("Cookie"); strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q", value)
		}
		if strings.Contains(header.Get("Cookie"), "hunter2") && !strings.EqualFold(u.Hostname(), "a.test") && !strings.Contains(string(data)+address, "hunter2") {
			t.Errorf("%s gets another host's cookie", address)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Error(err)
		}
	})
}
