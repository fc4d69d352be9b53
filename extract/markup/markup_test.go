package markup

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestWords: the table holds what the rooms ask it for, each entry once in its list
// and in the case in which it is asked for.
func TestWords(t *testing.T) {
	want := strings.Fields("text subject body drop links frame unseen consent cookie beside talk review doubtful sure panel overlay callout comment event events dated published changed for template forum asideHeading stories numbers changedOn languagesOf home alike languages folder legal banner untitled windowed")
	for name, entries := range lists {
		if !slices.Contains(want, name) && !strings.HasPrefix(name, "small-") {
			t.Errorf("nobody asks for the list %q", name)
		}
		seen := map[string]bool{}
		for _, entry := range entries {
			if seen[entry] || entry == "" || entry != strings.TrimSpace(entry) || entry != strings.ToLower(entry) && name != "unseen" {
				t.Errorf("%s: %q stands twice or is written in another way than pages are asked", name, entry)
			}
			seen[entry] = true
		}
	}
	for _, name := range want {
		if len(lists[name]) == 0 {
			t.Errorf("the list %q is empty", name)
		}
	}
	for _, lang := range Listed("languages") {
		if len(Listed("small-"+lang)) == 0 {
			t.Errorf("no small words of %q", lang)
		}
	}
	for word, said := range map[string]Word{
		"menu": DropLinks | Doubtful, "newsletter": Sure | AsideHeading, "comments": Talk | Stories | Comment, "u-srOnly": Unseen,
		"pager": Drop | Sure, "fandt du det, du søgte": AsideHeading, "strona główna": Home, "with": Beside, "и": 0,
	} {
		if got := WordOf(word); got != said {
			t.Errorf("%q: got %b, want %b", word, got, said)
		}
	}
	for s, held := range map[string]bool{"My-Accordion": true, "tab_2": true, "table": false} {
		if HoldsAny(s, "panel") != held {
			t.Errorf("%q: the opposite of %t", s, held)
		}
	}
	if !BeginsAny("onetrust-banner", "consent") || BeginsAny("my-onetrust", "consent") || len(Listed("small-en")) != 13 {
		t.Error("beginnings and small words")
	}
}

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
