package extract

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// score is how one page, or the mean page of a group, came out: each figure a
// share of one, by index.
type score [figures]float64

const (
	f1        = iota // of words, as the next two
	precision        // lines that count neither way left out
	recall
	runs4     // F1 of runs of four words
	halfLost  // pages that lost more than half of their content
	templates // template words gone
	titles    // right ones
	dates     // right ones, and none where there is none
	languages // right ones
	figures
)

func figureNames() [figures]string {
	return [...]string{"F1", "precision", "recall", "runs of 4", "half lost", "template gone", "titles", "dates", "languages"}
}

// judge compares what was read of a page with its label.
func (l *labelled) judge(fields map[string]string) score {
	got, want := wordsOf(fields["Content"]), wordsOf(strings.Join(l.want, "\n"))
	missing, extra := len(leftOf(want, got)), leftOf(got, want)
	stray, rest := len(leftOf(extra, wordsOf(strings.Join(l.free, "\n")))), wordsOf(strings.Join(l.rest, "\n"))
	found := len(want) - missing
	s := score{
		precision: share(found, found+stray),
		recall:    share(found, len(want)),
		runs4:     l.runF1(got),
		templates: share(len(leftOf(rest, extra)), len(rest)),
		halfLost:  oneIf(missing > found),
		titles:    oneIf(slices.ContainsFunc(strings.Split(l.head["title"], " || "), func(t string) bool { return slices.Equal(wordsOf(fields["Title"]), wordsOf(t)) })),
		dates:     oneIf(l.head["date"] == cmp.Or(fields["Date"], "none") || l.head["date"] == "unjudged"),
		languages: oneIf(strings.HasPrefix(fields["Language"]+"-", l.head["language"]+"-")),
	}
	s[f1] = harmonic(s[precision], s[recall])
	return s
}

func (l *labelled) runF1(content []string) float64 {
	text := " " + strings.Join(content, " ") + " "
	for _, line := range l.free {
		text = strings.Replace(text, " "+strings.Join(wordsOf(line), " ")+" ", " ", 1)
	}
	got, want := runsOf4(strings.Fields(text)), runsOf4(wordsOf(strings.Join(l.want, "\n")))
	found := len(want) - len(leftOf(want, got))
	return harmonic(share(found, len(got)), share(found, len(want)))
}

func runsOf4(list []string) []string {
	var runs []string
	for i := range max(len(list)-3, 0) {
		runs = append(runs, strings.Join(list[i:i+4], " "))
	}
	return runs
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

func harmonic(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func mean(all []score) (m score) {
	for _, s := range all {
		for i := range s {
			m[i] += s[i] / float64(len(all))
		}
	}
	return m
}

// scores are those of the labelled pages in one group after another: each
// page's own, those of its kind and manner, and of what the goals speak of.
func scores(t testing.TB, e *Extractor) map[string][]score {
	groups := make(map[string][]score)
	for _, l := range loadLabelled(t) {
		d, err := e.Read(htmlPage(t, l.head["url"], l.html))
		if err != nil {
			t.Fatal(err)
		}
		s := l.judge(e.Finish(d, l.head["url"], document.Profile{}).Fields)
		names := []string{"all", "kind " + l.head["kind"], "manner " + l.head["manner"], "half " + l.head["half"], "page " + l.name}
		if l.head["kind"] != "article" {
			names = append(names, "not articles")
		}
		for _, name := range names {
			groups[name] = append(groups[name], s)
		}
	}
	return groups
}
