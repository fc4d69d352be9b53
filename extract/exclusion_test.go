package extract

import (
	"strings"
	"testing"
)

// What the owner marks as not to be indexed gives neither text nor fields.
func TestExclusionMarkup(t *testing.T) {
	const no = `<p>No</p><time itemprop="datePublished" datetime="2026-03-04">No</time>`
	table := []struct{ name, body, want string }{
		{"data-nosnippet", `<div data-nosnippet>` + no + `</div>Kept`, "Kept"},
		{"googleoff: index", `<!--googleoff: index-->` + no + `<!--googleon: index-->Kept`, "Kept"},
		{"googleoff: all", `<!-- GoogleOff:all -->` + no + `<!--googleon-->Kept`, "Kept"},
		{"googleoff for anchors and snippets", `<!--googleoff: anchor-->Kept<!--googleoff: snippet--> too`, "Kept too"},
		{"noindex element", `<noindex>` + no + `</noindex>Kept`, "Kept"},
		{"swiftype", `<div data-swiftype-index="false">` + no + `<p data-swiftype-index="true">Kept</p>` + no + `</div>`, "Kept"},
		{"elastic", `<div data-elastic-exclude>` + no + `<p data-elastic-include>Kept</p>` + no + `</div>`, "Kept"},
		{"pagefind", `<div data-pagefind-ignore>` + no + `</div>Kept`, "Kept"},
		{"class", `<div class="a robots-nocontent">` + no + `</div>Kept`, "Kept"},
		{"the owner's pair", `<!--cludooff-->` + no + `<!-- cludoon: again -->Kept`, "Kept"},
		{"a longer word", `<!--noindexing-->Kept<!--stop-->`, "Kept"},
		{"two kinds that cross", `<!--stopindex-->No<!--noindex-->No<!--startindex-->No<!--/noindex-->Kept`, "Kept"},
		{"opened twice", `<!--noindex-->No<!--noindex-->No<!--/noindex-->Kept`, "Kept"},
		{"never closed", `<!--stopindex--><div><p>One</p><!--noindex--></div><p>Two</p>`, "One\nTwo"},
		{"one closed and one not", `<!--noindex-->No<!--/noindex--><p>One</p><!--noindex--><p>Two</p>`, "One\nTwo"},
		{"closed only before", `<!--startindex--><div>One<!--stopindex--></div>Two`, "One\nTwo"},
		{"closed in a script alone", `<div>One<!--stopindex--></div><script>/*<!--startindex-->*/</script>Two`, "One\nTwo"},
		{"closed in what is left out", `<div>One<!--stopindex--></div><noindex><!--startindex--></noindex>Two`, "One\nTwo"},
		{"words stay apart", `one<div data-nosnippet>no</div>two`, "one\ntwo"},
		{"in boilerplate", `<nav><!--stopindex--></nav><nav><!--startindex--></nav>Kept`, "Kept"},
	}
	for _, row := range table {
		d := checkField(t, row.name, Options{Between: []string{"cludooff cludoon"}}, htmlPage(t, testURL, "<body>"+row.body), "Content", row.want)
		if date := d.Fields["Date"]; date != "" {
			t.Errorf("%s: the date of what is left out: %s", row.name, date)
		}
	}
}

// A page that is left out whole is a page without content, not one that can't be
// read.
func TestExcludedBody(t *testing.T) {
	for _, source := range []string{`<body data-nosnippet><p>No`, `<body><!--noindex--><p>No<!--/noindex-->`} {
		if doc := readDocument(t, Options{}, testURL, source); doc.Fields["Content"] != "" {
			t.Errorf("%s: got %q", source, doc.Fields["Content"])
		}
	}
}

func under(prefix string) Where {
	return Where{Patterns: []string{prefix + "**"}, Match: func(url string) bool {
		return strings.HasPrefix(url, "https://www.example.com"+prefix)
	}}
}

func TestSections(t *testing.T) {
	const page = `<title>T</title><div class="a">A <i>i</i> <b>b</b></div><div class="c">C <i>i</i> <b>b</b></div>`
	rules := Options{Content: ".a", Exclude: []string{"i"}, Sections: []Section{
		{Where: under("/shop/old/"), Exclude: []string{"b"}},
		{Where: under("/shop/"), Content: ".c"},
		{Where: under("/shop/new/"), Content: "p"},
	}}
	e := newExtractor(t, rules)
	seen := map[uint64]string{}
	for path, want := range map[string]string{"/": "A b", "/shop/old/1": "A", "/shop/1": "C b", "/shop/new/1": "C b"} {
		url := "https://www.example.com" + path
		if got := readDocument(t, rules, url, page).Fields["Content"]; got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		if before, ok := seen[e.Rules(url, nil)]; ok && before != want {
			t.Errorf("%s has the fingerprint of another section", path)
		}
		seen[e.Rules(url, nil)] = want
	}
	rules.Sections = rules.Sections[:2]
	fewer := newExtractor(t, rules)
	if url := "https://www.example.com/shop/new/1"; fewer.Rules(url, nil) != e.Rules(url, nil) {
		t.Error("a rule that does not apply moves the fingerprint")
	}
}
