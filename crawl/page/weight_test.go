package page

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// taken returns a function that asks for memory, up to most, and how much was asked for.
func taken(most int64) (take func(int64) error, sum *int64) {
	sum = new(int64)
	return func(bytes int64) error {
		*sum += bytes
		if *sum > most {
			return errors.New("it is too much")
		}
		return nil
	}, sum
}

// TestTreesWeighNoMore: no tree takes more memory than was asked for it, whatever makes the
// parser add elements of its own.
func TestTreesWeighNoMore(t *testing.T) {
	const n = 20_000
	xhtml := func(body string) string { return "<html><body><script/>" + body + "</body></html>" }
	for name, text := range map[string]string{
		"paragraphs":                  strings.Repeat("<p>a", n),
		"ends of paragraphs":          strings.Repeat("</p>", n),
		"ends of lines":               strings.Repeat("</br>", n),
		"cells alone":                 "<table>" + strings.Repeat("<td>a</td></tr></tbody>", n),
		"rows close cells":            "<table>" + strings.Repeat("<td>a<tbody>", n),
		"open elements":               strings.Repeat("<b><i><u><s>", 3) + strings.Repeat("<p>a", n),
		"ends adopt again":            items(9, "<b a=%d><i b=%[1]d><u>") + strings.Repeat("<div></b></b><p>a</i></div>", n/8),
		"links in links":              strings.Repeat("<a><div>", 200) + strings.Repeat("<a>b", n),
		"attributes":                  "<p " + items(n, "a%d ") + ">",
		"attributes of many":          strings.Repeat("<p a b c d e f g h i j>", n),
		"values without room":         "<p " + items(n, `a%d="v"`) + ">",
		"made again, with attributes": "<p><b " + items(100, "a%d ") + ">" + strings.Repeat("<p>a", n/10),
		"quotes in a script":          `<script>a<b="</script><p x=">" ` + items(n, "a%d ") + ">",
		"equals signs":                `<p ="` + items(n, "a%d ") + `" href=a="` + items(n, "b%d ") + `">`,
		"comments":                    strings.Repeat("<!--x-->", n),
		"comments without words":      strings.Repeat("<!>a<?>", n),
		"ends of nothing":             strings.Repeat("</>a</1>", n),
		"other alphabet":              strings.Repeat("\xe4\xf6 ", n),
		"XHTML paragraphs":            xhtml(strings.Repeat("<p>a</p>", n)),
		"XHTML attributes":            xhtml("<p " + items(n, "a%d=''") + "/>"),
		"XHTML attributes of many":    xhtml(strings.Repeat("<p a='' b='' c='' d='' e=''/>", n)),
		"XHTML in pieces":             xhtml(strings.Repeat("<!--a-->a<![CDATA[a]]>", n)),
		"XHTML namespaces":            xhtml(strings.Repeat("<p xmlns='a'/>", n)),
		"XHTML that breaks off":       strings.TrimSuffix(xhtml(strings.Repeat("<p/>", n)), "</html>"),
	} {
		media := "text/html"
		if strings.HasPrefix(name, "XHTML") {
			media = document.MediaXHTML
		}
		take, sum := taken(1 << 40)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		root, _, err := Parse([]byte(text), media, take)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > *sum {
			t.Errorf("%s: a tree of %d bytes, %d asked for", name, got, *sum)
		}
		runtime.KeepAlive(root)
	}
}

// TestDecodingTakesNoMore: a body in another encoding is made no larger than it is in UTF-8, and
// not decoded at all where there is no room for it.
func TestDecodingTakesNoMore(t *testing.T) {
	const n = 1 << 20
	for name, c := range map[string]struct {
		letter string
		size   int64 // of the letter in UTF-8
	}{"windows-1252": {"\x80", 3}, "koi8-r": {"\xc1", 2}, "utf-8": {"\xff", 3}, "utf-16le": {"a\x00", 1}, "shift_jis": {"\x82\xa0", 3}} {
		body := []byte(strings.Repeat(c.letter, n))
		take, _ := taken(c.size*n*(perByte+1) - 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := Parse(body, "text/html; charset="+name, take)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > n/2 {
			t.Errorf("%s: %d bytes were used where there is no room: %v", name, got, err)
		}
		if got := int64(cap(decode(body, name, decodedSize(body, name)))); got > c.size*n+n/8 {
			t.Errorf("%s: decoded in %d bytes, want %d", name, got, c.size*n)
		}
	}
}

// TestParseIsRefused: where memory is refused, or the parser would take out of all
// proportion long, there is no tree.
func TestParseIsRefused(t *testing.T) {
	const size = 50_000
	open, after := items(490, "<b a=%d>"), "</p>"+strings.Repeat("<p>x", size)
	const tooMuch = "it is too much"
	for name, c := range map[string]struct{ text, why string }{
		"many tags":                  {strings.Repeat("<p>", 600_000), tooMuch},
		"many comments":              {strings.Repeat("<!>", 600_000), tooMuch},
		"many attributes":            {"<p " + items(500_000, "a%d ") + ">", tooMuch},
		"many attributes, in quotes": {`<p x="<b>" ` + items(500_000, "a%d ") + ">", tooMuch},
		"long text":                  {strings.Repeat("word ", 9_000_000), tooMuch},
		"one tag before many":        {"<p " + items(20_000, "a%d ") + ">" + strings.Repeat("<i>x</i>", 20_000), tooMuch},
		"never closed":               {"<p>" + open + after, tooMuch},
		"never closed, other names":  {"<p>" + items(490, "<FONT\na=%d>") + after, tooMuch},
		"closed in cells":            {"<p>" + items(490, "<b a=%d><table><td></b></table>") + after, tooMuch},
		"closed in tables":           {"<p>" + items(490, "<b a=%d><table></b></table>") + after, tooMuch},
		"closed in selects":          {"<p>" + items(490, "<b a=%d><select></b></select>") + after, tooMuch},
		"closed in comments":         {"<p>" + strings.ReplaceAll(open, ">", "><!--</b>-->") + after, tooMuch},
		"formatting in a noscript":   {"<noscript><p><b " + items(200, "a%d ") + ">" + strings.Repeat("<p>a", 20_000) + "</noscript>", tooMuch},
		"formatting behind noscript": {"<noscript><!--</noscript><p><b " + items(200, "a%d ") + ">" + strings.Repeat("<p>a", 20_000), tooMuch},
		"many roots":                 {items(20_000, "<html a%d>"), tooMuch},
		"many bodies, few tags":      {"<body " + items(size, "a%d ") + ">" + items(900, "<body b%d>"), tooMuch},
		"another alphabet":           {strings.Repeat("\xe4 ", 12_000_000), tooMuch},
		"100,000 nested":             {strings.Repeat("<div>", 100_000), "exceeds 512"},
		"an ordinary page":           {items(10_000, `<li class=item><a href="/%d">Page</a></li>`), ""},
		"a large article":            {items(20_000, "<p>Text <b id=x%d>bold</b> and <i class=i>more</i>.</p>"), ""},
		"a large table":              {"<table>" + items(5_000, "<tr><td><font size=2><b id=x%d>cell</b></font><td>2") + "</table>", ""},
		"three of each are kept":     {"<p>" + strings.Repeat("<b><i><u>", 150) + after, ""},
		"a font that stays open":     {"<font size=2><p><font color=red>" + strings.Repeat("<p>Text", 20_000), ""},
		"pages in a page":            {items(300, "<html lang=en><body class=x id=%d>") + strings.Repeat("<p>Text", 20_000), ""},
		"a picture in an attribute":  {`<p>Text<img src="data:image/png;base64,` + strings.Repeat("aB/+", 400_000) + `">`, ""},
		"a script":                   {"<script>" + strings.Repeat("if (a<b && c<d) { e='<p>' }\n", 20_000) + "</script>", ""},
		"a long text":                {strings.Repeat("word ", 1_000_000), ""},
	} {
		take, _ := taken(160e6)
		root, _, err := Parse([]byte(c.text), "text/html", take)
		if (err == nil) != (c.why == "") || (root == nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzGuess: a guess is never below what is counted.
func FuzzGuess(f *testing.F) {
	for _, text := range []string{
		`<p a b="c d" e='f>g' h=i/j>text</p>`, `<script>a<b="</script><p x=">" y z>`, `<p ="a b" c= d = "e f"/g>`, `<p a<b c="<i d e>" f>`,
		`<!-- <p a="b --> <i c>"`, `<html a><body b c><b/><b x><b x></b></p></br></td>`, `<textarea><p a></textarea><p/a/b/c=/d e>`, `<b a= b="x>" c="d"><p><i a="b"c="d">`,
		`<!doctype html><!a>b<!><?c></></1><!`, `<noscript><b><!--<i></noscript><noscript><noscript><b><p></noscript><u>`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		take, sum := taken(1 << 40)
		s := scale{take: take}
		if err := s.reserve(text, false); err != nil {
			t.Fatal(err)
		}
		if cost, light := guess(text); light && cost < *sum {
			t.Errorf("guessed %d, counted %d", cost, *sum)
		}
	})
}

func items(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
