package page

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// longestRefresh is how many seconds a page may take to lead on and be a redirect: readers
// have time for what leads on later.
const longestRefresh = 10

// refreshPattern reads the content of a meta refresh or a header Refresh, as the shared
// declarative refresh steps of the HTML standard do: seconds, then in one of three groups the
// address, which is empty where the page only reloads itself.
var refreshPattern = regexp.MustCompile(`(?s)^[\t\n\f\r ]*(\d+|\.)[\d.]*(?:$|[\t\n\f\r ]*[\t\n\f\r ;,][\t\n\f\r ]*)` +
	`(?:(?i:url)[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))`)

// metaRefresh returns the match of refreshPattern in an element; nil where it is no meta refresh.
func metaRefresh(n *html.Node) []string {
	if n.DataAtom != atom.Meta || !strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "refresh") {
		return nil
	}
	return refreshPattern.FindStringSubmatch(Attr(n, "content"))
}

// refreshTarget returns the address in a match of refreshPattern, as it is written.
func refreshTarget(match []string) string { return strings.Join(match[2:], "") }

// scriptNames reports whether a script of the page leads to an address, as far as that can be
// told without running it. Browsers that run scripts do not see what stands in a noscript: a
// refresh there counts where a script says the same.
func scriptNames(root *html.Node, address string) bool {
	for n := root; n != nil; n = Next(root, n) {
		if code := n.FirstChild; n.DataAtom == atom.Script && code != nil && strings.Contains(code.Data, "location") &&
			(strings.Contains(code.Data, `"`+address+`"`) || strings.Contains(code.Data, "'"+address+"'")) {
			return true
		}
	}
	return false
}

// leadOn notes where a match of refreshPattern leads within longestRefresh.
func (l *Links) leadOn(pageURL string, match []string, resolve func(href string) (string, error)) {
	if match == nil || refreshTarget(match) == "" { // else it only reloads the page
		return
	}
	after, _ := strconv.ParseUint(match[1], 10, 16) // 0 of a dot, the most there is of more than that
	target, err := resolve(refreshTarget(match))
	if err == nil && target != pageURL && after <= longestRefresh {
		l.Refresh, l.After = target, after
	}
}
