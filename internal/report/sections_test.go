package report

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestManyLikeWarnings: of a kind on one host that begin alike one line tells how many there are, those that were
// not kept too, and the first; asked for all, all are listed. HTML folds them, JSON holds them.
func TestManyLikeWarnings(t *testing.T) {
	all := []document.Warning{{Kind: "unhealthy", URL: "https://other.example.com/", Text: "it is ill"}}
	for i := range 6 {
		all = append(all, document.Warning{Kind: "unhealthy", URL: fmt.Sprint(site, "/", i), Text: "it is ill"})
	}
	all = append(all, document.Warning{Kind: "unhealthy", URL: site + "/7", Text: "the content shrank"}, document.Warning{Kind: "canonical", URL: site + "/1", Text: "it is wrong"}, document.MoreWarnings("sitemap", 7), document.MoreWarnings("canonical", 1000))
	run := func(all []document.Warning, err error) *Run {
		r := empty()
		r.Warnings = seq(err, all...)
		return r
	}
	var short, plan, long, page, object bytes.Buffer
	dry := run(all, nil)
	dry.Dry = true
	spell := func(c document.Command) document.Command { return c + " -c x" }
	err := errors.Join(Text(&short, run(all, nil), TextOptions{Spell: spell}), Text(&plan, dry, TextOptions{Rest: "sitesync plan show -v P"}), Text(&long, run(all, nil), TextOptions{All: true}), HTML(&page, run(all, nil)), JSON(&object, run(all, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text, part string
		want             int
	}{
		{"text", short.String(), "  unhealthy https://other.example.com/: it is ill\n", 1},
		{"text", short.String(), "  unhealthy: 6 on www.example.com, the first: SITE/0: it is ill; sitesync plan -v -c x lists them\n", 1},
		{"text", short.String(), "  unhealthy SITE/7: the content shrank\n", 1},
		{"text", short.String(), "unhealthy", 3},
		{"text", short.String(), "  canonical: 1,001 on www.example.com, the first: SITE/1: it is wrong; ", 1},
		{"text", short.String(), "  sitemap: 7, the first: and 7 more of this kind; ", 1},
		{"plan", plan.String(), "; sitesync plan show -v P lists them\n", 3},
		{"all", long.String(), "  unhealthy SITE/", 7},
		{"all", long.String(), "  canonical: and 1,000 more of this kind", 1},
		{"html", page.String(), "<summary>canonical: 1,001 on www.example.com</summary>", 1},
		{"html", page.String(), "<summary>", 3},
		{"html", page.String(), `<span class="badge">unhealthy</span>`, 8},
		{"json", object.String(), `"kind":"unhealthy"`, 8},
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
