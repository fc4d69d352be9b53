package page

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func BenchmarkCheckMarkup(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		text := []byte(items(n, `<li class=item><a class=link href="/departments/culture/page-%d.html">Page <b class=x>number</b></a></li>`))
		b.Run(fmt.Sprint(n, " items"), func(b *testing.B) {
			for b.Loop() {
				if err := checkMarkup(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint(n, " items, parsed"), func(b *testing.B) {
			for b.Loop() {
				if _, err := html.Parse(strings.NewReader(string(text))); err != nil {
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
