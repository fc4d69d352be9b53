package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/testsite"
)

// newNightCase returns a site of 122 documents with its index, one day on.
func newNightCase(t *testing.T, bad *badNight) *nightCell {
	t.Helper()
	c := &nightCell{bad: bad, size: 122}
	desk := newNightDesk(t)
	c.open(t, desk, desk.base(t, c.size, false))
	c.truth.day++
	return c
}

// still fails the test where something was wrong, or where the index is not the truth.
func (c *nightCell) still(t *testing.T, r *nightResult) {
	t.Helper()
	c.heals(t, r)
	if len(c.wrong) > 0 {
		t.Fatalf("%s: %v", r, c.wrong[:min(3, len(c.wrong))])
	}
}

// next is one more night.
func (c *nightCell) next(t *testing.T) *nightResult {
	t.Helper()
	c.truth.day++
	c.night++
	return c.look(t)
}

// Pages that are short for good, and never the same twice, are kept for a night and sent
// in the second.
func TestShortForGood(t *testing.T) {
	t.Parallel()
	c := newNightCase(t, &badNight{name: "short", keeps: true, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
		if slices.Contains(c.truth.alive(kindPerson)[:3], p) {
			answerWith(a, 200, htmlType, c.truth.html(p, "", []string{p.mark(), fmt.Sprintf("This page was shown %d times.", 90210+c.night)}))
		}
	}})
	c.ill = true
	if r := c.look(t); r.Exit != 3 || r.Counts.Put+r.Counts.Patch > 0 {
		t.Errorf("the first night: %s", r)
	}
	for n := range 3 {
		r := c.next(t)
		if r.Exit != 0 || r.Counts.Put+r.Counts.Patch != len(c.struck) || len(c.struck) != 3 {
			t.Errorf("night %d, %d pages are short: %s", n+2, len(c.struck), r)
		}
	}
	if len(c.wrong) > 0 {
		t.Error(c.wrong)
	}
}

// A site whose answer for pages that are not there is a redirect loses pages all the
// same, and where the redirect leads to never comes into the index.
func TestNotFoundByRedirect(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]func(path string) string{
		"one place": func(string) string { return "/sorry" },
		"echoes":    func(path string) string { return "/sorry?from=" + strings.ReplaceAll(path, "/", "%2F") },
	} {
		for _, status := range []int{301, 302} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				t.Parallel()
				c := &nightCell{bad: &badNight{name: "not found", always: func(c *nightCell, path string, a *testsite.Answer) {
					switch {
					case strings.HasPrefix(path, "/sorry"):
						answerWith(a, 200, htmlType, c.truth.layout("en", "Sorry", "", "<h1>Sorry</h1><p>We have no such page, but there are many others to read. Begin at the front page.</p>", nil))
					case a.Status == 404:
						redirect(a, status, to(path))
					}
				}}, size: 122}
				c.open(t, newNightDesk(t), &nightBase{})
				c.still(t, c.look(t))
				for n := range 4 {
					c.truth.remove(c.truth.alive(kindNews)[n])
				}
				c.next(t)
				c.still(t, c.next(t))
			})
		}
	}
}

// Lists that lead to ever more combinations of filters do not fill the index: what a
// run would add beyond what there was waits.
func TestFacets(t *testing.T) {
	t.Parallel()
	c := newNightCase(t, &badNight{name: "facets", keeps: true, strike: facetLinks, unknown: func(c *nightCell, path string, a *testsite.Answer) {
		if filters, ok := strings.CutPrefix(path, "/find?"); ok {
			answerWith(a, 200, htmlType, c.truth.layout("en", "Filter "+filters, "", "<h1>"+filters+"</h1><p>"+english().block("the filter", uint64(len(filters)), uint64(c.truth.made))+filters+"</p>", nil))
		}
	}})
	c.ill = true
	if r := c.look(t); r.Exit != 4 || len(c.index) > 122+500 {
		t.Errorf("the index has %d documents: %s", len(c.index), r)
	}
	c.sync(t, "--only", "/no-such-page") // which decides on nothing that is held
	c.ill = false
	if r := c.next(t); r.Exit != 4 || len(r.Held) < 400 {
		t.Errorf("what growth held went out although nobody released it: %s", r)
	}
	c.approve(t)
	r := c.next(t)
	c.wrong = nil
	c.still(t, r)
}

// facetLinks adds links to 200 combinations to each list.
func facetLinks(c *nightCell, p *nightPage, a *testsite.Answer) {
	if p.kind != kindList {
		return
	}
	var links strings.Builder
	for i := range 200 {
		fmt.Fprintf(&links, "<a href=\"/find?in=%s&color=%s&size=%d\">+</a> ", p.of, english().words['a'][i%20], i/20)
	}
	answerWith(a, 200, htmlType, strings.Replace(string(a.Body), "</main>", links.String()+"</main>", 1))
}
