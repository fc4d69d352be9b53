package cli_test

import (
	"fmt"
	"net/http"
	"testing"

	"sitesync/internal/testsite"
)

// silence is a part of a site that answers something else for forty nights.
type silence struct {
	status int
	share  int    // per cent of the documents
	which  string // who is among them, and what leads to them
}

// The values of silence.which.
const (
	withHub    = "with the lists"
	withoutHub = "linked" // by lists that are read
	unlinked   = "unlinked"
)

func silences(all bool) (cells []silence) {
	for _, share := range []int{9, 60, 100} {
		for _, status := range []int{http.StatusForbidden, http.StatusUnauthorized, http.StatusInternalServerError} {
			for _, which := range []string{withHub, withoutHub, unlinked} {
				quick := share == 60 && which == unlinked ||
					share == 9 && status == http.StatusForbidden && which != withoutHub ||
					share == 100 && status == http.StatusInternalServerError && which == withHub
				if (all || quick) && (share < 100 || which == withHub) { // all of a host has its lists among it
					cells = append(cells, silence{status, share, which})
				}
			}
		}
	}
	return cells
}

// TestSilence: pages that are refused for forty nights leave the index where they are few.
// Where they are more than a tenth, none goes without an approval, and no night is silent.
func TestSilence(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("forty nights a cell")
	}
	desk := newNightDesk(t)
	for _, s := range silences(*allNights) {
		t.Run(fmt.Sprintf("%d for %d %%/%s", s.status, s.share, s.which), func(t *testing.T) {
			t.Parallel()
			s.play(t, desk)
		})
	}
}

func (s *silence) play(t *testing.T, desk *nightDesk) {
	const size, nights = 50, 40
	refuse := func(_ *nightCell, _ string, a *testsite.Answer) {
		answerWith(a, s.status, htmlType, "<title>Sorry</title><h1>Not for you</h1>")
	}
	hit := map[string]bool{}
	c := &nightCell{size: size, bad: &badNight{
		name: t.Name(),
		unknown: func(c *nightCell, path string, a *testsite.Answer) {
			if hit[path] {
				refuse(c, path, a)
			}
		},
	}}
	c.bad.strike = func(c *nightCell, p *nightPage, a *testsite.Answer) {
		if hit[p.path] {
			refuse(c, p.path, a)
		}
	}
	c.open(t, desk, desk.base(t, size, false))
	for _, p := range s.pages(c.truth, size) {
		hit[p.path] = true
		if s.which == unlinked {
			c.truth.remove(p)
		}
	}
	c.ill = true
	for night := 1; night <= nights; night++ {
		c.truth.day++
		r := c.sync(t)
		there := 0
		after := index(t, c.service, c.truth.origin)
		for path := range hit {
			if _, is := after[path]; is {
				there++
			}
		}
		if *showNights {
			t.Logf("night %d: %d of %d there; %s", night, there, len(hit), r)
		}
		switch few := s.share < 10; {
		case len(after)-there != size-len(hit):
			t.Fatalf("night %d: %d of the other %d documents are there", night, len(after)-there, size-len(hit))
		case few && night == nights && there > 0, !few && there < len(hit), night < 5 && there < len(hit):
			t.Fatalf("night %d: %d of %d are there: %s", night, there, len(hit), r)
		case !few && r.Exit != 3 && r.Exit != 4:
			t.Fatalf("night %d: exit %d: %s", night, r.Exit, r)
		}
	}
}

// pages returns those that are refused: a list first where one is to be among them.
func (s *silence) pages(town *nightTown, size int) (hit []*nightPage) {
	least := []string{kindNews, kindItem, kindPerson, kindDanish, kindInfo, kindPDF, kindDOCX}
	if s.which == withHub {
		hit = town.alive(kindList)[:max(1, 5*s.share/100)]
	}
	if s.share == 100 {
		return town.alive()
	}
	more := town.alive(least...)
	return append(hit, more[:s.share*size/100-len(hit)]...)
}
