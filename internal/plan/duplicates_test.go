package plan

import (
	"testing"

	"sitesync/internal/document"
)

// TestVariantKey: which addresses are variants of one, and which files are one.
func TestVariantKey(t *testing.T) {
	one, other := document.HashOf("one"), document.HashOf("other")
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"https://a.test/x", "https://a.test/x?print=1", true},
		{"https://a.test/x", "https://a.test/x/", true},
		{"https://a.test/x", "https://a.test/X", true},
		{"https://a.test/x/", "https://a.test/x/index.html", true},
		{"https://a.test/x/default.aspx?id=1", "https://a.test/x/index.php", true},
		{"https://a.test/", "http://a.test/index.htm", true},
		{"https://a.test/x", "https://b.test/x", false},
		{"https://a.test/x", "https://a.test/print/x", false},
		{"https://a.test/en/x", "https://a.test/da/x", false},
		{"https://a.test/x/indexed.html", "https://a.test/x/", false},
		{"https://a.test/x.pdf", "https://a.test/x.html", false},
	} {
		if got := variantKey(c.a, false, one) == variantKey(c.b, false, other); got != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
	key := variantKey("https://a.test/en/x.pdf", true, one)
	for url, same := range map[string]bool{"https://a.test/da/y": true, "http://a.test/x.pdf": true, "https://b.test/en/x.pdf": false} {
		if (variantKey(url, true, one) == key) != same || variantKey(url, true, other) == key {
			t.Errorf("a file at %s", url)
		}
	}
}
