package cli_test

import (
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/testsite"
)

// troubleKind is what is wrong with a site, or with its configuration, for a night.
type troubleKind string

const (
	allWell troubleKind = ""

	outage         troubleKind = "outage"           // 503 everywhere
	folderOutage   troubleKind = "folder outage"    // 503 in one folder
	fallsIll       troubleKind = "falls ill"        // 503 everywhere after some requests
	robotsOutage   troubleKind = "robots outage"    // robots.txt answers 503
	robotsLost     troubleKind = "robots lost"      // robots.txt answers 404
	robotsShut     troubleKind = "robots shut"      // robots.txt disallows one folder
	soft404        troubleKind = "soft 404"         // unknown addresses answer 200
	lostAll        troubleKind = "soft 404 for all" // known ones as well, with the not-found page
	sitemapCut     troubleKind = "sitemap cut"      // it lists a fifth
	sitemapBroken  troubleKind = "sitemap broken"
	noindexAll     troubleKind = "noindex everywhere"
	canonicalAll   troubleKind = "canonical to the front page everywhere"
	frontAll       troubleKind = "redirect to the front page everywhere"
	noticeAll      troubleKind = "maintenance with 200"
	loginAll       troubleKind = "login form everywhere"
	loginRedirect  troubleKind = "login redirect everywhere"
	guardAll       troubleKind = "bot guard"
	sameBody       troubleKind = "one body everywhere"
	thinAll        troubleKind = "next to no text everywhere"
	excludesFolder troubleKind = "configuration excludes a folder"
	excludesAll    troubleKind = "configuration excludes all"
	otherStart     troubleKind = "configuration starts at another origin"
	ignoresParams  troubleKind = "configuration ignores id"
	followsNoLinks troubleKind = "configuration follows no links"
	changesExtract troubleKind = "configuration adds a field"
)

func troubleKinds() []troubleKind {
	return []troubleKind{
		allWell, outage, folderOutage, fallsIll, robotsOutage, robotsLost, robotsShut, soft404, lostAll, sitemapCut, sitemapBroken,
		noindexAll, canonicalAll, frontAll, noticeAll, loginAll, loginRedirect, guardAll, sameBody, thinAll,
		excludesFolder, excludesAll, otherStart, ignoresParams, followsNoLinks, changesExtract,
	}
}

// sameEdition is what all pages show under sameBody.
const sameEdition = 1_000_000

// trouble is one night's; n says which folder, or after how many requests.
type trouble struct {
	kind troubleKind
	n    int
}

func (t trouble) folder() string { return fmt.Sprintf("/s%d/", t.n%3) }

// shown is what pages say about the trouble in their validators.
func (t trouble) shown() troubleKind {
	switch t.kind {
	case noindexAll, canonicalAll, sameBody, thinAll:
		return t.kind
	}
	return allWell
}

// silent reports whether nothing that the site says of a page is to be believed
// tonight.
func (t trouble) silent(path string) bool {
	switch t.kind {
	case outage, noticeAll, loginAll, loginRedirect, guardAll:
		return true
	case folderOutage:
		return strings.HasPrefix(path, t.folder())
	case lostAll:
		return path != "/"
	}
	return false
}

// waits reports whether new documents at a path may wait: robots.txt is lost, and an
// earlier one closed them.
func (m *modelSite) waits(path string, t trouble) bool {
	return t.kind == robotsLost && slices.ContainsFunc(m.closed, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

// strike makes the test site misbehave.
func (t trouble) strike(m *modelSite) {
	fault := func(pattern string, f testsite.Fault) {
		m.site.Fault(pattern, f)
		m.faulty = append(m.faulty, pattern)
	}
	down := testsite.Status(503, "")
	switch t.kind {
	case outage:
		fault("*", down)
	case folderOutage:
		fault(t.folder()+"*", down)
	case fallsIll:
		fault("*", testsite.After(t.n, down))
	case robotsOutage:
		fault("/robots.txt", down)
	case robotsShut:
		m.site.Robots("User-agent: *\nDisallow: " + t.folder())
		m.closed = append(m.closed, t.folder())
	case lostAll:
		for _, path := range m.paths() {
			if path != "/" {
				fault(path, testsite.Say(200, "Page not found", "We looked, and there is nothing at this address."))
			}
		}
		m.site.Soft404(true)
	case sitemapBroken:
		if m.mapped {
			fault("/sitemap.xml", testsite.Cut(60))
		}
	case noticeAll:
		fault("*", testsite.Notice())
	case loginAll:
		fault("*", testsite.LoginForm())
	case loginRedirect:
		fault("*", testsite.LoginWall())
	case guardAll:
		fault("*", testsite.BotGuard())
	}
}

// configure returns the lines of [site] and [[extract.field]] that the trouble is.
func (t trouble) configure(origin string) (site, extract string) {
	start := origin
	switch t.kind {
	case excludesFolder:
		site = fmt.Sprintf("exclude = [%q]\n", t.folder()+"**")
	case excludesAll:
		site = "exclude = [\"/**\"]\n"
	case otherStart:
		start = strings.Replace(origin, "127.0.0.1", "localhost", 1)
	case ignoresParams:
		site = "ignore_params = [\"id\"]\n"
	case followsNoLinks:
		site = "links = false\n"
	case changesExtract:
		extract = "[[extract.field]]\nname = \"Section\"\nfrom = [\"path:1\"]\n"
	}
	return fmt.Sprintf("start = [%q]\n%s", start+"/", site), extract
}
