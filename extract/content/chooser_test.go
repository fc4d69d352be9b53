package content

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// pagesOf parses n pages; %d in the markup is the page's number, %s a text of its own.
func pagesOf(t *testing.T, c *Chooser, n int, markup string) {
	t.Helper()
	for i := range n {
		own := strings.Repeat(fmt.Sprintf("only page %d says so. ", i), 20)
		root, err := html.Parse(strings.NewReader("<body>" + strings.NewReplacer("%d", fmt.Sprint(i), "%s", own).Replace(markup)))
		if err != nil {
			t.Fatal(err)
		}
		c.Add(root)
	}
}

func TestChoose(t *testing.T) {
	menu := "<nav>" + strings.Repeat("<a href=/x>An entry of the menu</a>", 30) + "</nav><footer>Open from nine to four</footer>"
	for _, k := range []struct{ name, markup, odd, want string }{
		{"main", menu + "<main><h1>%d</h1>%s</main>", "", "main 10"},
		{"one page has none", menu + "<main>%s</main>", menu + "<p>%s</p>", "main 10"},
		{"role", menu + "<div role=main>%s</div>", "", "[role=main] 10"},
		{"the tighter of two", "<main>" + menu + "<article>%s</article></main>", "", "article 10"},
		{"several articles are none", menu + "<main><article>%s</article><article>%d</article></main>", "", "main 10"},
		{"a class", menu + "<div class='x content'>%s</div>", "", ".content 10"},
		{"main holds the frame alone", "<main>" + menu + "</main><div id=content>%s</div>", "", "#content 10"},
		{"no name", menu + "<div class=a>%s</div>", "", ""},
		{"scripts don't count", "<main>%s</main><script>var x = '%d %s %s'</script>", "", "main 10"},
		{"all pages alike", "<main>The same</main>", "", ""},
		{"half of it outside", "<main>%s</main><div>%s</div>", "", ""},
		{"empty", "", "", ""},
	} {
		c := NewChooser()
		pagesOf(t, c, 10, k.markup)
		if k.odd != "" {
			pagesOf(t, c, 1, k.odd)
		}
		got := ""
		if s, ok := c.Choose(); ok {
			got = fmt.Sprintf("%s %d", s.CSS, s.Fits)
		}
		if got != k.want {
			t.Errorf("%s: %q, want %q", k.name, got, k.want)
		}
	}
	c := NewChooser()
	pagesOf(t, c, 2, "<main>%s</main>")
	if s, ok := c.Choose(); ok {
		t.Errorf("two pages tell %+v", s)
	}
	pagesOf(t, c, 1, strings.Repeat("<div>", 400)+"%s")
	if s, ok := c.Choose(); ok {
		t.Errorf("half of the pages fit: %+v", s)
	}
}
