package weburl

import (
	"strings"
	"testing"
)

// TestCanonicalURL holds the facts of the WHATWG URL standard that decide
// identities, and ours on top of it. An empty want is a refusal.
func TestCanonicalURL(t *testing.T) {
	cases := []struct{ raw, want, why string }{
		// already canonical
		{"https://www.example.com/", "https://www.example.com/", ""},
		{"https://www.example.com/a/?x=1&y=2", "https://www.example.com/a/?x=1&y=2", ""},
		{"http://127.0.0.1:54321/a", "http://127.0.0.1:54321/a", ""},
		// ends, breaks and slashes
		{"  https://example.com/a \n", "https://example.com/a", ""},
		{"\x00\x1fhttps://example.com/a\x00", "https://example.com/a", ""},
		{"ht\ntps://exa\tmple.com/a\rb", "https://example.com/ab", ""},
		{"https:example.com/a", "https://example.com/a", ""},
		{`https:\\example.com\a\b`, "https://example.com/a/b", ""},
		{"https://example.com", "https://example.com/", ""},
		{"https://example.com?x=1", "https://example.com/?x=1", ""},
		// scheme and host
		{"HTTPS://Example.COM/Path", "https://example.com/Path", ""},
		{"https://example.com./a", "https://example.com./a", ""},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", ""},
		{"https://faß.example/", "https://xn--fa-hia.example/", ""},
		{"https://a..b/", "https://a..b/", ""},
		{"https://xn--a/", "", "ToASCII"},
		{"https://ex ample.com/", "", "forbidden"},
		{"https://a|b/", "", "forbidden"},
		{"https://a%ff.example/", "", "ToASCII"},
		{"https://?x", "", "host"},
		// ports
		{"https://example.com:443/", "https://example.com/", ""},
		{"http://example.com:80/", "http://example.com/", ""},
		{"http://example.com:00080/", "http://example.com/", ""},
		{"http://example.com:008080/", "http://example.com:8080/", ""},
		{"http://example.com:65535/", "http://example.com:65535/", ""},
		{"http://example.com:65536/", "", "port"},
		// addresses
		{"http://0x7f.1/", "http://127.0.0.1/", ""},
		{"http://127.0.0.1./", "http://127.0.0.1/", ""},
		{"http://1.2.3.256/", "", "greater than 255"},
		{"http://1.2.3.09/", "", "non-numeric"},
		{"http://[0:0::1]/", "http://[::1]/", ""},
		{"http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/", ""},
		{"http://[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/", ""},
		{"http://@1.2.3.4/", "http://1.2.3.4/", ""},
		{"http://[1::2::3]/", "", "IPv6"},
		{"http://[fe80::1%25eth0]/", "", "IPv6"},
		// path
		{"https://example.com/a/./b", "https://example.com/a/b", ""},
		{"https://example.com/a/../b", "https://example.com/b", ""},
		{"https://example.com/a/.", "https://example.com/a/", ""},
		{"https://example.com/../../a", "https://example.com/a", ""},
		{"https://example.com/a/.%2e/b", "https://example.com/b", ""},
		{"https://example.com/a/%2e", "https://example.com/a/", ""},
		{"https://example.com/.well-known/x", "https://example.com/.well-known/x", ""},
		{"https://example.com/a//b", "https://example.com/a//b", ""},
		{"https://example.com/a%2Fb", "https://example.com/a%2Fb", ""},
		{"https://example.com/%61", "https://example.com/%61", ""},
		{"https://example.com/%zz", "https://example.com/%zz", ""},
		{"https://example.com/a b", "https://example.com/a%20b", ""},
		{"https://example.com/ø/å.html", "https://example.com/%C3%B8/%C3%A5.html", ""},
		{"https://example.com/\xff\uFFFD", "https://example.com/%FF%EF%BF%BD", ""},
		{"https://example.com/gr\xfc\xdfe?q=caf\xe9&utm_a=\xe9", "https://example.com/gr%FC%DFe?q=caf%E9", ""},
		{"https://b\xfccher.example/", "", "ToASCII"},
		{"https://example.com/\"<>`{}^", "https://example.com/%22%3C%3E%60%7B%7D%5E", ""},
		{"https://example.com/!$&'()*+,;=:@|[]~", "https://example.com/!$&'()*+,;=:@|[]~", ""},
		{"https://example.com/a;v=1/b", "https://example.com/a;v=1/b", ""},
		// query and fragment
		{"https://example.com/a?", "https://example.com/a", ""},
		{"https://example.com/a?#?x=1", "https://example.com/a", ""},
		{"https://example.com/a #x", "https://example.com/a%20", ""},
		{"https://example.com/?q=ø&r='", "https://example.com/?q=%C3%B8&r=%27", ""},
		{"https://example.com/?b=2&a=1", "https://example.com/?b=2&a=1", ""},
		{"https://example.com/?a/../b", "https://example.com/?a/../b", ""},
		{"https://example.com/?a=%2e%2E", "https://example.com/?a=%2e%2E", ""},
		// ignored parameters: utm_*, gclid, *id*x
		{"https://example.com/?utm_source=a&b=1&utm_medium=c&d", "https://example.com/?b=1&d", ""},
		{"https://example.com/?b=1&gclid", "https://example.com/?b=1", ""},
		{"https://example.com/?gclids=1&xgclid=2", "https://example.com/?gclids=1&xgclid=2", ""},
		{"https://example.com/?UTM_source=a", "https://example.com/?UTM_source=a", ""},
		{"https://example.com/?aidbx=1&idx=2&idxy=3", "https://example.com/?idxy=3", ""},
		{"https://example.com/?a=utm_x&utm_&&b", "https://example.com/?a=utm_x&&b", ""},
		{"https://example.com/utm_x?utm%5Fx=1", "https://example.com/utm_x?utm%5Fx=1", ""},
		// refused
		{"", "", "missing a scheme"},
		{"www.example.com/a", "", "missing a scheme"},
		{"javascript:void(0)", "", "scheme is javascript"},
		{"https://user@example.com/", "", "user name"},
		{"https://:secret@example.com/", "", "user name"},
		{"https:user:secret@example.com/", "", "user name"},
		{"https://@example.com/", "https://example.com/", ""},
		{"https://user:secret@exa mple.com/", "", "forbidden"},
		{"https://example.com/" + strings.Repeat("a", MaxLen-20), "https://example.com/" + strings.Repeat("a", MaxLen-20), ""},
		{"https://example.com/" + strings.Repeat("a", MaxLen-19), "", "512"},
		{"https://example.com/" + strings.Repeat("ø", 100), "", "512"},
		{"https://example.com/" + strings.Repeat("a/../", 350), "https://example.com/", ""},
		{"https://example.com/" + strings.Repeat("a/../", 500), "", "512"},
		{"https://example.com/ø#" + strings.Repeat("a", 5000), "https://example.com/%C3%B8", ""},
		{"https://" + strings.Repeat("a:secret@", 60) + "example.com/", "", "512"},
	}
	canon := NewCanonicalizer([]string{"utm_*", "gclid", "*id*x", ""})
	for _, c := range cases {
		got, err := canon.URL(c.raw)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("URL(%.80q) = %q, %v; want %q", c.raw, got, err, c.want)
		}
		if err != nil && (!strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "secret") || len(err.Error()) > 700) {
			t.Errorf("URL(%.80q): error %q; want one about %q", c.raw, err, c.why)
		}
	}
}

func TestCanonicalResolve(t *testing.T) {
	cases := []struct{ base, ref, want string }{
		{"https://a.example/d/p.html", "/x/y", "https://a.example/x/y"},
		{"https://a.example/d/p.html", "x", "https://a.example/d/x"},
		{"https://a.example/d/p.html", "../x", "https://a.example/x"},
		{"https://a.example/d/p.html", "../../../x", "https://a.example/x"},
		{"https://a.example/d/e/", ".", "https://a.example/d/e/"},
		{"https://a.example/d/e/", "./../x/../y", "https://a.example/d/y"},
		{"https://a.example/d/e", "..//x", "https://a.example//x"},
		{"https://a.example/d/p?q=/r/s", "x", "https://a.example/d/x"},
		{"https://a.example/d/p?q=1", "", "https://a.example/d/p?q=1"},
		{"https://a.example/d/p?q=1", "?r=2", "https://a.example/d/p?r=2"},
		{"https://a.example/d/p?q=1", "?", "https://a.example/d/p"},
		{"https://a.example/d/p", "?utm_a=1&b='", "https://a.example/d/p?b=%27"},
		{"https://a.example/d/p", "//b.example/x", "https://b.example/x"},
		{"https://a.example/d/p", "/\t/b.example/x", "https://b.example/x"},
		{"https://a.example/d/p", `/\b.example/x`, "https://b.example/x"},
		{"https://a.example/d/p", "http:x", "http://x/"},
		{"https://a.example/d/p", "https://a.example:443/x", "https://a.example/x"},
		{"https://a.example/d/p", "https://a.example.evil/x", "https://a.example.evil/x"},
		{"https://a.example/d/p", "https://a.example@evil.example/x", ""},
		{"https://a.example/d/p", "a:b/c", ""},
		{"https://a.example/d/p", "./a:b/c", "https://a.example/d/a:b/c"},
		{"https://a.example/d/p", "a%2fb?x=%zz", "https://a.example/d/a%2fb?x=%zz"},
		{"https://a.example/d/p", "%2e%2e/x", "https://a.example/x"},
		{"https://a.example/d/p", " /x ", "https://a.example/x"},
		{"https://a.example/d/p", "//user:secret@b.example/", ""},
		{"http://[::1]:8080/d/p", "/x", "http://[::1]:8080/x"},
		{"https://a.example/" + strings.Repeat("d", 490) + "/p", "abcdefghijkl", ""},
	}
	canon := NewCanonicalizer([]string{"utm_*"})
	for _, c := range cases {
		got, err := canon.Resolve(c.base, c.ref)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Resolve(%.60q, %q) = %q, %v; want %q", c.base, c.ref, got, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("Resolve(%.60q, %q): error tells a secret: %v", c.base, c.ref, err)
		}
	}
}
