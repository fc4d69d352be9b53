package extract

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// labelled is one page of the labelled set, testdata/corpus: NAME.html and
// NAME.txt, whose head names the page's kind and what is true of it, and whose
// body is every line of the page's text. See testdata/corpus/README.md.
type labelled struct {
	name string
	head map[string]string
	want []string // the content: what a searcher must find
	free []string // counts neither way: bylines, captions, comments
	rest []string // the template
	html string
}

func loadLabelled(t testing.TB) []labelled {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no labelled set: %v", err)
	}
	pages := make([]labelled, len(files))
	for i, file := range files {
		name := strings.TrimSuffix(file, ".txt")
		pages[i] = parseLabel(t, string(readFile(t, file)))
		pages[i].name, pages[i].html = filepath.Base(name), string(readFile(t, name+".html"))
	}
	return pages
}

func parseLabel(t testing.TB, text string) labelled {
	t.Helper()
	head, body, found := strings.Cut(text, "\n\n")
	if !found {
		t.Fatalf("no empty line after the head of a label: %.60q", text)
	}
	l := labelled{head: make(map[string]string)}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		l.head[key] = value
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		if after, ok := strings.CutPrefix(line, "? "); ok {
			l.free = append(l.free, after)
		} else if after, ok := strings.CutPrefix(line, "- "); ok {
			l.rest = append(l.rest, after)
		} else {
			l.want = append(l.want, line)
		}
	}
	return l
}

// wordsOf returns the words of a text in lower case; in scripts that put no space
// between words each character counts as one.
func wordsOf(text string) []string {
	var list []string
	from := -1
	end := func(to int) {
		if from >= 0 {
			list = append(list, strings.ToLower(text[from:to]))
		}
		from = -1
	}
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			list = append(list, string(r))
		case !unicode.In(r, unicode.L, unicode.M, unicode.N):
			end(i)
		case from < 0:
			from = i
		}
	}
	end(len(text))
	return list
}

// pageText is all text of a page's body that a browser could ever show.
func pageText(n *html.Node, b *strings.Builder) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
	case n.Type == html.ElementNode && slices.Contains([]string{"head", "script", "style", "noscript", "template", "svg", "iframe", "textarea"}, n.Data):
		return
	case n.Type == html.ElementNode && !slices.Contains([]string{"a", "b", "i", "u", "em", "strong", "span", "font", "code", "sup", "sub", "small", "kbd", "time", "cite", "mark", "abbr", "bdi", "wbr", "tt", "q"}, n.Data):
		b.WriteByte(' ')
		defer b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		pageText(c, b)
	}
}

// A label that forgets a line, or names one that is not there, would judge the
// extractor by what nobody can read.
func TestCorpusLabels(t *testing.T) {
	kinds, languages, halves := make(map[string]int), make(map[string]int), make(map[string]int)
	for _, l := range loadLabelled(t) {
		kinds[l.head["kind"]]++
		languages[l.head["language"]]++
		halves[l.head["half"]]++
		var b strings.Builder
		source := l.html
		if l.head["noscript"] == "read" {
			source = strings.NewReplacer("<noscript", "<div", "</noscript", "</div").Replace(source)
		}
		pageText(htmlPage(t, l.head["url"], source).Root, &b)
		have := wordsOf(b.String())
		run := strings.Join(have, " ")
		for _, line := range l.want {
			if !says(run, line) {
				t.Errorf("%s: the page does not say %q", l.name, line)
			}
		}
		listed := wordsOf(strings.Join(slices.Concat(l.want, l.free, l.rest), "\n"))
		if missing, extra := leftOf(have, listed), leftOf(listed, have); len(missing)+len(extra) > 0 {
			t.Errorf("%s: in no line of the label: %q; not in the page: %q", l.name, missing, extra)
		}
		if _, err := url.ParseRequestURI(l.head["url"]); err != nil || !slices.Contains([]string{"tune", "hold"}, l.head["half"]) || l.head["title"] == "" {
			t.Errorf("%s: url, half or title: %v", l.name, l.head)
		}
	}
	t.Log(kinds, languages, halves)
	if len(kinds) != 7 || len(languages) < 8 || min(halves["tune"], halves["hold"]) < 60 {
		t.Errorf("the set is smaller than 120 pages, half of them to tune on, of seven kinds and eight languages: %v %v %v", kinds, languages, halves)
	}
}

// leftOf returns what is left of a after each word of b took one away.
func leftOf(a, b []string) []string {
	count := make(map[string]int, len(b))
	for _, w := range b {
		count[w]++
	}
	var left []string
	for _, w := range a {
		if count[w]--; count[w] < 0 {
			left = append(left, w)
		}
	}
	return left
}

// says reports whether text has the words of a line in a row.
func says(text, line string) bool {
	return strings.Contains(" "+strings.Join(wordsOf(text), " ")+" ", strings.TrimRight(" "+strings.Join(wordsOf(line), " "), " ")+" ")
}
