package profile_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"sitesync/extract/profile"
	"sitesync/internal/document"
)

// TestLearnerOrder: the same profile in any order of the pages, also with more parts
// and pages than are kept, and unchanged by its two forms on disk.
func TestLearnerOrder(t *testing.T) {
	var drafts []document.Draft
	var seen []*document.Sighting
	for part := range profile.MaxParts + 100 {
		for range 9 + 100*max(0, 1-part) {
			i := len(drafts)
			d := draftOf(fmt.Sprint("Page ", i), "The menu", fmt.Sprint("Menu of part ", part), unlike(i))
			seen = append(seen, sightingOf(fmt.Sprintf("%s/part-%d/%d", site, part, i), d, i, nil))
			drafts = append(drafts, d)
		}
	}
	var first document.Profile
	for round := range 4 {
		l := profile.NewLearner(nil)
		for _, one := range seen {
			l.Offer(one)
		}
		known, _ := learn(t, l, drafts, 0)
		if first == nil {
			first = known
		}
		if !reflect.DeepEqual(known, first) {
			t.Fatalf("round %d: another profile: %d and %d sections", round, len(known), len(first))
		}
		rand.Shuffle(len(seen), func(i, j int) { seen[i], seen[j] = seen[j], seen[i] })
	}
	if len(first) != profile.MaxParts+1 || len(first[site].Blocks) != 1 {
		t.Errorf("%d sections, want %d; the origin's is %+v", len(first), profile.MaxParts+1, first[site])
	}
	for key, s := range first {
		if len(s.Blocks) != 1 || s.Version == 0 || s.Version != s.Sealed().Version {
			t.Fatalf("%s: %+v, want one block", key, s)
		}
	}
	for _, codec := range []struct {
		to   func(any) ([]byte, error)
		from func([]byte, any) error
	}{{cbor.Marshal, cbor.Unmarshal}, {json.Marshal, json.Unmarshal}} {
		raw, err := codec.to(first)
		var back document.Profile
		if err == nil {
			err = codec.from(raw, &back)
		}
		if err != nil || !reflect.DeepEqual(back, first) {
			t.Errorf("a profile does not survive its form on disk: %v", err)
		}
	}
}

// TestLearnerStands: a profile changes where the template did, and nowhere else.
func TestLearnerStands(t *testing.T) {
	e := newExtractor(t)
	with := func(footer string) func(int) document.Draft {
		return func(i int) document.Draft { return draftOf(fmt.Sprint("Page ", i), "The menu", unlike(i), footer) }
	}
	old, _ := lessons(t, many(40, with("Old footer")), nil)
	mixed := func(gone int) []document.Draft {
		return append(many(gone, with("New footer")), many(40, with("Old footer"))[gone:]...)
	}
	for name, c := range map[string]struct {
		drafts  []document.Draft
		spooled int // of them
		kept    int
		changes bool
	}{
		"nothing changed":                  {mixed(0), 40, 0, false},
		"three pages of four changed":      {mixed(30), 40, 0, false},
		"four of five changed":             {mixed(32), 40, 0, true},
		"all changed":                      {mixed(40), 40, 0, true},
		"too few pages were read":          {mixed(40)[:7], 7, 0, false},
		"as many as it takes":              {mixed(40)[:8], 8, 0, true},
		"half was read":                    {mixed(40), 40, 40, true},
		"less than half was read":          {mixed(40), 40, 41, false},
		"half was spooled":                 {mixed(40), 20, 0, true},
		"less than half was spooled":       {mixed(40), 19, 0, false},
		"other pages, none of them before": {many(40, func(i int) document.Draft { return draftOf(unlike(1000 + i)) }), 40, 0, true},
	} {
		l := profile.NewLearner(old)
		for i, d := range c.drafts {
			seen := sightingOf(fmt.Sprintf("%s/%d", site, i), d, i, old)
			if i >= c.spooled {
				seen.Draft = 0
			}
			l.Offer(seen)
		}
		now, warnings := learn(t, l, c.drafts, c.kept)
		if changed := len(now) > 0; changed != c.changes || len(warnings) != len(now) {
			t.Errorf("%s: learned %v, warned %v", name, now, warnings)
		}
		if c.changes && e.Rules(site+"/1", now) == e.Rules(site+"/1", old) {
			t.Errorf("%s: the fingerprint of the rules is the same", name)
		}
	}
	if e.Rules(site+"/1", old) == e.Rules(site+"/1", nil) || e.Rules("https://other.test/1", old) != e.Rules("https://other.test/1", nil) {
		t.Error("the profile of a section is part of the fingerprints of its pages, and of no others")
	}
}

// TestLearnerStandsByTitles: a site without a repeating line tells by what it adds to
// its titles, and by its description, that it changed.
func TestLearnerStandsByTitles(t *testing.T) {
	e := newExtractor(t)
	site := func(title, description string) []document.Draft {
		return many(30, func(i int) document.Draft {
			d := draftOf(unlike(i))
			d.Titles, d.Fields["Description"] = strings.Split(fmt.Sprintf(title, i), ","), description
			return d
		})
	}
	old, _ := lessons(t, site("Old,Page %d – Old", "By Old"), nil)
	for name, c := range map[string]struct {
		title, description string
		changes            bool
	}{
		"the same":            {"Old,Page %d – Old", "By Old", false},
		"another name":        {"Old,Page %d – New", "By Old", true},
		"a head":              {"Old,Old – page %d", "By Old", true},
		"another whole title": {"New,Page %d – Old", "By Old", true},
		"another description": {"Old,Page %d – Old", "By New", true},
	} {
		drafts := site(c.title, c.description)
		now, warnings := lessons(t, drafts, old)
		if len(now) > 0 != c.changes || len(warnings) != len(now) {
			t.Errorf("%s: learned %v, warned %v", name, now, warnings)
		}
		if got := e.Finish(drafts[3], "https://www.example.com/3", now).Fields; c.changes && (!strings.EqualFold(got["Title"], "Page 3") || got["Description"] != unlike(3)) {
			t.Errorf("%s: title %q, description %q", name, got["Title"], got["Description"])
		}
	}
}

// TestLearnerSections: what is the origin's is not repeated in its parts; a new origin
// makes its parts new; an origin that is not fit teaches nothing.
func TestLearnerSections(t *testing.T) {
	learnAll := func(footer string, old document.Profile, fit bool) (document.Profile, []document.Warning) {
		l := profile.NewLearner(old)
		var drafts []document.Draft
		for i := range 60 {
			part := []string{"news", "help"}[i%2]
			d := draftOf(fmt.Sprint("Page ", i), unlike(i), "Menu of "+part, footer)
			drafts = append(drafts, d)
			l.Offer(sightingOf(fmt.Sprintf("%s/%s/%d?q=/x/", site, part, i), d, i, old))
		}
		learned, warnings, err := l.Learn(func(origin string) bool { return fit && origin == site },
			func(at int64) (document.Draft, error) { return drafts[at-1], nil })
		if err != nil {
			t.Fatal(err)
		}
		return learned, warnings
	}
	if learned, _ := learnAll("Footer", nil, false); len(learned) > 0 {
		t.Errorf("learned %v of a host that is not fit", learned)
	}
	known, _ := learnAll("Footer", nil, true)
	for key, n := range map[string]int{site: 1, site + "/news": 1, site + "/help": 1} {
		if len(known[key].Blocks) != n || len(known) != 3 {
			t.Errorf("%s has %d blocks, want %d, of %d sections", key, len(known[key].Blocks), n, len(known))
		}
	}
	again, warnings := learnAll("New footer", known, true)
	if len(again) != 1 || len(again[site].Blocks) != 1 || len(warnings) != 1 || warnings[0].URL != site {
		t.Errorf("learned %v, warned %v; want the origin alone", again, warnings)
	}
}

// TestFewNewPagesTeachNoPart: what new pages of a profile part of the site have in
// common is not what stands on all of it.
func TestFewNewPagesTeachNoPart(t *testing.T) {
	const note = "Corrected after readers wrote to us"
	drafts := many(10, func(i int) document.Draft { return draftOf(fmt.Sprint("News ", i), unlike(i), note) })
	for _, c := range []struct{ kept, want int }{{0, 1}, {10, 1}, {11, 0}} {
		old := document.Profile{site: document.Section{}.Sealed()}
		l := profile.NewLearner(old)
		for i, d := range drafts {
			l.Offer(sightingOf(fmt.Sprintf("%s/news/%d", site, i), d, i, old))
		}
		for range c.kept {
			l.Keep(site + "/news/old")
		}
		for range 20 {
			l.Keep(site + "/contact")
		}
		learned, _, err := l.Learn(
			func(string) bool { return true },
			func(at int64) (document.Draft, error) { return drafts[at-1], nil })
		if err != nil || len(learned[site+"/news"].Blocks) != c.want {
			t.Errorf("beside %d pages that did not change: %v, %v", c.kept, learned, err)
		}
	}
}

// TestCopiesTeachNothing: a page with another canonical on its origin is no page of its own; one whose
// canonical is on another host is, as on a staging host.
func TestCopiesTeachNothing(t *testing.T) {
	drafts := many(12, func(i int) document.Draft { return draftOf(fmt.Sprint("Page ", i), unlike(i), "The footer") })
	for canonical, want := range map[string]int{
		"": 1, site + "/a": 0, "https://example.com/%d": 1, "http://www.example.com/%d": 1, "https://staging.example.org/": 1,
	} {
		l := profile.NewLearner(nil)
		for i, d := range drafts {
			seen := sightingOf(fmt.Sprintf("%s/%d", site, i), d, i, nil)
			seen.Canonical = strings.ReplaceAll(canonical, "%d", fmt.Sprint(i))
			l.Offer(seen)
		}
		if learned, _ := learn(t, l, drafts, 0); len(learned[site].Blocks) != want {
			t.Errorf("canonical %q: learned %v", canonical, learned)
		}
	}
}

// TestSectionOfNothing: a section that had nothing in common learns when most of its
// pages change at once, as they do where a rule of the owner's took its template.
func TestSectionOfNothing(t *testing.T) {
	old := document.Profile{site: document.Section{}.Sealed()}
	for _, c := range []struct{ pages, want int }{{profile.LeastRich, 1}, {profile.LeastRich - 1, 0}} {
		drafts := many(c.pages, func(i int) document.Draft { return draftOf(fmt.Sprint("Page ", i), unlike(i), "The footer") })
		if learned, _ := lessons(t, drafts, old); len(learned[site].Blocks) != c.want {
			t.Errorf("of %d pages it learned %v", c.pages, learned)
		}
	}
}
