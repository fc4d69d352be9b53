package page

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"
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
	for name, text := range map[string]string{
		"paragraphs":                  strings.Repeat("<p>a", n),
		"ends of paragraphs":          strings.Repeat("</p>", n),
		"ends of lines":               strings.Repeat("</br>", n),
		"cells alone":                 "<table>" + strings.Repeat("<td>a</td></tr></tbody>", n),
		"tables":                      strings.Repeat("<table><td>a</table>", n),
		"rows close cells":            "<table>" + strings.Repeat("<td>a<tbody>", n),
		"open elements":               strings.Repeat("<b><i><u><s>", 3) + strings.Repeat("<p>a", n),
		"ends adopt":                  strings.Repeat("<b><i><u><s><div></b>a</div>", 100),
		"ends adopt again":            items(9, "<b a=%d><i b=%[1]d><u>") + strings.Repeat("<div></b></b><p>a</i></div>", n/8),
		"links in links":              strings.Repeat("<a><div>", 200) + strings.Repeat("<a>b", n),
		"attributes":                  "<p " + items(n, "a%d ") + ">",
		"attributes of many":          strings.Repeat("<p a b c d e f g h i j>", n),
		"values":                      "<p " + items(n, `a%d="v" `) + ">",
		"values without room":         "<p " + items(n, `a%d="v"`) + ">",
		"made again, with attributes": "<p><b " + items(100, "a%d ") + ">" + strings.Repeat("<p>a", n/10),
		"quotes in a script":          `<script>a<b="</script><p x=">" ` + items(n, "a%d ") + ">",
		"equals signs":                `<p ="` + items(n, "a%d ") + `" href=a="` + items(n, "b%d ") + `">`,
		"comments":                    strings.Repeat("<!--x-->", n),
		"comments without words":      strings.Repeat("<!>a<?>", n),
		"ends of nothing":             strings.Repeat("</>a</1>", n),
		"other alphabet":              strings.Repeat("\xe4\xf6 ", n),
	} {
		take, sum := taken(1 << 40)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		root, err := Parse([]byte(text), "text/html", take)
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

// TestParseIsRefused: where memory is refused, or the parser would take out of all
// proportion long, there is no tree.
func TestParseIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, why string }{
		"many tags":                  {strings.Repeat("<p>", 400_000), "it is too much"},
		"many comments":              {strings.Repeat("<!>", 400_000), "it is too much"},
		"many attributes":            {"<p " + items(500_000, "a%d ") + ">", "it is too much"},
		"many attributes, in quotes": {`<p x="<b>" ` + items(500_000, "a%d ") + ">", "it is too much"},
		"long text":                  {strings.Repeat("word ", 6_000_000), "it is too much"},
		"one tag before many":        {"<p " + items(20_000, "a%d ") + ">" + strings.Repeat("<i>x</i>", 20_000), "it is too much"},
		"formatting":                 {"<p><b " + items(200, "a%d ") + ">" + strings.Repeat("<p>a", 20_000), "it is too much"},
		"formatting in a noscript":   {"<noscript><p><b " + items(200, "a%d ") + ">" + strings.Repeat("<p>a", 20_000) + "</noscript>", "it is too much"},
		"formatting behind noscript": {"<noscript><!--</noscript><p><b " + items(200, "a%d ") + ">" + strings.Repeat("<p>a", 20_000), "it is too much"},
		"another alphabet":           {strings.Repeat("\xe4 ", 10_000_000), "it is too much"},
		"an ordinary page":           {items(10_000, `<li class=item><a href="/%d">Page</a></li>`), ""},
		"a script":                   {"<script>" + strings.Repeat("if (a<b && c<d) { e='<p>' }\n", 20_000) + "</script>", ""},
		"a long text":                {strings.Repeat("word ", 1_000_000), ""},
	} {
		take, _ := taken(100e6)
		root, err := Parse([]byte(c.text), "text/html", take)
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
		if err := s.read(text, false); err != nil {
			t.Fatal(err)
		}
		if cost, light := guess(text); light && cost < *sum {
			t.Errorf("guessed %d, counted %d", cost, *sum)
		}
	})
}

func BenchmarkWeigh(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		text := items(n, `<li class=item><a class=link href="/departments/culture/page-%d.html">Page <b class=x>number</b></a></li>`)
		b.Run(fmt.Sprint(n, " items"), func(b *testing.B) {
			for b.Loop() {
				if err := weigh([]byte(text), func(int64) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(n, " items, parsed"), func(b *testing.B) {
			for b.Loop() {
				if _, err := html.Parse(strings.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func items(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
