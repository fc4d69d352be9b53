package signs

import (
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestLongTextsTakeLittle: a text, a title or an address of megabytes is not copied to tell
// what stands in place of a page.
func TestLongTextsTakeLittle(t *testing.T) {
	long := strings.Repeat("a ", 2<<20)
	for name, text := range map[string]string{
		"title":   "<title>" + long + "</title>",
		"text":    "<p>" + long,
		"address": `<a href="` + long + `">there</a>`,
	} {
		root, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		words, runs := len(titleOf(root)), 0
		for range textRuns("https://www.example.com/", root) {
			runs++
		}
		EmptyShell(root)
		isLoginForm(root)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 2<<20 || words > 2000 || runs > 4000 {
			t.Errorf("%s: took %d bytes, %d words of the title, %d runs", name, took, words, runs)
		}
	}
}
