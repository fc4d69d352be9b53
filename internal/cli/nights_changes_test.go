package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// realChange is what an owner does to a site for good.
type realChange struct {
	name     string
	size     int      // documents; 0: 122
	commands int      // that the owner needs; none or one
	bad      badNight // what the site answers; its strike is over on the night of the change
	fresh    bool     // the night before is the first run, and struck
	do       func(c *nightCell)
}

// realChanges are those of which an owner would say that one approval is right, or none.
func realChanges() []realChange {
	half := 122
	if *allNights {
		half = 2000
	}
	renamed := func(redirects bool) func(c *nightCell) {
		return func(c *nightCell) {
			for _, p := range c.truth.alive() {
				if was := p.path; strings.HasPrefix(was, "/news/") {
					c.truth.move(p, "/stories"+strings.TrimPrefix(was, "/news"))
					if !redirects {
						delete(c.truth.moved, was)
					}
				}
			}
		}
	}
	noSitemap := func(c *nightCell, path string, a *testsite.Answer) {
		if path == "/sitemap.xml" && c.night > 0 {
			c.truth.answer("/nothing", a)
		}
	}
	return []realChange{
		{name: "a section is renamed, with redirects", do: renamed(true)},
		{name: "a section is renamed, without redirects", do: renamed(false)},
		{name: "a section is renamed, and the sitemap lost", bad: badNight{always: noSitemap}, do: renamed(true)},
		{name: "another template", do: func(c *nightCell) { c.truth.redesign() }},
		{name: "a language more", do: func(c *nightCell) {
			for _, p := range c.truth.alive(kindNews, kindItem, kindPerson) {
				twin := c.truth.grow(kindDanish)
				p.partner, twin.partner, p.modified = twin.path, p.path, c.truth.day
			}
		}},
		{name: "the sitemap is lost", bad: badNight{always: noSitemap}, do: func(*nightCell) {}},
		{name: "another host name", commands: 1, do: func(c *nightCell) { c.truth.origin = "http://www.village.example" }},
		{name: "half of the host goes", size: half, commands: 1, do: func(c *nightCell) {
			for _, p := range c.truth.alive() {
				if p.n%2 == 1 && p.kind != kindList {
					c.truth.remove(p)
				}
			}
		}},
		{name: "translations that shared one text get their own", fresh: true, bad: badNight{strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.kind == kindDanish {
				answerWith(a, http.StatusOK, htmlType, c.truth.html(p, "", c.truth.pages["/"].blocks()))
			}
		}}},
		{name: "five pages stay of a site", commands: 1, do: func(c *nightCell) {
			for _, p := range c.truth.alive()[5:] {
				c.truth.remove(p)
			}
		}},
		{name: "a first run finds nothing", size: 600, fresh: true, bad: badNight{strike: func(_ *nightCell, _ *nightPage, a *testsite.Answer) {
			a.Header.Set("X-Robots-Tag", "noindex")
		}}},
	}
}

// TestRealChanges: what changes for good takes one approval at most, on one night.
func TestRealChanges(t *testing.T) {
	t.Parallel()
	desk := newNightDesk(t)
	for _, change := range realChanges() {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			change.bad.name = change.name
			c := &nightCell{bad: &change.bad, size: max(122, change.size)}
			base := &nightBase{}
			if !change.fresh {
				base = desk.base(t, c.size, false)
			}
			c.open(t, desk, base)
			if change.fresh {
				c.ill = true
				if r := c.sync(t); (r.Exit == 1) != (r.Counts.Put == 0) {
					t.Errorf("the first run: %s", r)
				}
				c.ill = false
			}
			if commands := c.settle(t, change.do); commands > change.commands {
				t.Errorf("%d commands were needed, want %d", commands, change.commands)
			}
		})
	}
}

// settle lets a change happen, and plays nights until the index is the site. It returns how
// many approvals that took.
func (c *nightCell) settle(t *testing.T, change func(c *nightCell)) (commands int) {
	t.Helper()
	for c.night = 1; c.night < 10; c.night++ {
		c.truth.day++
		if c.night == 1 && change != nil {
			change(c)
			c.write(t, "night.toml", bytes.Replace(c.read(t, "night.toml"), []byte(nightOrigin), []byte(c.truth.origin), 1))
		}
		if c.truth.origin != nightOrigin { // all of it is new by name
			c.index, c.wrong = nil, nil
		}
		r := c.look(t)
		if len(r.Held) > 0 {
			commands++
			c.approve(t)
		}
		wrong := len(c.wrong)
		if c.heals(t, r); len(c.wrong) == wrong {
			t.Logf("%d nights, %d commands", c.night, commands)
			return commands
		}
		c.wrong = c.wrong[:wrong]
	}
	c.heals(t, c.look(t))
	t.Error(fmt.Sprint(c.wrong[:min(3, len(c.wrong))]))
	return commands
}
