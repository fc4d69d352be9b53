package markup

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestCostly(t *testing.T) {
	list := "<ul>" + strings.Repeat("<li>x", 40_000)
	deep := strings.Repeat("<div>", 400) + strings.Repeat("word ", 300_000)
	for _, c := range []struct {
		selector, page string
		costly         bool
	}{
		{"li:nth-child(2n+1)", list, true},
		{"ul > li:NTH-LAST-CHILD( odd )", list, true},
		{"b ~ li", list, true},
		{"li:nth-child(2)", list, false},
		{"li:last-child", list, false},
		{`[rel~="next"]`, list, false},
		{"li:contains('x')", list, false},
		{"b ~ li", "<ul>" + strings.Repeat("<li>x", 20_000), false},
		{"div:contains('x')", deep, true},
		{"div:matches(x)", deep, true},
		{"div:containsOwn('x')", deep, false},
		{"b ~ li", deep, false},
	} {
		root, err := html.Parse(strings.NewReader(c.page))
		if err != nil {
			t.Fatal(err)
		}
		if got := Costly(root, c.selector); got != c.costly {
			t.Errorf("%s: %v", c.selector, got)
		}
	}
}
