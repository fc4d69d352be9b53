package app

import (
	"slices"
	"strings"
	"testing"
)

// TestScreenFits: on a terminal no line is wider than it unless one word is, however the
// text is cut into writes, and no word is lost or broken.
func TestScreenFits(t *testing.T) {
	for name, text := range map[string]string{
		"sentence": "www.example.com, 22 November: 12 new, 136 changed, 28 deleted, 10 moved; 2,961 unchanged\n",
		"table":    "put    https://www.example.com/a (new)\n       Title: \"old\" → \"new\"\n\npatch  https://www.example.com/b  \n",
		"exact":    strings.Repeat("x", 20) + " " + strings.Repeat("y", 19) + "\n" + strings.Repeat("z", 40) + "\nend\n",
		"wide":     "更新日 2026年 11月 22日 の ページ は 公開 されました という お知らせ です\n",
		"colour":   "\x1b[31mdelete\x1b[0m https://www.example.com/a/page (gone since 22 November)\n",
		"long":     "failed " + strings.Repeat("/segment", 20) + ": the name has no address\n",
	} {
		for _, width := range []int{20, 40, 80, 0} {
			for cut := 1; cut < len(text); cut += 3 {
				s := &screen{}
				got := s.wrap(text[:cut], width) + s.wrap(text[cut:], width)
				if width == 0 && got != strings.ReplaceAll(text, "  \n", "\n") || !slices.Equal(strings.Fields(got), strings.Fields(text)) {
					t.Fatalf("%s at %d, cut at %d: %q", name, width, cut, got)
				}
				for line := range strings.Lines(got) {
					line = strings.TrimSuffix(line, "\n")
					tooWide := slices.ContainsFunc(strings.Fields(line), func(word string) bool { return cells(word) > width-min(4, width/2) })
					if width > 0 && cells(line) > width && !tooWide && cut == 1 {
						t.Errorf("%s at %d: %d columns: %q", name, width, cells(line), line)
					}
				}
			}
		}
	}
}

// TestScreenIndents: what continues a line stands further in than the line.
func TestScreenIndents(t *testing.T) {
	s := &screen{}
	got := s.wrap("  one two three four\nfive\n", 12)
	if want := "  one two\n      three\n      four\nfive\n"; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
