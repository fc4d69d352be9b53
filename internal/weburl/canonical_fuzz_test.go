package weburl

import (
	"strings"
	"testing"
)

func FuzzCanonical(f *testing.F) {
	for _, seed := range [][2]string{
		{"https://a.example/d/p?q=1", "../x/%2e./y?a=1&utm_b=2#z"},
		{"http://1.2.3.4:81/", "//[::1]:80/%zz?'"},
		{"https://a.example/d//e/", "./../..//x y"},
		{"http://a.example/", "HTTP:\\\\B.example:080\t/ø"},
		{"https://www.example.com/", "https:\\\\www.example.com\\@evil.example/"},
		{"https://www.example.com/", "//www.example.com@evil.example/\t/../x"},
		{"https://www.example.com/", "ht\ntps://www.example\n.com:443/%2e%2E/"},
		{"https://www.example.com/", "/d/no%2F..%2F|"},
		{"https://www.example.com/", "/.//|%2F"},
		{"https://www.example.com/", "///www.example.com.evil.example/?https://www.example.com/"},
		{"http://xn--a.example/", "https://1.0x.-2/.?&&"},
		{"https://www.example.com/(S(lit3py55t21z5v55vlm25s55))/;jsessionid=1/..;jsessionid=2/d", "a;sid=0123456789abcdef;v=1/(S(lit3py55t21z5v55vlm25s55));jsessionid=3//x?;jsessionid=4"},
		{"https://www.example.com/.;jsessionid=1/", ".;jsessionid=1;jsessionid=%2e/%2e%2e;JSESSIONID/(X(1)S(lit3py55t21z5v55vlm25s55))"},
	} {
		f.Add(seed[0], seed[1])
	}
	canon := NewCanonicalizer([]string{"utm_*", "a"}).WithHome(func(origin string) string {
		return map[string]string{"http://b.example": "https://www.b.example", "https://a.example:8080": "https://a.example"}[origin]
	})
	include, err := ReadPatterns("site.include", []string{"/d/**", "re:^/x"})
	exclude, excludeErr := ReadPatterns("site.exclude", []string{"/d/no/**"})
	if err != nil || excludeErr != nil {
		f.Fatal(err, excludeErr)
	}
	scope := func(url string) bool {
		origin := Origin(url)
		return (origin == "https://www.example.com" || origin == "http://a.example:81") && include.Match(url) && !exclude.Match(url)
	}
	f.Fuzz(func(t *testing.T, page, ref string) {
		checkCanonical(t, canon, page)
		base, err := canon.URL(page)
		if err != nil {
			base = "https://www.example.com/d/e/p.html?q=1"
		}
		checkResolved(t, canon, base, ref)
		checkScope(t, canon, scope, "https://www.example.com/d/e", ref)
	})
}

// checkCanonical: the cheap path and the parser agree, and the form is its own.
func checkCanonical(t *testing.T, canon *Canonicalizer, raw string) {
	got, err := canon.URL(raw)
	full, fullErr := canon.parse("", raw)
	if got != full || (err == nil) != (fullErr == nil) {
		t.Fatalf("URL(%q) = %q, %v; the parser says %q, %v", raw, got, err, full, fullErr)
	}
	if err != nil {
		return
	}
	if again, err := canon.URL(got); again != got {
		t.Fatalf("URL(%q) = %q, whose own form is %q, %v", raw, got, again, err)
	}
	if again, err := canon.parse("", got); again != got {
		t.Fatalf("URL(%q) = %q, which the parser makes %q, %v", raw, got, again, err)
	}
	if !strings.HasPrefix(Target(got), "/") || strings.Contains(Origin(got), "@") || strings.ContainsAny(got, " #\t\n\r\x00\x7f") {
		t.Fatalf("URL(%q) = %q: origin %q, path %q", raw, got, Origin(got), Target(got))
	}
}

func checkResolved(t *testing.T, canon *Canonicalizer, base, ref string) {
	got, err := canon.Resolve(base, ref)
	full, fullErr := canon.parse(base, ref)
	if got != full || (err == nil) != (fullErr == nil) {
		t.Fatalf("Resolve(%q, %q) = %q, %v; the parser says %q, %v", base, ref, got, err, full, fullErr)
	}
	if err == nil {
		checkCanonical(t, canon, got)
	}
}

// checkScope: what passes the rules of a scope is asked at one of its origins, under a path that
// its rules let pass, by the reading that makes the request too.
func checkScope(t *testing.T, canon *Canonicalizer, scope func(url string) bool, base, ref string) {
	got, err := canon.Resolve(base, ref)
	if err != nil {
		return
	}
	ok := scope(got)
	asked, err := ForRequest(got)
	if err != nil {
		return // such an address is never asked for
	}
	origin := asked.Scheme + "://" + asked.Host
	if origin != Origin(got) || asked.User != nil || strings.TrimPrefix(asked.RequestURI(), origin) != Target(got) {
		t.Fatalf("Resolve(%q, %q) = %q is asked for as %q at %q", base, ref, got, asked.RequestURI(), origin)
	}
	inside := origin == "https://www.example.com" || origin == "http://a.example:81"
	path, _, _ := strings.Cut(Target(got), "?")
	inside = inside && (strings.HasPrefix(path, "/d/") || path == "/d" || strings.HasPrefix(path, "/x")) && path != "/d/no" && !strings.HasPrefix(path, "/d/no/")
	if ok != inside {
		t.Fatalf("Resolve(%q, %q) = %q: in scope %v", base, ref, got, ok)
	}
}
