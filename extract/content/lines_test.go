package content

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestLinesAreBounded: lines of preformatted text without end make no blocks without end,
// and none of their text is lost.
func TestLinesAreBounded(t *testing.T) {
	root, err := html.Parse(strings.NewReader("<pre>" + strings.Repeat("a\n", maxLines+10)))
	if err != nil {
		t.Fatal(err)
	}
	page, err := NewReader(nil).Read(root, &Selectors{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(page.Blocks); n != maxLines+1 || len(page.Blocks[maxLines].Text) != len("a")*10+9 {
		t.Errorf("%d blocks", n)
	}
}
