package papers

import (
	"regexp"
	"strings"
	"testing"
)

// refused are words that no page has, and what to write.
var refused = []struct{ pattern, instead string }{
	{`\bis none\b|\bare none\b|\bis well\b|\bare well\b`, `"there is no", "is ok"`},
	{`\b(?i:what became of)\b`, `"the outcome of"`},
	{`\b(?i:gone on with)\b`, `"continued"`},
	{`\b(?i:taken in)\b`, `"included"`},
	{`\b(?i:(?:is|are) told once)\b|\btold once\b`, `"reported once"`},
	{`\bare nearly all\b`, `"like most"`},
	{`\b(?i:but for)\b`, `"except"`},
	{`\b1 (?:documents|pages|changes|URLs|hosts|sites|deletes|files|runs|days|words|calls|errors|warnings)\b`, "the singular"},
	{`\ball but equal\b|\bsays nothing else\b`, "plain words"},
	{`\b(?i:are|is) told of\b`, `"is reported"`},
	{`\b(?i:utili[sz]e|leverage|seamless(?:ly)?|robust|delve|cutting-edge|in order to|please note|simply|just works|powerful)\b`, "nothing, or a plain word"},
	{`\b[Cc]olors?\b|\b[Bb]ehaviors?\b|\b[Ff]avorites?\b|\b[Nn]eighbors?\b|\b[Ll]abeled\b|\b[Cc]anceled\b|\b[Cc]enter(?:ed)?\b|\b[Cc]atalog\b`, "the British spelling"},
	{`\b(?:[Nn]ormal|[Rr]ecogn|[Oo]rgan|[Ss]erial|[Cc]anonical|[Ss]ummar|[Ii]nitial|[Ss]ynchron|[Aa]uthor|[Mm]inim|[Oo]ptim)iz(?:e[sd]?|ing|er)\b`, `"-ise"`},
	{`\bthe the\b|\ba a\b|\bof of\b|\bto to\b|\bis is\b`, "the word once"},
}

// longSentences is how many sentences of over mostWords words the pages have. It only falls.
const (
	longSentences = 0
	mostWords     = 30
)

// tables are pages to look things up in: the words of their tables do not count.
var tables = regexp.MustCompile(`^(ARCHITECTURE\.md|docs/(configuration|dependencies|results|glossary|comparison)\.md|docs/troubleshooting/.*|docs/bounds/.*)$`)

// most returns how many words a page may have, as wc counts them; 0 for no bound.
func most(name string) int {
	switch name {
	case "README.md":
		return 950
	case "CHANGELOG.md":
		return 1200
	}
	return 1000
}

// TestWords: no page is long.
func TestWords(t *testing.T) {
	for _, p := range pages(t) {
		text := p.raw
		if tables.MatchString(p.name) {
			text = regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(text, "")
		}
		if got := len(strings.Fields(text)); got > most(p.name) {
			t.Errorf("%s has %d words, over %d: which question does it answer?", p.name, got, most(p.name))
		}
	}
}

// TestStyle: no page has a refused word, and the number of long sentences only falls; -v lists
// them.
func TestStyle(t *testing.T) {
	slow(t)
	long, patterns := 0, []*regexp.Regexp{}
	for _, r := range refused {
		patterns = append(patterns, regexp.MustCompile(r.pattern))
	}
	for _, p := range pages(t) {
		for i, line := range p.prose {
			text := code.ReplaceAllString(line, "``")
			for k, r := range refused {
				if found := patterns[k].FindString(text); found != "" {
					t.Errorf("%s:%d: %q: write %s", p.name, i+1, found, r.instead)
				}
			}
		}
		for _, sentence := range sentences(p.prose) {
			if n := len(strings.Fields(sentence)); n > mostWords {
				long++
				t.Logf("%s: %d words: %s", p.name, n, sentence)
			}
		}
	}
	if long > longSentences {
		t.Errorf("%d sentences are over %d words, %d were: see -v", long, mostWords, longSentences)
	} else if long < longSentences {
		t.Errorf("%d sentences are over %d words: write that number in place of %d", long, mostWords, longSentences)
	}
}

var (
	linked   = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	numbered = regexp.MustCompile(`^\d+\. `)
	ends     = regexp.MustCompile(`[.!?:;]["')*]*(?:\s|$)`)
)

// sentences returns the sentences of a text. A cell of a table is a text of its own, and so is
// an item of a list, a heading and a paragraph. A piece of code is one word.
func sentences(lines []string) (all []string) {
	var text strings.Builder
	end := func() {
		for _, part := range ends.Split(linked.ReplaceAllString(text.String(), "$1"), -1) {
			all = append(all, strings.TrimSpace(part))
		}
		text.Reset()
	}
	for _, line := range lines {
		item := strings.TrimLeft(line, " ")
		if line == "" || strings.HasPrefix(item, "|") || strings.HasPrefix(item, "- ") || strings.HasPrefix(item, "#") || numbered.MatchString(item) {
			end()
		}
		line = code.ReplaceAllString(line, "code")
		if strings.HasPrefix(item, "|") {
			for _, cell := range strings.Split(line, "|") {
				text.WriteString(cell)
				end()
			}
			continue
		}
		text.WriteString(line + " ")
	}
	end()
	return all
}
