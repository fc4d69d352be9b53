package crawl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// maxCaps is how many patterns of a run are told apart. The hosts of further ones
// count as not covered.
const maxCaps = 1000

// capID is a pattern of a host.
type capID struct{ host, pattern string }

func compareCaps(a, b capID) int {
	return cmp.Or(strings.Compare(a.host, b.host), strings.Compare(a.pattern, b.pattern))
}

// trapCap is what a pattern leaves out.
type trapCap struct {
	kind    trapKind
	left    int    // URLs
	example string // the smallest of them
}

// leave notes that a URL is left out.
func (t *traps) leave(kind trapKind, pattern, url string) {
	id := capID{weburl.Origin(url), pattern}
	if t.caps[id] == nil {
		t.boundCaps(2*maxCaps - 1)
		t.caps[id] = &trapCap{kind: kind, example: url}
	}
	c := t.caps[id]
	c.left, c.example = c.left+1, min(c.example, url)
}

// boundCaps keeps the first patterns in order when there are more than most. What is
// cut off at one time would be cut off at the end as well, so that the choice does
// not depend on the time.
func (t *traps) boundCaps(most int) {
	if len(t.caps) <= most {
		return
	}
	for _, id := range slices.SortedFunc(maps.Keys(t.caps), compareCaps)[maxCaps:] {
		delete(t.caps, id)
		t.hosts[id.host].uncover()
	}
}

// report returns the caps in order and warns of each.
func (t *traps) report() []document.Cap {
	if t == nil {
		return nil
	}
	t.boundCaps(maxCaps)
	var all []document.Cap
	for _, id := range slices.SortedFunc(maps.Keys(t.caps), compareCaps) {
		c := t.caps[id]
		why := fmt.Sprintf("URLs like this one are left out, %d in this run: %s", c.left, t.limits.why(c.kind, c.example))
		all = append(all, document.Cap{Host: id.host, Pattern: id.pattern, Why: why, Example: c.example})
		t.warn("trap", c.example, fmt.Sprintf("%s; a sitemap that lists them has them asked all the same, site.exclude = ['re:%s'] leaves out the others too",
			why, id.pattern))
	}
	return all
}
