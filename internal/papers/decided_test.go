package papers

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// evidence is what one line of the table "What is deleted" says, as the judge sees it.
type evidence struct {
	seen    string // what stands in the line's first cell between semicolons begins so
	says    string // and its second cell holds this,
	runs    int    // which is so many runs with this evidence, until the delete is due
	needs   bool   // and the other page has to be in the index first
	facts   judge.Facts
	unusual func(*judge.Policy) // a key that is not at its default
}

const decidedPage, decidedOther = "https://www.example.com/a", "https://www.example.com/b"

// looks returns the facts of a document whose page is seen so tonight, with a status.
func looks(seen document.Seen, status int) judge.Facts {
	fields := map[string]document.Hash{"Title": document.HashOf("title"), "Content": document.HashOf("text")}
	return judge.Facts{
		URL:      decidedPage,
		Record:   &document.Record{ID: decidedPage, Type: document.PageContent, Fields: fields, Length: 1000, Push: document.PushOK},
		Sighting: &document.Sighting{URL: decidedPage, Seen: seen, Status: status},
	}
}

func with(f judge.Facts, edit func(*judge.Facts)) judge.Facts { edit(&f); return f }

func leads(f judge.Facts, to judge.Target) judge.Facts {
	return with(f, func(f *judge.Facts) {
		to.URL, to.Hops = decidedOther, 1
		f.Target = to
	})
}

func likeNothing(f judge.Facts) judge.Facts {
	return with(f, func(f *judge.Facts) { f.Sighting.Interstitial = document.Soft404 })
}

func refused(kind document.Refusal, alone bool) judge.Facts {
	return with(looks(document.Unread, 400), func(f *judge.Facts) { f.Sighting.Refusal, f.Alone = kind, alone })
}

func evidences() []evidence {
	gone := func(p *judge.Policy) { p.MovedAway = true }
	same := func(f *judge.Facts) { f.Sighting.Same = true }
	return []evidence{
		{"410", "in the same run", 1, false, looks(document.Gone, 410), nil},
		{"noindex", "in the same run", 1, false, looks(document.NoIndex, 200), nil},
		{"noindex", "noindex on a page that lost its text: in the next one", 2, false, with(looks(document.NoIndex, 200), func(f *judge.Facts) { f.Sighting.Collapsed = true }), nil},
		{"`unavailable_after`", "in the same run", 1, false, looks(document.NoIndex, 200), nil}, // which the crawl makes of it
		{"404", "after `delete.confirm` runs (1)", 1, false, looks(document.Missing, 404), nil},
		{"404", "after two at least if the sitemap still lists it", 2, false, with(looks(document.Missing, 404), func(f *judge.Facts) { f.Sighting.InSitemap = true }), nil},
		{"a redirect that ends in 404 or 410", "after two runs at least", 2, false, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetDead}), nil},
		{"what the host shows for pages that do not exist", "after two runs at least", 2, false, likeNothing(looks(document.Missing, 200)), nil},
		{"a permanent redirect to a page of the site that is [alike]", "once that page is in the index", 1, true, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetLive, Alike: true}), nil},
		{"a permanent redirect to any other page of the site", "after two runs at least, once that page is in the index", 2, true, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetLive}), nil},
		{"a duplicate", "once that page is in the index", 1, true, leads(with(looks(document.Kept, 304), func(f *judge.Facts) { f.Sighting.Canonical = decidedOther }), judge.Target{State: judge.TargetLive, Alike: true}), nil},
		{"excluded by the configuration or robots.txt", "in the same run", 1, false, looks(document.OutOfScope, 0), nil},
		{"excluded by the configuration or robots.txt", "in the same run", 1, false, looks(document.Disallowed, 0), nil},
		{"excluded by the configuration or robots.txt", "`delete.out_of_scope = \"keep\"` keeps what is excluded", 0, false, looks(document.OutOfScope, 0), func(p *judge.Policy) { p.OutOfScope = false }},
		{"no link and no sitemap", "only with `delete.orphans = \"delete\"`", 0, false, with(looks(document.Read, 200), func(f *judge.Facts) { same(f); f.HostFull = true }), nil},
		{"no link and no sitemap", "in a run that read every page of the host", 0, false, with(looks(document.Read, 200), same), func(p *judge.Policy) { p.Orphans = true }},
		{"no link and no sitemap", "only with `delete.orphans = \"delete\"`", 1, false, with(looks(document.Read, 200), func(f *judge.Facts) { same(f); f.HostFull = true }), func(p *judge.Policy) { p.Orphans = true }},
		{"a permanent redirect to another site", "after three runs", 3, false, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetForeign}), gone},
		{"a permanent redirect to another site", "only with `delete.moved_away = \"delete\"`", 30, false, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetForeign}), nil},
		{"a refusal", "in the 5th night (5xx: 12th) if nothing leads to the page", 5, false, refused(document.RefusedClient, true), nil},
		{"a refusal", "in the 32nd otherwise", 32, false, refused(document.RefusedClient, false), nil},
		{"a refusal", "(5xx: 12th) if nothing leads to the page", 12, false, refused(document.RefusedServer, true), nil},
		{"a refusal", "in the 32nd otherwise", 32, false, refused(document.RefusedServer, false), nil},
		{"a refusal", "451: in the 5th night", 5, false, refused(document.RefusedLegal, false), nil},
		{"a permanent redirect to what is excluded", "in the 3rd night", 3, false, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetForeign, Ours: true}), nil},
		{"a permanent redirect to what is excluded", "in the 3rd night", 3, false, leads(looks(document.Moved, 301), judge.Target{State: judge.TargetHidden}), nil},
		{"a page that could not be read for another reason", "in the 30th night", 30, false, looks(document.Unread, 429), nil},
		{"a page that could not be read for another reason", "in the 30th night", 30, false, looks(document.Elsewhere, 302), nil},
		{"a [retention](retention.md) rule", "in the same run", 1, false, with(looks(document.Read, 200), func(f *judge.Facts) { same(f); f.Expired = "a rule" }), nil},
	}
}

// runsToDelete returns after how many runs that see the same a document is deleted, and the
// change; 0 where it stays for good.
func runsToDelete(e evidence) (int, *document.Change) {
	for n := range 40 { // nights
		policy := judge.Policy{Run: fmt.Sprint("r", n), Start: int64(n+1) * 24 * 60 * 60, Confirm: 1, OutOfScope: true, RecheckDue: func(string, *document.Record) bool { return false }}
		if e.unusual != nil {
			e.unusual(&policy)
		}
		v := judge.Judge(e.facts, policy)
		if v.Change != nil && v.Change.Op == document.Delete {
			return n + 1, v.Change
		}
		if v.Next != nil {
			e.facts.Record = v.Next
		}
	}
	return 0, nil
}

// TestDeletes: docs/deletes.md says of each kind of evidence how many runs it takes, as the
// judge decides, and no line of its table is left out here.
func TestDeletes(t *testing.T) {
	var lines [][]string
	for _, cells := range tableOf(t, "docs/deletes.md", "## What is deleted") {
		for seen := range strings.SplitSeq(cells[0], "; ") {
			lines = append(lines, []string{seen, cells[1]})
		}
	}
	shown := map[string]bool{}
	for _, e := range evidences() {
		runs, change := runsToDelete(e)
		if runs != e.runs || change != nil && e.needs != (change.Needs != "") {
			t.Errorf("%s: %d runs, %+v; the page says %q", e.seen, runs, change, e.says)
		}
		at := slices.IndexFunc(lines, func(cells []string) bool { return strings.HasPrefix(cells[0], e.seen) })
		if at < 0 || !strings.Contains(lines[at][1], e.says) {
			t.Errorf("docs/deletes.md does not say of %q: %q", e.seen, e.says)
			continue
		}
		shown[lines[at][0]] = true
	}
	for _, cells := range lines {
		if !shown[cells[0]] {
			t.Errorf("docs/deletes.md: %q is shown by no evidence", cells[0])
		}
	}
}

// tableOf returns the cells of the first table behind a heading, without its head.
func tableOf(t *testing.T, name, heading string) (lines [][]string) {
	t.Helper()
	raw, err := os.ReadFile(top + name)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n"+heading+"\n")
	_, text, _ = strings.Cut(text, "\n|---")
	_, text, _ = strings.Cut(text, "\n")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		lines = append(lines, cells)
	}
	if len(lines) < 5 {
		t.Fatalf("%s: %s has %d lines", name, heading, len(lines))
	}
	return lines
}

// TestBrakes: docs/deletes.md lists the brakes that there are, each once.
func TestBrakes(t *testing.T) {
	raw, err := os.ReadFile(top + "internal/document/change.go")
	if err != nil {
		t.Fatal(err)
	}
	are := map[string]bool{}
	for _, found := range regexp.MustCompile(`(?m)^\tBrake\w+ +Brake = "([a-z-]+)"`).FindAllStringSubmatch(string(raw), -1) {
		are[found[1]] = true
	}
	var told []string
	for _, cells := range tableOf(t, "docs/deletes.md", "## The brakes") {
		told = append(told, strings.Trim(cells[0], "`"))
	}
	if want := slices.Sorted(maps.Keys(are)); len(are) < 8 || !slices.Equal(slices.Sorted(slices.Values(told)), want) {
		t.Errorf("docs/deletes.md lists %q; there are %q", told, want)
	}
}

// figures are what pages say of numbers that no key changes: the page's words, with # for the
// number in digits or in words, and where the number stands.
var figures = []struct{ page, says, file, name string }{
	{"docs/deletes.md", "A folder or type needs # documents, a host", "internal/judge/place.go", "placeDocuments"},
	{"docs/deletes.md", "documents, a host #.", "internal/judge/place.go", "hostDocuments"},
	{"docs/deletes.md", "of those that the run asked for (# at least)", "internal/judge/place.go", "placeSample"},
	{"docs/deletes.md", "each folder up to # deep", "internal/plan/tally/places.go", "placeDepth"},
	{"docs/deletes.md", "more than the index holds (# at least): those beyond", "internal/plan/verdicts.go", "growth"},
	{"docs/deletes.md", "before the last run, or # days past it", "internal/judge/brakes.go", "maxClockStep"},
	{"docs/deletes.md", "# pages are many if they are a fifth of the changed pages", "internal/judge/turning.go", "massPages"},
	{"docs/deletes.md", "So are # pages that are 1 % of the host's documents", "internal/judge/turning.go", "massAnyway"},
	{"docs/deletes.md", "# or more that fold into one page in one night do count", "internal/judge/brakes.go", "massFolds"},
	{"docs/deletes.md", "one of the last # indexed contents", "internal/document/document.go", "MaxRecent"},
	{"docs/deletes.md", "one of its last # indexed contents", "internal/document/document.go", "MaxRecent"},
	{"docs/deletes.md", "After # refusals the document is *parked*", "internal/document/document.go", "MaxStrikes"},
	{"docs/deletes.md", "while something leads to it, and for # runs more", "internal/judge/vanished.go", "ledRuns"},
	{"docs/deletes.md", "the text stays; after # runs a warning says so", "internal/judge/judge.go", "moveAwayRuns"},
}

var inWords = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// TestFigures: a number in the pages about deletes and brakes is that of the program.
func TestFigures(t *testing.T) {
	for _, f := range figures {
		code, err := os.ReadFile(top + f.file)
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(top + f.page)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^(?:const|\t) ?` + f.name + ` += ([0-9]+)( \* 24 \* 60 \* 60)?(?: *//.*)?$`).FindSubmatch(code)
		if found == nil {
			t.Errorf("%s holds no %s", f.file, f.name)
			continue
		}
		n, err := strconv.Atoi(string(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		written := []string{strconv.Itoa(n)}
		if n < len(inWords) {
			written = append(written, inWords[n], strings.ToUpper(inWords[n][:1])+inWords[n][1:])
		}
		if !slices.ContainsFunc(written, func(number string) bool {
			return strings.Contains(string(page), strings.ReplaceAll(f.says, "#", number))
		}) {
			t.Errorf("%s does not say %q with %d, as %s in %s", f.page, f.says, n, f.name, f.file)
		}
	}
}
