package cli_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var allNights = flag.Bool("nights.all", false, "TestNights plays the whole matrix, not each fault for one night on a small site; TestOrdinaryNights all its nights")

var showNights = flag.Bool("nights.show", false, "TestNights logs each change and each warning")

// nightReason is why the cells whose names begin so may differ from the promise, and
// in which checks.
type nightReason struct{ cells, checks, reason string }

// nightExceptions are the cells that the law lets differ.
func nightExceptions() []nightReason {
	const few = "mass-update: 16 pages are less than 20, and less than a fifth of what changes on a night of a deploy"
	const below = "delete.max and max_share: so few pages that lead to others are below every brake"
	const closed = "the law: what robots.txt closed waits for two runs once it is lost, no longer"
	const second = "the law: what is read ill in the same way in the second night is sent"
	return []nightReason{
		{"pages lead to other old pages/10 pages", "deleted silent", below},
		{"pages lead to other old pages/122 pages/1 nights/half", "deleted silent", below},
		{"pages lead to other old pages/122 pages/3 nights/half", "deleted silent", below},
		{"pages lead to other old pages/2000 pages", "deleted silent", below},
		{"items show the list/122 pages/1 nights/half", "overwritten silent", few},
		{"items show the list/122 pages/3 nights/half", "overwritten silent", few},
		{"another language for everybody/122 pages/1 nights/half/redesign", "overwritten", "the law: half of a folder is not more than half, where a redesign has all of it read"},
		{"crossed cache/", "overwritten silent", "a page that shows another's text is a change like any other; nothing asks yet whether most of its place does so"},
		{"files give a page/10 pages/3 nights", "overwritten", second},
		{"files give a page/10 pages/5 nights", "overwritten", second},
		{"robots.txt 404/10 pages/3 nights", "added", closed},
		{"robots.txt 404/10 pages/5 nights", "added", closed},
		{"robots.txt 404/122 pages/3 nights", "added", closed},
		{"robots.txt 404/122 pages/5 nights", "added", closed},
		{"robots.txt empty/10 pages/3 nights", "added", closed},
		{"robots.txt empty/10 pages/5 nights", "added", closed},
		{"robots.txt empty/122 pages/3 nights", "added", closed},
		{"robots.txt empty/122 pages/5 nights", "added", closed},
		{"robots.txt is a page/10 pages/3 nights", "added", closed},
		{"robots.txt is a page/10 pages/5 nights", "added", closed},
		{"robots.txt is a page/122 pages/3 nights", "added", closed},
		{"robots.txt is a page/122 pages/5 nights", "added", closed},
	}
}

// notYet are the cells that fail today.
func notYet() []nightReason {
	return nil
}

func reasonOf(all []nightReason, name string, wrong nightWrong) string {
	for _, r := range all {
		if strings.HasPrefix(name, r.cells) && slices.Contains(strings.Fields(r.checks), wrong.check) {
			return r.reason
		}
	}
	return ""
}

// nightCells are the cells of the matrix.
func nightCells(all bool) (cells []*nightCell) {
	add := func(bad *badNight, size, nights int, half, redesign, trusted bool) {
		if size >= bad.least {
			cells = append(cells, &nightCell{bad: bad, size: size, nights: nights, half: half, redesign: redesign, trusted: trusted})
		}
	}
	for _, bad := range badNights() {
		add(bad, 10, 1, false, false, false)
		if all || bad.least > 10 { // a small site does not show it
			add(bad, 122, 1, false, false, false)
		}
		if !all {
			continue
		}
		add(bad, 122, 3, false, false, false)
		for _, size := range []int{10, 122} {
			add(bad, size, 5, false, false, false)
			for _, nights := range []int{1, 3} {
				add(bad, size, nights, true, false, false)
				add(bad, size, nights, false, true, false)
			}
		}
		add(bad, 122, 1, false, false, true)
		add(bad, 122, 3, false, false, true)
		add(bad, 122, 1, true, true, true)
		add(bad, 2000, 1, false, false, false)
		add(bad, 2000, 1, true, false, false)
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
