package cli_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// ordinaryDay is something that an owner does in the course of fifty nights.
type ordinaryDay struct {
	name  string
	do    func(t *nightTown)
	holds string // why an owner would call it right to hold some of it; empty: nothing is to be held
}

// ordinaryDays are the larger doings, by night.
func ordinaryDays() map[int]ordinaryDay {
	return map[int]ordinaryDay{
		4: {name: "a new section of 15 pages", do: func(t *nightTown) {
			t.list(kindEvent)
			for range 14 {
				t.grow(kindEvent)
			}
		}},
		8: {name: "new prices of all items", do: func(t *nightTown) {
			for _, p := range t.alive(kindItem) {
				p.price, p.modified = p.price*11/10, t.day
			}
		}},
		12: {name: "a typo on 40 pages", do: func(t *nightTown) {
			for _, p := range t.alive(kindNews, kindInfo)[:40] {
				t.edit(p)
			}
		}},
		16: {name: "other images on all pages", do: func(t *nightTown) { t.images++ }},
		20: {name: "a counter and the day in the footer of all pages", do: func(t *nightTown) { t.footer = "today" }},
		24: {name: "a template of another make", do: func(t *nightTown) { t.redesign() }},
		28: {name: "a translation of 30 pages", do: func(t *nightTown) {
			for _, p := range t.alive(kindNews, kindPerson)[:30] {
				twin := t.grow(kindDanish)
				p.partner, twin.partner, p.modified = twin.path, p.path, t.day
			}
		}},
		32: {name: "a section of 15 pages goes", do: func(t *nightTown) {
			for _, p := range t.alive() {
				if p.kind == kindEvent || p.of == kindEvent {
					t.remove(p)
				}
			}
		}},
		36: {name: "all pages move, in another template", do: func(t *nightTown) {
			t.redesign()
			for _, p := range t.alive() {
				if p.kind != kindFront && !p.file() {
					t.move(p, fmt.Sprintf("/%s/page-%d.html", map[string]string{kindItem: "shop", kindNews: "stories"}[p.kind]+p.kind, p.n))
				}
			}
		}},
		40: {name: "12 of the people go", do: func(t *nightTown) {
			for _, p := range t.alive(kindPerson)[:12] {
				t.remove(p)
			}
		}, holds: "more than half of a folder of 20 pages goes"},
		44: {name: "a description on all pages", do: func(t *nightTown) { t.described = true }},
	}
}

// TestOrdinaryNights: in fifty nights of a site's usual life nothing is held that an
// owner would not want held, and the index is the site after each of them.
func TestOrdinaryNights(t *testing.T) {
	t.Parallel()
	c := &nightCell{bad: &badNight{name: "ordinary"}, size: 122}
	c.open(t, newNightDesk(t), &nightBase{})
	c.sync(t)
	rng := rand.New(rand.NewPCG(50, 50))
	days := ordinaryDays()
	nights, held, approvals := 50, 0, 0
	if !*allNights {
		nights = 14
	}
	for c.night = range nights {
		c.truth.day++
		doing := c.usual(rng)
		day, ok := days[c.night]
		if ok {
			day.do(c.truth)
			doing += "; " + day.name
		}
		r := c.look(t)
		if len(r.Held) > 0 {
			held += len(r.Held)
			approvals++
			if day.holds == "" {
				t.Errorf("night %d, %s: held for nothing: %s", c.night, doing, r)
			}
			c.approve(t)
			r = c.look(t)
		}
		c.heals(t, r)
		if len(c.wrong) > 0 {
			t.Fatalf("night %d, %s: %s: %v", c.night, doing, r, c.wrong[:min(3, len(c.wrong))])
		}
		t.Logf("night %d, %s: %d documents", c.night, doing, len(c.index))
	}
	t.Logf("%d nights, %d changes held, %d approvals", nights, held, approvals)
}

// usual is what happens on every day: a few edits, now and then a new page, or one that
// goes.
func (c *nightCell) usual(rng *rand.Rand) string {
	t := c.truth
	all := t.alive(kindNews, kindItem, kindPerson, kindDanish, kindInfo, kindPDF, kindDOCX)
	edits := 1 + rng.IntN(5)
	for range edits {
		t.edit(all[rng.IntN(len(all))])
	}
	doing := fmt.Sprintf("%d edits", edits)
	if rng.IntN(3) == 0 {
		t.grow([]string{kindNews, kindNews, kindInfo, kindPerson}[rng.IntN(4)])
		doing += ", a new page"
	}
	if rng.IntN(4) == 0 {
		for range 1 + rng.IntN(3) {
			news := t.alive(kindNews)
			t.remove(news[0])
		}
		doing += ", some go"
	}
	return doing
}
