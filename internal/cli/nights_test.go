package cli_test

import (
	"flag"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var allNights = flag.Bool("nights.all", false, "TestNights plays the whole matrix, not each fault for one night on a small site; TestOrdinaryNights all its nights")

var showNights = flag.Bool("nights.show", false, "TestNights logs each change and each warning")

// nightReason is why the cells whose names begin as a pattern says may differ from the
// promise, and in which checks.
type nightReason struct{ cells, checks, reason string }

// nightExceptions are the cells that the law lets differ.
func nightExceptions() []nightReason {
	const (
		few      = "the law: a page that redirects to an unlike one is missing, which is an answer, and after two runs so few go by themselves"
		closed   = "the law: what robots.txt closed waits for two runs once it is lost, no longer"
		quarter  = "the law: what closes again is more than a quarter of so small a site"
		half     = "the law: half of a place is not more than half"
		most     = "the law: 2 of 3 documents are more than half, and one has no earlier text to return to"
		second   = "the law: what is read ill in the same way in the second night is sent"
		links    = "the law: a list whose links stay shares more than half with what it was"
		doubt    = "the law: a record in doubt is put whole"
		adopted  = "the law: no text of an adopted document is known, so that there is no stranger, and nothing to return to"
		unseen   = "the law: this ledger saw no earlier robots.txt or sitemap"
		unproved = "the law: a text under a fifth of the acknowledged one is kept once; the same text read by other rules is no return"
	)
	return []nightReason{
		{"pages lead to other old pages/[12][01] pages", "deleted silent", few},
		{"pages lead to other old pages/122 pages/*/half", "deleted silent", few},
		{"pages lead to other old pages/2000 pages", "silent", few},
		{"another language for everybody/*/*/half", "overwritten silent", half},
		{"crossed cache/*/*/half", "overwritten silent", half},
		{"text five times as long/2 pages", "healing", most},
		{"empty shells/10 pages/3 nights/half", "overwritten", second},
		{"one notice under many headings/10 pages/3 nights/half", "overwritten", second},
		{"notice under each page's title/10 pages/3 nights/half", "overwritten", second},
		{"notice under each page's title/2000 pages/1 night/half", "overwritten", links},
		{"files give a page/*/[35] nights", "overwritten", second},
		{"files give a page/10 pages/1 night/restored", "overwritten silent", doubt},
		{"robots.txt [4ei]*/*/[35] nights", "added", closed},
		{"robots.txt [4ei]*/[25] pages/3 nights", "healing", quarter},
		{"robots.txt */*/1 night/adopted", "added", unseen},
		{"sitemap bloated/*/1 night/adopted", "healing", unseen},
		{"another language for everybody/*/1 night/adopted", "overwritten silent healing", adopted},
		{"crossed cache/*/1 night/adopted", "overwritten silent healing", adopted},
		{"one notice under many headings/*/1 night/adopted", "overwritten silent healing", adopted},
		{"PHP error/*/1 night/adopted", "overwritten silent healing", adopted},
		{"notice under each page's title/*/1 night/adopted", "overwritten silent healing", adopted},
		{"items show the list/*/1 night/adopted", "overwritten silent", adopted},
		{"files give a page/*/1 night/adopted", "overwritten silent healing", adopted},
		{"text five times as long/*/1 night/adopted", "healing", adopted},
		{"text five times as long/*/1 night/upgraded", "healing", unproved},
	}
}

// notYet are the cells that fail today.
func notYet() []nightReason { return nil }

func reasonOf(all []nightReason, name string, wrong nightWrong) string {
	for _, r := range all {
		parts := strings.Split(name, "/")
		depth := min(len(parts), 1+strings.Count(r.cells, "/"))
		fits, err := path.Match(r.cells, strings.Join(parts[:depth], "/"))
		if err == nil && fits && slices.Contains(strings.Fields(r.checks), wrong.check) {
			return r.reason
		}
	}
	return ""
}

// nightShape is a site's size, how many nights a fault lasts, and what lies across it.
type nightShape struct {
	size, nights int
	across       string
}

// nightShapes are the shapes of the fault number i.
func nightShapes(i int, all bool) []nightShape {
	if !all {
		return []nightShape{
			{10, 1, ""}, {[]int{2, 5, 21}[i%3], 1, ""},
			{10, 1, []string{nightUpgraded, nightAdopted, nightRestored}[i/3%3]},
		}
	}
	return []nightShape{
		{2, 1, ""}, {2, 3, ""}, {5, 1, ""}, {5, 3, ""}, {21, 1, ""}, {21, 3, ""},
		{10, 1, ""}, {10, 5, ""}, {10, 1, "half"}, {10, 3, "half"}, {10, 1, "redesign"}, {10, 3, "redesign"},
		{10, 1, "upgraded"}, {10, 1, "adopted"}, {10, 1, "restored"},
		{122, 1, ""}, {122, 3, ""}, {122, 5, ""}, {122, 1, "half"}, {122, 3, "half"}, {122, 1, "redesign"}, {122, 3, "redesign"},
		{122, 1, "trusted"}, {122, 3, "trusted"}, {122, 1, "half redesign trusted"}, {122, 1, "trusted quiet"}, {122, 3, "trusted quiet"},
		{122, 1, "upgraded"}, {122, 3, "upgraded"}, {122, 1, "adopted"}, {122, 1, "restored"},
		{2000, 1, ""}, {2000, 1, "half"},
	}
}

// nightCells are the cells of the matrix. A fault that a small site does not show has one on a
// larger site in every run.
func nightCells(all bool) (cells []*nightCell) {
	for i, bad := range badNights() {
		shapes := nightShapes(i, all)
		if !all && bad.least > 10 {
			shapes = append(shapes, nightShape{122, 1, ""})
		}
		for _, s := range shapes {
			if s.size >= bad.least {
				cells = append(cells, &nightCell{bad: bad, size: s.size, nights: s.nights, across: strings.Fields(s.across)})
			}
		}
	}
	return cells
}

// nightTally is what came of the matrix.
type nightTally struct {
	mu                  sync.Mutex
	cells               int
	nights              int
	kept                int
	exceptions, pending map[string]int
}

// TestNights: on no night of the matrix is anything wrong deleted or good overwritten,
// nothing goes unsaid, and one night after the fault the index is the truth again. On
// the first night of each fault a page changes, one is new, and one goes.
//
//	go test ./internal/cli -run TestNights -nights.all -v -timeout 60m
func TestNights(t *testing.T) {
	t.Parallel()
	desk := newNightDesk(t)
	tally := &nightTally{exceptions: map[string]int{}, pending: map[string]int{}}
	t.Run("cells", func(t *testing.T) {
		for i, c := range nightCells(*allNights) {
			if testing.Short() && i%8 > 0 { // the race detector sees the same code in each
				continue
			}
			t.Run(c.name(), func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				c.play(t, desk)
				tally.judge(t, c)
				t.Logf("%.1f s", time.Since(began).Seconds())
			})
		}
	})
	t.Logf("%d cells, %d nights; %d as promised", tally.cells, tally.nights, tally.kept)
	for name, all := range map[string]map[string]int{"exception": tally.exceptions, "not yet": tally.pending} {
		for reason, n := range all {
			t.Logf("%s: %d cells: %s", name, n, reason)
		}
	}
}

// judge counts a cell, and fails it unless each difference has its reason.
func (n *nightTally) judge(t *testing.T, c *nightCell) {
	t.Helper()
	excepted, pending, open := map[string]bool{}, map[string]bool{}, false
	told := map[string][]string{}
	for _, w := range c.wrong {
		why := "WRONG"
		if reason := reasonOf(nightExceptions(), c.name(), w); reason != "" {
			excepted[reason], why = true, "exception"
		} else if reason := reasonOf(notYet(), c.name(), w); reason != "" {
			pending[reason], why = true, "not yet"
		} else {
			open = true
		}
		key := fmt.Sprintf("%s: %s: night %d of %d: %s", why, c.name(), w.night+1, c.nights, w.check)
		told[key] = append(told[key], w.text)
	}
	for _, key := range slices.Sorted(maps.Keys(told)) {
		t.Logf("%s: %d, such as\n  %s", key, len(told[key]), strings.Join(told[key][:min(3, len(told[key]))], "\n  "))
	}
	n.count(c, excepted, pending, open)
	switch {
	case open:
		t.Fail()
	case len(pending) > 0:
		t.Skip("not yet")
	}
}

func (n *nightTally) count(c *nightCell, excepted, pending map[string]bool, open bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cells++
	n.nights += c.night + 1
	if len(excepted)+len(pending) == 0 && !open {
		n.kept++
	}
	for reason := range excepted {
		n.exceptions[reason]++
	}
	for reason := range pending {
		n.pending[reason]++
	}
}
