package report

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestManyLikeWarnings: of a kind with more than five one line tells how many there are,
// those that were not kept too, and names three; asked for all, all are listed. HTML folds
// them, JSON holds them.
func TestManyLikeWarnings(t *testing.T) {
	var all []document.Warning
	for i := range 6 {
		all = append(all, document.Warning{Kind: "unhealthy", URL: fmt.Sprint(site, "/", i), Text: "it is ill"})
		if i < 5 {
			all = append(all, document.Warning{Kind: "canonical", URL: fmt.Sprint(site, "/", i), Text: "it is wrong"})
		}
	}
	all = append(all, document.MoreWarnings("unhealthy", 1000))
	run := func(all []document.Warning, err error) *Run {
		r := empty()
		r.Warnings = seq(err, all...)
		return r
	}
	var short, long, page, object bytes.Buffer
	err := errors.Join(Text(&short, run(all, nil), TextOptions{}), Text(&long, run(all, nil), TextOptions{All: true}), HTML(&page, run(all, nil)), JSON(&object, run(all, nil)))
	if err != nil {
		t.Fatal(err)
	}
	sum := "  unhealthy: 1,006 of this kind, the first: SITE/0: it is ill; SITE/1: it is ill; SITE/2: it is ill; -v lists them\n"
	for _, test := range []struct {
		name, text, part string
		want             int
	}{
		{"text", short.String(), sum, 1},
		{"text", short.String(), "unhealthy", 1},
		{"text", short.String(), "  canonical SITE/", 5},
		{"all", long.String(), "  unhealthy SITE/", 6},
		{"all", long.String(), "  unhealthy: and 1,000 more of this kind", 1},
		{"html", page.String(), "<summary>unhealthy: 1,006 of this kind</summary>", 1},
		{"html", page.String(), "<summary>", 1},
		{"html", page.String(), `<span class="badge">unhealthy</span>`, 7},
		{"json", object.String(), `"kind":"unhealthy"`, 7},
		{"json", object.String(), `"more":1000`, 1},
	} {
		if got := strings.Count(test.text, strings.ReplaceAll(test.part, "SITE", site)); got != test.want {
			t.Errorf("%s: %d times %q, want %d, in:\n%s", test.name, got, test.part, test.want, test.text)
		}
	}
	broken := errors.New("the plan is damaged")
	if err := errors.Join(Text(&short, run(nil, broken), TextOptions{})); !errors.Is(err, broken) {
		t.Errorf("text: %v", err)
	}
	if err := HTML(&page, run(nil, broken)); !errors.Is(err, broken) {
		t.Errorf("html: %v", err)
	}
}
