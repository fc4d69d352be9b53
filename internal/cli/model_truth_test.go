package cli_test

import (
	"slices"
	"strings"
)

// fate is what the law says of one address tonight, by what the site shows there.
type fate string

const (
	lives  fate = "live"   // its text belongs into the index
	dies   fate = "dead"   // proved: not there, moved on, not to be indexed, or out of scope
	lost   fate = "lost"   // not there by the look of it: may go, but need not
	stays  fate = "kept"   // whatever the index has of it stays
	silent fate = "silent" // unknown URL
	either fate = "either" // the model does not tell
)

// fate follows redirects and canonicals to their end.
func (m *modelSite) fate(path string, t trouble) fate { return m.follow(path, t, 10) }

func (m *modelSite) follow(path string, t trouble, hops int) fate {
	p := m.pages[path]
	switch {
	case p == nil:
		return either
	case t.excludes(path):
		return dies
	case t.kind == lostAll && path != "/", t.kind == soft404 && p.is == "missing":
		return lost
	case t.silent(path) || t.kind == fallsIll || hops == 0:
		return silent
	case t.kind == ignoresParams && strings.Contains(path+p.to, "?"):
		return either
	}
	switch p.is {
	case "missing", "gone":
		return dies
	case "away":
		return stays
	case "moved":
		return m.end(p.to, t, hops)
	}
	switch {
	case p.is == "hidden", t.kind == noindexAll:
		return dies
	case t.kind == frontAll && path != "/":
		return m.end("/", t, hops)
	case t.kind == canonicalAll:
		return lives
	case p.is == "copy", p.is == "mistaken":
		return m.folded(p, t, hops)
	}
	return lives
}

// end is the fate of a page that redirects to another one for good.
func (m *modelSite) end(to string, t trouble, hops int) fate {
	if to := m.pages[to]; to != nil && !t.excludes(to.to) && (to.is == "hidden" || t.kind == noindexAll && to.is == "live") {
		return either
	}
	switch f := m.follow(to, t, hops-1); f {
	case lives:
		return dies
	case dies, stays:
		p := m.pages[to]
		switch {
		case p != nil && (p.is == "moved" || t.kind == frontAll):
			return f
		case f == dies && !t.excludes(to): // a redirect that ends in 404 or 410
			return dies
		}
		return stays
	default:
		return f
	}
}

// folded is the fate of a page that names another one as canonical.
func (m *modelSite) folded(p *modelPage, t trouble, hops int) fate {
	to := m.pages[p.to]
	if to == nil {
		return either
	}
	switch f := m.follow(p.to, t, hops-1); f {
	case lives, either:
	case dies, stays:
		return lives
	default:
		return either
	}
	if to.edition == p.edition || to.lied || t.kind == sameBody || t.kind == thinAll || to.thin || p.thin {
		return either
	}
	return lives
}

// excludes reports whether the configuration or robots.txt excludes a path.
func (t trouble) excludes(path string) bool {
	switch t.kind {
	case excludesAll, otherStart:
		return true
	case excludesFolder, robotsShut:
		return strings.HasPrefix(path, t.folder())
	}
	return false
}

// edition is what a page that lives shows tonight.
func (m *modelSite) editionOf(path string, t trouble) int {
	if t.kind == sameBody && path != "/" {
		return sameEdition
	}
	return m.pages[path].edition
}

// found reports whether a run that knows nothing would come upon a page: from the
// front page, or by the sitemap.
func (m *modelSite) found(path string, t trouble) bool {
	p := m.pages[path]
	links := t.kind != followsNoLinks && slices.Contains([]fate{lives}, m.fate("/", t))
	return path == "/" || p.linked && links || p.listed && m.mapped && t.kind != sitemapCut && t.kind != sitemapBroken
}

// dark is the least share of the site that can't be read tonight: of the documents
// there were, of all addresses.
func (m *modelSite) dark(before map[string]indexed, t trouble) float64 {
	n := 0
	for path := range before {
		if t.silent(path) {
			n++
		}
	}
	return float64(n) / float64(len(m.pages)+1)
}

// last returns where the redirects from a path end; "" where that is at no page that
// has a text of its own.
func (m *modelSite) last(path string) string {
	for range 10 {
		switch p := m.pages[path]; {
		case p == nil:
			return ""
		case p.is == "moved":
			path = p.to
		case p.is == "live", p.is == "mistaken":
			return path
		default:
			return ""
		}
	}
	return ""
}
