package worddiff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/rivo/uniseg"
)

// Kind says whether the text of a Hunk is equal, removed, added or left out.
type Kind string

const (
	Same    Kind = "same"
	Gone    Kind = "gone"
	Added   Kind = "added"
	Skipped Kind = "skipped" // text that is left out; Hunk.Text is empty
)

// Hunk is one piece of a comparison: text that is equal, removed, added or left out.
type Hunk struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text,omitempty"`
}

const (
	context        = 60 // bytes of equal text before and after a difference: about ten words
	maxHunkBytes   = 2_000
	maxResultBytes = 20_000
)

// Diff returns the differences between two texts in order, with equal text around them. It returns nil if the
// texts are equal.
func Diff(before, after string) []Hunk {
	if before == after {
		return nil
	}
	var t trail
	compare(lines(before), lines(after), t.same, func(gone, added []string) {
		if len(gone) > 0 && len(added) > 0 {
			compare(words(gone), words(added), t.same, t.differ)
		} else {
			t.differ(gone, added)
		}
	})
	return t.hunks()
}

// compare passes equal parts of two lists to the function same, and unequal parts to the function differ, in
// order. Two differences without a letter or digit between them become one difference.
func compare(a, b []string, same func([]string), differ func(gone, added []string)) {
	diffs := lcs.DiffLines(a, b)
	at := 0
	for i := 0; i < len(diffs); i++ {
		d := diffs[i]
		for i+1 < len(diffs) && !tells(a[d.End:diffs[i+1].Start]) {
			i++
			d.End, d.ReplEnd = diffs[i].End, diffs[i].ReplEnd
		}
		same(a[at:d.Start])
		differ(a[d.Start:d.End], b[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	same(a[at:])
}

func tells(parts []string) bool {
	tells := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return strings.ContainsFunc(strings.Join(parts, ""), tells)
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

func words(paragraphs []string) (all []string) {
	text, state, word := strings.Join(paragraphs, ""), -1, ""
	for text != "" {
		word, text, state = uniseg.FirstWordInString(text, state)
		all = append(all, word)
	}
	return all
}

type trail struct{ found []Hunk }

func (t *trail) same(parts []string) { t.add(Same, parts) }

func (t *trail) differ(gone, added []string) {
	t.add(Gone, gone)
	t.add(Added, added)
}

func (t *trail) add(kind Kind, parts []string) {
	text := strings.Join(parts, "")
	switch last := len(t.found) - 1; {
	case text == "":
	case last >= 0 && t.found[last].Kind == kind:
		t.found[last].Text += text
	default:
		t.found = append(t.found, Hunk{kind, text})
	}
}

func (t *trail) hunks() (shown []Hunk) {
	size := 0
	for i, h := range t.found {
		if size > maxResultBytes {
			return append(shown, Hunk{Kind: Skipped})
		}
		from := len(shown)
		switch first, last := i == 0, i == len(t.found)-1; {
		case h.Kind != Same && len(h.Text) > maxHunkBytes:
			shown = append(shown, Hunk{h.Kind, head(h.Text, maxHunkBytes)}, Hunk{Kind: Skipped})
		case h.Kind != Same || len(h.Text) <= 2*context && !first && !last || len(h.Text) <= context:
			shown = append(shown, h)
		case first:
			shown = append(shown, Hunk{Kind: Skipped}, Hunk{Same, tail(h.Text, context)})
		case last:
			shown = append(shown, Hunk{Same, head(h.Text, context)}, Hunk{Kind: Skipped})
		default:
			before, after := Hunk{Same, head(h.Text, context)}, Hunk{Same, tail(h.Text, context)}
			shown = append(shown, before, Hunk{Kind: Skipped}, after)
		}
		for _, h := range shown[from:] {
			size += len(h.Text)
		}
	}
	return shown
}

func head(text string, n int) string {
	cut := strings.ToValidUTF8(text[:n], "")
	if space := strings.LastIndexFunc(cut, unicode.IsSpace); space > n/2 {
		return cut[:space]
	}
	return cut
}

func tail(text string, n int) string {
	cut := strings.ToValidUTF8(text[len(text)-n:], "")
	if space := strings.IndexFunc(cut, unicode.IsSpace); space >= 0 && space < n/2 {
		return strings.TrimLeftFunc(cut[space:], unicode.IsSpace)
	}
	return cut
}
