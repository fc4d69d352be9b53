package page

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// longestRefresh is the longest delay, in seconds, at which a refresh counts as a redirect. With a longer
// delay the page is meant to be read.
const longestRefresh = 10

// refreshPattern parses a meta refresh or a Refresh header (HTML standard, "shared declarative refresh
// steps"). Its first group holds the seconds, one of the other three groups the address. The address is
// empty if the page only reloads itself.
var refreshPattern = regexp.MustCompile(`(?s)^[\t\n\f\r ]*(\d+|\.)[\d.]*(?:$|[\t\n\f\r ]*[\t\n\f\r ;,][\t\n\f\r ]*)` +
	`(?:(?i:url)[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))`)

// metaRefresh returns the match of refreshPattern in an element; nil if the element is no meta refresh.
func metaRefresh(n *html.Node) []string {
	if n.DataAtom != atom.Meta || !strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "refresh") {
		return nil
	}
	return refreshPattern.FindStringSubmatch(Attr(n, "content"))
}

// refreshTarget returns the address in a match of refreshPattern, as written.
func refreshTarget(match []string) string { return strings.Join(match[2:], "") }

// scriptNames reports whether a script of the page seems to redirect to address: its text has "location"
// and the address in quotes. Browsers that run scripts ignore a refresh in a noscript element, so it counts
// only if a script names the same address.
func scriptNames(root *html.Node, address string) bool {
	for n := root; n != nil; n = Next(root, n) {
		if code := n.FirstChild; n.DataAtom == atom.Script && code != nil && strings.Contains(code.Data, "location") &&
			(strings.Contains(code.Data, `"`+address+`"`) || strings.Contains(code.Data, "'"+address+"'")) {
			return true
		}
	}
	return false
}

// leadOn stores the target of a refresh in l if its delay is at most longestRefresh. match is a match of
// refreshPattern; it may be nil.
func (l *Links) leadOn(pageURL string, match []string, resolve func(href string) (string, error)) {
	if match == nil || refreshTarget(match) == "" { // without an address the page only reloads itself
		return
	}
	after, _ := strconv.ParseUint(match[1], 10, 16) // "." gives 0; too large a number gives the largest value
	target, err := resolve(refreshTarget(match))
	if err == nil && target != pageURL && after <= longestRefresh {
		l.Refresh, l.After = target, after
	}
}
