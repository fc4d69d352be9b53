package crawl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// capped lists the caps of a night as "PATTERN EXAMPLE: WHY".
func (n *night) capped() []string {
	lines := []string{}
	for _, c := range n.survey.Caps {
		lines = append(lines, c.Pattern+" "+n.path(c.Example)+": "+c.Why)
	}
	return lines
}

// TestTraps: every trap comes to an end, at the same page whatever the concurrency,
// and the nights after grow by nothing, or by as many again where all are known.
func TestTraps(t *testing.T) {
	for name, c := range map[string]struct {
		site   func(r *rig)
		limit  int
		nights []int // pages looked at
		caps   []string
	}{
		"a calendar without entries": {
			func(r *rig) { r.script("set / Home|Welcome|/day/1\ncalendar /day/") },
			1000, []int{6, 6},
			[]string{`^/day/\d+$ /day/6: URLs like this one are left out, 1 in this run: 5 of their pages differ in digits alone`},
		},
		"a calendar with entries": {
			func(r *rig) { r.script("set / Home|Welcome|/day/1\ncalendar /day/ Open") },
			330, []int{11, 21, 31},
			[]string{`^/day/\d+$ /day/41: URLs like this one are left out, 1 in this run: 10 were found in this run one behind the other`},
		},
		"session IDs": {
			func(r *rig) {
				r.script("set / Home|Welcome|/a /b /c\nset /a A|A|/b\nset /b B|B|/c\nset /c C|C|/a\nsessions * PHPSESSID")
				for _, path := range []string{"/", "/a", "/b", "/c"} {
					r.Trap(path+"?", func(rest string) testsite.Page {
						return testsite.Page{Body: testsite.Markup{Title: path, Main: rest, Links: []string{"/a", "/b", "/c"}}.String()}
					})
				}
			},
			800, []int{5, 5},
			[]string{`[?&;]PHPSESSID=[\w.!~,-]{16}`},
		},
		"a path that repeats itself": {
			func(r *rig) { r.script("set / Home|Welcome|/part/\nrepeat /part") },
			0, []int{5, 5},
			[]string{`(?:/more(?:/[^?]*)?){3}/more(?:[/?]|$) /part/more/more/more/more/: URLs like this one are left out, 1 in this run: the path repeats itself`},
		},
		"one parameter too many": {
			func(r *rig) {
				r.script("set / Home|Welcome|/list?a=1")
				r.Trap("/list?", func(rest string) testsite.Page {
					return testsite.Page{Body: testsite.Markup{Main: rest, Links: []string{"/list?" + rest + "1", "/list?" + rest + "&" + strings.Repeat("b", len(rest)) + "=1"}}.String()}
				})
			},
			100, nil,
			[]string{`^/list\?(?:(?:a)`, `^/list\?(?:(?:a|bbb)`, `^/list\?(?:(?:a|bbbb)`, `^/list\?(?:(?:a|bbbbb)`, `^/list\?(?:[^&]*&){2} `},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "")
			c.site(r)
			r.limit = c.limit
			for i, want := range c.nights {
				n := r.run()
				if len(n.pages) != want || !n.host().Covered || !n.survey.Complete {
					t.Errorf("night %d: %d pages, want %d: %q, %+v", i+1, len(n.pages), want, n.seen(), n.survey)
				}
				r.remember(n)
			}
			r.opts.Concurrency = 1
			one := r.run()
			r.opts.Concurrency = 16
			many := r.run()
			same(t, "at 16 workers", many.whole(), one.whole()...)
			same(t, "caps at 16 workers", many.capped(), one.capped()...)
			if got := many.capped(); len(got) != len(c.caps) || !strings.HasPrefix(got[0], c.caps[0]) {
				t.Errorf("caps %q, want %q", got, c.caps)
			}
			w := many.survey.Warnings[len(many.survey.Warnings)-1]
			if w.Kind != "trap" || w.URL != many.survey.Caps[0].Example || !strings.Contains(w.Text, many.survey.Caps[0].Pattern) {
				t.Errorf("the warning is %+v", w)
			}
		})
	}
}

// TestRepeatsAreRemembered: where pages say the same and few of them are read, because the others
// did not change, no further one is asked; until too few are left that may still say it.
func TestRepeatsAreRemembered(t *testing.T) {
	for name, c := range map[string]struct {
		script string   // before the second night
		read   []string // known pages that are read for real in the second and the third night
		last   int      // pages known after the third
	}{
		"none is read":    {"", nil, 6},
		"the last one is": {"", []string{"/day/5"}, 6},
		"all are":         {"", []string{"/day/1", "/day/2", "/day/3", "/day/4", "/day/5"}, 6},
		"two say more":    {"set /day/4 More|More|/day/5\nset /day/5 Most|Most|/day/6", []string{"/day/4", "/day/5"}, 11},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome|/day/1")
			for day := range 20 {
				r.HTML(fmt.Sprint("/day/", day), "Day", fmt.Sprintf("<p>Nothing on day %d</p>", day), fmt.Sprint("/day/", day+1))
			}
			r.limit = 1000
			for _, want := range []int{6, 6, c.last} {
				r.remember(r.run())
				if len(r.known) != want {
					t.Errorf("%d pages are known, want %d", len(r.known), want)
				}
				for _, path := range c.read {
					r.known[path] = document.Known{Document: true, Hints: r.known[path].Hints}
				}
				r.script(c.script)
			}
			same(t, "remembered", r.hosts[r.origin].Repeats, `^/day/\d+$`)
		})
	}
}

// TestFoldedPagesRest: what a trusted hint calls folded is not asked, unless it is listed, or
// of a host whose links are not known; and it counts in the cap of a trap.
func TestFoldedPagesRest(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*rig)
		asked  string
	}{
		"at rest":             {func(*rig) {}, "/ /a?n=1 /a?n=2"},
		"one is due":          {func(r *rig) { r.known["/a?n=8"] = document.Known{} }, "/ /a?n=1 /a?n=2 /a?n=8"},
		"listed":              {func(r *rig) { r.Sitemap(testsite.Entry{Loc: "/a?n=9"}) }, "/ /a?n=1 /a?n=2 /a?n=9"},
		"depth counts":        {func(r *rig) { r.opts.MaxDepth = 5 }, "/ /a?n=1 /a?n=2 /a?n=7 /a?n=8 /a?n=9"}, // other rules for links
		"links are not known": {func(r *rig) { clear(r.hosts) }, "/ /a?n=1 /a?n=2 /a?n=7 /a?n=8 /a?n=9"},
		"a trap is full":      {func(r *rig) { r.limit = 3 }, "/"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome\nset /a?n=7 A|A\nset /a?n=8 A|A\nset /a?n=9 A|A\nset /a?n=1 B|B\nset /a?n=2 C|C")
			r.remember(r.run())
			r.asked()
			for _, n := range []string{"7", "8", "9"} {
				r.known["/a?n="+n] = document.Known{Rests: true}
			}
			r.script("set / Home|Welcome|/a?n=1 /a?n=2")
			c.change(r)
			n := r.run()
			asked := r.asked()
			same(t, "asked", asked, strings.Fields(c.asked)...)
			if want := 6 - len(asked); name != "a trap is full" && (n.survey.SkippedByHint != want || n.table.Count(spool.Kept) != want || !n.host().Covered) {
				t.Errorf("%d skipped, want %d; %+v", n.survey.SkippedByHint, want, n.host())
			}
		})
	}
}

// shop is a site whose list takes four filters with three values each.
func shop(t *testing.T) *rig {
	r := newRig(t, "set / Home|Welcome|/shop")
	r.Facets("/shop", 3, "brand", "color", "price", "size")
	r.limit = 120
	return r
}

// TestFacets: single filters and pairs of them are all looked at; of three or more
// as many combinations as the limit lets, give or take what fingerprints decide.
func TestFacets(t *testing.T) {
	r := shop(t)
	n := r.run()
	counts := map[int]int{}
	for path := range n.pages {
		counts[strings.Count(path, "=")]++
	}
	if counts[1] != 12 || counts[2] != 54 || counts[3] < 3 || counts[3] > 30 || counts[4] > 40 {
		t.Errorf("combinations looked at: %v", counts)
	}
	if len(n.survey.Caps) != 1 || !strings.Contains(n.survey.Caps[0].Why, "combinations") {
		t.Errorf("caps %q", n.capped())
	}
	r.opts.Concurrency = 1
	one := r.run()
	same(t, "at one worker", one.whole(), n.whole()...)
	same(t, "caps at one worker", one.capped(), n.capped()...)
	r.remember(n)
	if second := r.run(); len(second.pages) > len(n.pages)+5*12 {
		t.Errorf("%d pages in the second night, %d in the first", len(second.pages), len(n.pages))
	}
}

// TestArticlesByParameter: where one of several parameters names the page, their
// number is no trap.
func TestArticlesByParameter(t *testing.T) {
	r := newRig(t, "")
	var links []string
	for i := range 60 {
		path := fmt.Sprintf("/index.php?option=content&view=article&id=%d&lang=en", i)
		r.HTML(path, "Article", testsite.Words(i))
		links = append(links, path)
	}
	r.HTML("/", "Home", "<p>Welcome</p>", links...)
	r.limit = 120
	if n := r.run(); len(n.pages) != 61 || n.survey.Caps != nil {
		t.Errorf("%d pages, caps %q", len(n.pages), n.capped())
	}
}

// TestTrapsSpareWhatIsNamed: what is known, listed or a start URL is asked whatever
// its shape, and uses up no more than its own place.
func TestTrapsSpareWhatIsNamed(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/day/1\ncalendar /day/ Open\nset /day/x/x/x/x Loop|Loop")
	r.opts.Start = append(r.opts.Start, r.origin+"/day/900")
	r.Sitemap(testsite.Entry{Loc: "/day/700"}, testsite.Entry{Loc: "/day/701"}, testsite.Entry{Loc: "/day/x/x/x/x"})
	for i := range 4 {
		r.known[fmt.Sprint("/day/", 500+i)] = document.Known{Document: true}
	}
	r.opts.IgnoreParams = []string{"x"}
	r.known["/day/600?x=1"] = document.Known{Document: true}
	r.limit = 3
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/day/500 read", "/day/501 read", "/day/502 read", "/day/503 read", "/day/600 read", "/day/600?x=1 moved /day/600", "/day/700 read", "/day/701 read",
		"/day/900 read", "/day/x/x/x/x read")
	if len(n.survey.Caps) != 1 || n.path(n.survey.Caps[0].Example) != "/day/1" || !strings.Contains(n.survey.Caps[0].Why, "5 in this run") {
		t.Errorf("caps %q", n.capped())
	}
}

// TestTrapsTakeNothingOfMaxPages: what is left out leaves its place to others.
func TestTrapsTakeNothingOfMaxPages(t *testing.T) {
	r := newRig(t, "set /a A|A\nset /b B|B\nset /c C|C")
	links := []string{"/a", "/b", "/c"}
	for i := range 50 {
		links = append(links, fmt.Sprint("/x/x/x/x/", i))
	}
	r.HTML("/", "Home", "<p>Welcome</p>", links...)
	r.opts.MaxPages = 4
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/a read", "/b read", "/c read")
	if !n.host().Covered {
		t.Error("the host is not covered")
	}
}

// TestLargeSectionsAreNoTraps: three thousand articles that no sitemap lists, found
// through a hundred pages of a list, one behind the other.
func TestLargeSectionsAreNoTraps(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	r := newRig(t, "set / Home|Welcome|/news?page=1")
	const lists, articles = 100, 30
	for list := 1; list <= lists; list++ {
		links := []string{fmt.Sprint("/news?page=", min(list+1, lists)), fmt.Sprint("/news?page=", max(list-1, 1))}
		for i := range articles {
			article := list*articles + i
			path := fmt.Sprintf("/news/%d", article)
			r.HTML(path, "Article", testsite.Words(article))
			links = append(links, path)
		}
		r.HTML(fmt.Sprint("/news?page=", list), "News", testsite.Words(list), links...)
	}
	if n := r.run(); len(n.pages) != 1+lists+lists*articles || len(n.survey.Caps)+len(n.survey.Warnings) != 0 {
		t.Errorf("%d pages, caps %q", len(n.pages), n.capped())
	}
}

// family is a site whose pages say the same and lead to four more each.
func family(t *testing.T) *rig {
	r := newRig(t, "set / Home|Welcome|/node/1")
	r.Trap("/node/", func(rest string) testsite.Page {
		var n int
		_, _ = fmt.Sscan(rest, &n)
		return testsite.Page{Body: testsite.Markup{Main: rest, Links: []string{fmt.Sprint(4*n - 2), fmt.Sprint(4*n - 1), fmt.Sprint(4 * n), fmt.Sprint(4*n + 1)}}.String()}
	})
	r.limit = 2000
	return r
}

// TestTrapsOfAResumedRun: a run that was broken off anywhere goes on to where one
// would have come that was not.
func TestTrapsOfAResumedRun(t *testing.T) {
	for site, stops := range map[*rig][]int{shop(t): {3, 40, 60, 67}, family(t): {2, 9, 15, 20}} {
		n := site.run()
		if len(n.survey.Caps) == 0 {
			t.Fatal("there is no cap")
		}
		want := site.asked()
		for _, stop := range stops {
			same(t, fmt.Sprint("asked, broken off after ", stop), site.askedInTwo(stop), want...)
		}
	}
}

// askedInTwo lists what is asked by a run that is broken off after some pages, and
// by the one that resumes it.
func (r *rig) askedInTwo(stop int) []string {
	ctx, cancel := context.WithCancel(r.t.Context())
	r.hook = func(n *night, _ *document.Page) error {
		if len(n.pages) == stop {
			cancel()
		}
		return nil
	}
	work := r.t.TempDir()
	if _, err := r.try(ctx, work); !errors.Is(err, context.Canceled) {
		r.t.Fatal(err)
	}
	r.hook = nil
	if _, err := r.try(r.t.Context(), work); err != nil {
		r.t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, line := range r.asked() {
		path, _, _ := strings.Cut(line, " ")
		asked[path] = true
	}
	return slices.Sorted(maps.Keys(asked))
}

// maxCaps is how many caps of a run are reported.
const maxCaps = 1000

// TestCapsAreBounded: a site with more patterns than are told apart is not covered.
func TestCapsAreBounded(t *testing.T) {
	r := newRig(t, "")
	var links []string
	for i := range 3 * maxCaps {
		part := "/" + strings.ReplaceAll(testsite.Words(i), " ", "-")
		links = append(links, strings.Repeat(part, 4), strings.Repeat(part, 4)+"/x")
	}
	r.HTML("/", "Home", "<p>Welcome</p>", links...)
	n := r.run()
	if len(n.survey.Caps) != maxCaps || n.host().Covered || n.survey.Complete || len(n.pages) != 1 {
		t.Errorf("%d caps, %d pages, %+v", len(n.survey.Caps), len(n.pages), n.host())
	}
	for _, c := range n.survey.Caps {
		if !strings.Contains(c.Why, "2 in this run") {
			t.Errorf("%+v", c)
		}
	}
}
