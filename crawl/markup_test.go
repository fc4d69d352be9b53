package crawl

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// plain keeps the site from compressing a page, which would be refused as a bomb.
var plain = map[string]string{"Content-Encoding": "identity"}

// series writes a text n times, each with its number in it.
func series(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestMarkupBounds: what would cost its parser out of all proportion is unread, by
// name; large pages of other kinds are read.
func TestMarkupBounds(t *testing.T) {
	open := series(490, "<b a=%d>")
	for name, c := range map[string]struct{ body, why string }{
		"never closed":              {"<p>" + open + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"never closed, other names": {"<p>" + series(490, "<FONT\na=%d>") + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"closed in cells":           {"<p>" + series(490, "<b a=%d><table><td></b></table>") + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"closed in tables":          {"<p>" + series(490, "<b a=%d><table></b></table>") + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"closed in selects":         {"<p>" + series(490, "<b a=%d><select></b></select>") + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"closed in comments":        {"<p>" + strings.ReplaceAll(open, ">", "><!--</b>-->") + "</p>" + strings.Repeat("<p>x", 50_000), "over the 160 MB that fetch.memory allows one page"},
		"many roots":                {series(20_000, "<html a%d>"), "over the 160 MB that fetch.memory allows one page"},
		"many bodies, few tags":     {"<body " + series(50_000, "a%d ") + ">" + series(900, "<body b%d>"), "over the 160 MB that fetch.memory allows one page"},
		"many tags":                 {strings.Repeat("<p>", 1_000_001), "over the 160 MB that fetch.memory allows one page"},
		"100,000 nested":            {strings.Repeat("<div>", 100_000), "can't be parsed"},
		"a large article":           {series(20_000, "<p>Text <b id=x%d>bold</b> and <i class=i>more</i>.</p>"), ""},
		"a large table":             {"<table>" + series(5_000, "<tr><td><font size=2><b id=x%d>cell</b></font><td>2") + "</table>", ""},
		"three of each are kept":    {"<p>" + strings.Repeat("<b><i><u>", 150) + "</p>" + strings.Repeat("<p>x", 50_000), ""},
		"a font that stays open":    {"<font size=2><p><font color=red>" + strings.Repeat("<p>Text", 20_000), ""},
		"pages in a page":           {series(300, "<html lang=en><body class=x id=%d>") + strings.Repeat("<p>Text", 20_000), ""},
		"a picture in an attribute": {`<p>Text<img src="data:image/png;base64,` + strings.Repeat("aB/+", 400_000) + `">`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "")
			r.opts.MaxBody = 25e6
			r.Set("/", testsite.Page{Body: c.body, Header: plain})
			p := r.run().pages["/"]
			if (p.Seen == document.Read) != (c.why == "") || p.Seen != document.Read && p.Seen != document.Unread {
				t.Errorf("%s: %s", p.Seen, p.Why)
			}
			holds(t, name, p.Why, c.why)
		})
	}
}

// TestHeavyPagesStaySmall: large pages made of what costs most take no more than 300
// MB; the heaviest measured takes 120.
func TestHeavyPagesStaySmall(t *testing.T) {
	const size, most = 10 << 20, 300 << 20
	open := "<p>" + series(490, "<b a=%d>") + "</p>"
	for name, body := range map[string]string{
		"links":    series(100_000, `<li><a href="https://elsewhere.test/%d">a link</a>`),
		"nested":   strings.Repeat("<div>", size/5),
		"open":     open + strings.Repeat("<p>x", (size-len(open))/4),
		"headings": strings.Repeat("<h1>x</h1>", 500_000),
	} {
		r := newRig(t, "")
		r.opts.MaxBody = size + 1
		r.Set("/", testsite.Page{Body: body, Header: plain})
		r.run() // whatever is made once
		got := peak(func() { r.run() })
		t.Logf("%s: %d MB", name, got>>20)
		if got > most {
			t.Errorf("%s: a page of %d KB took %d MB", name, len(body)>>10, got>>20)
		}
	}
	r := newRig(t, "set / Home|Welcome\nbomb / 2000000000")
	r.opts.MaxBody = size
	if got := peak(func() { r.run() }); got > 64<<20 {
		t.Errorf("a bomb took %d MB", got>>20)
	}
}

// peak returns by how much the heap grew at most while run ran, as far as looks at
// it every few milliseconds show.
func peak(run func()) (most uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		select {
		case <-done:
			return most
		case <-tick.C:
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc-min(before, m.HeapAlloc))
		}
	}
}
