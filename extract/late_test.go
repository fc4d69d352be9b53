package extract

import (
	"strings"
	"testing"

	"sitesync/extract/content"
)

// Text that scripts show, or that clients without scripts are shown, is read where it is
// most of the page.
func TestLateText(t *testing.T) {
	source, text := paragraphs(12)
	short, shortText := paragraphs(5)
	const shell = `<title>Title</title><meta property="og:type" content="website"><header><a href="/">Forum</a></header><div id="app">Loading</div><script>app()</script>`
	const noscript, streamed, hidden = content.LateNoscript, content.LateStreamed, content.LateHidden
	table := []struct{ name, source, want, warn string }{
		{"for clients without scripts", shell + `<noscript><div role="main"><h1>Heading</h1>` + source + `</div></noscript>`, "Heading\n" + text, noscript},
		{"the longest", shell + `<noscript>` + strings.Repeat(`<img src="a.png">`, 50) + `</noscript><noscript>` + source + `</noscript>`, text, noscript},
		{"beside a third of it", short + `<noscript>` + source + `</noscript>`, shortText, ""},
		{"beside a short page", `<h1>Contact</h1><p>High Street 1</p><noscript>` + source + `</noscript>`, "Contact\nHigh Street 1", ""},
		{"a page beside the site's name", `<h1>Forum</h1><noscript><div role="main"><h1>Heading</h1>` + source + `</div></noscript>`, "Heading\n" + text, noscript},
		{"little", shell + `<noscript>` + prose + `</noscript>`, "Loading", ""},
		{"pictures alone", shell + `<noscript>` + strings.Repeat(`<img src="a.png">`, 500) + `</noscript>`, "Loading", ""},
		{"excluded by the owner", shell + `<noscript data-nosnippet>` + source + `</noscript>`, "Loading", ""},
		{"parts excluded by the owner", shell + `<noscript>` + source + `<p data-nosnippet>No</p></noscript>`, text, noscript},
		{"a streamed segment", `<main><template id="B:0"></template><p>Loading</p></main><div hidden id="S:0">` + source + `</div>`, text, streamed},
		{"hidden until scripts show it", `<div class="app" hidden>` + source + `</div><p>Loading</p>`, text, hidden},
		{"hidden, and a third of it shown", short + `<div hidden>` + source + `</div>`, shortText, ""},
		{"hidden beside a short page", `<h1>Contact</h1><p>High Street 1</p><div hidden>` + source + source + `</div>`, "Contact\nHigh Street 1", ""},
		{"a hidden drawer", `<div class="drawer" hidden>` + source + `</div><p>Text</p>`, "Text", ""},
		{"a hidden dialog", `<div role="dialog" hidden>` + source + `</div><p>Text</p>`, "Text", ""},
		{"an aside beside a short page", `<h1>Contact</h1><aside>` + source + `</aside>`, "Contact", ""},
		{"named as boilerplate alone", `<div>Board</div><div class="pagination">` + source + `</div>`, text, ""},
		{"a hidden part of a menu", `<nav><div hidden>` + source + `</div></nav><p>Text</p>`, "Text", ""},
	}
	for _, row := range table {
		d := checkField(t, row.name, Options{}, htmlPage(t, testURL, row.source), "Content", row.want)
		if got := strings.Join(d.Warn, " "); got != row.warn {
			t.Errorf("%s: warnings %q, want %q", row.name, got, row.warn)
		}
	}
}

// What the owner names as the content stays it, short as it may be.
func TestLateTextLeavesTheOwnersContent(t *testing.T) {
	source, _ := paragraphs(12)
	for _, late := range []string{"<noscript>" + source + "</noscript>", "<div hidden>" + source + "</div>"} {
		if got := readDocument(t, Options{Content: ".own"}, testURL, `<div class="own">Short</div>`+late).Fields["Content"]; got != "Short" {
			t.Errorf("got %q", got)
		}
	}
}

// What stands for clients without scripts gives its text; the page itself gives its fields.
func TestNoscriptKeepsTheFieldsOfThePage(t *testing.T) {
	source, _ := paragraphs(12)
	doc := readDocument(t, Options{Content: ".posts"}, testURL, `<html lang="en"><title>Title</title><meta name="description" content="What it is about."><div id="app"></div><script>app()</script>`+
		`<noscript><title>No</title><p>No</p><div class="posts">`+source+`</div></noscript>`)
	if doc.Fields["Title"] != "Title" || doc.Fields["Description"] != "What it is about." || doc.Fields["Language"] != "en" || strings.Contains(doc.Fields["Content"], "No") {
		t.Errorf("got %q", doc.Fields)
	}
}

func TestNoscriptIsBounded(t *testing.T) {
	source, _ := paragraphs(5_000)
	content := readDocument(t, Options{}, testURL, `<div id="app"></div><script>app()</script><noscript>`+source+`</noscript>`).Fields["Content"]
	if got := len(content); got < 200<<10 || got > 256<<10 {
		t.Errorf("got %d bytes of content", got)
	}
}
