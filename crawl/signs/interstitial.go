package signs

import (
	_ "embed"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	formText  = 500 // a page with 500 bytes of text outside header, nav, aside and footer is no login form
	formLinks = 12
)

// FindInterstitial returns which interstitial an answer shows in place of the page at url: a challenge for
// robots, a login or a notice of maintenance. The second result is the reason as text. Both results are "" if
// there is no interstitial. root is nil if the answer has no page. The page may be in any language.
func FindInterstitial(url string, status int, header http.Header, root *html.Node) (document.Interstitial, string) {
	if why := FindGuard(header); why != "" {
		return document.BotGuard, why
	}
	switch {
	case status == http.StatusUnauthorized:
		return document.LoginWall, "the page asks for a user and a password" + otherLogin(header)
	case status == http.StatusServiceUnavailable && header.Get("Retry-After") != "":
		return document.Maintenance, "a notice of maintenance stands in place of the page (it says when to come again)"
	case root != nil && !isLoginPage(url) && isLoginForm(root):
		return document.LoginWall, "a login form stands in place of the page"
	}
	return "", ""
}

// loginScheme finds the schemes that ask for a user and a password (RFC 9110, section 11.6.1).
var loginScheme = regexp.MustCompile(`(?i)(?:^|, *)(?:Basic|Digest|NTLM|Negotiate)\b`)

// otherLogin returns a text that names the login schemes of a response. It returns "" if the response
// names no scheme, or if it names Basic, the only scheme that sitesync supports.
func otherLogin(header http.Header) string {
	schemes := loginScheme.FindAllString(strings.Join(header.Values("WWW-Authenticate"), ", "), -1)
	by := strings.TrimLeft(strings.Join(schemes, ""), ", ")
	if by == "" || strings.Contains(strings.ToLower(by), "basic") {
		return ""
	}
	return " by " + by + "; to take those of [[fetch.auth]], the server has to offer Basic"
}

// FindGuard returns a text that names the response header of a challenge for robots; "" without such a
// header.
func FindGuard(header http.Header) string {
	for _, guard := range markers["guardHeaders"] {
		name, marker, _ := strings.Cut(guard, "=")
		for _, value := range header.Values(name) {
			if strings.Contains(strings.ToLower(value), marker) {
				name = http.CanonicalHeaderKey(name)
				return fmt.Sprintf("a challenge for robots stands before the page (header %s: %s)", name, value)
			}
		}
	}
	return ""
}

// isLoginForm reports whether a page is little more than a login form. Such a form has exactly one password
// field, or it sends the visitor to a login service. A form that sets a new password has two password fields.
func isLoginForm(root *html.Node) bool {
	var f form
	f.visit(root, false)
	return f.text < formText && f.links <= formLinks && (f.passwords == 1 || f.handover)
}

type form struct {
	text      int
	passwords int
	links     int
	handover  bool
}

func (f *form) visit(n *html.Node, framed bool) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Title:
		return
	case atom.Header, atom.Nav, atom.Aside, atom.Footer:
		framed = true
	case atom.Input:
		f.handover = f.handover || page.Attr(n, "name") == "SAMLRequest"
		if !framed && strings.EqualFold(page.Attr(n, "type"), "password") {
			f.passwords++
		}
	case atom.A:
		if href := page.Attr(n, "href"); href != "" && href[0] != '#' {
			f.links++
		}
	}
	if n.Type == html.TextNode && !framed {
		f.text += len(strings.TrimSpace(n.Data))
	}
	for child := n.FirstChild; child != nil && f.text < formText && f.links <= formLinks; child = child.NextSibling {
		f.visit(child, framed)
	}
}

//go:embed markers.txt
var markersText string

var markers = parseMarkers(markersText)

func parseMarkers(text string) map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(text) {
		name, entries, found := strings.Cut(strings.TrimSpace(line), ": ")
		if found && !strings.HasPrefix(name, "#") {
			lists[name] = append(lists[name], strings.Split(entries, "; ")...)
		}
	}
	return lists
}

// AsksForLogin reports whether a redirect leads to a login, from a page that is no login page.
func AsksForLogin(from, to string) bool {
	if isLoginPage(from) {
		return false
	}
	first, _, _ := strings.Cut(hostOf(to), ".")
	loginHost := slices.Contains([]string{"login", "sso", "auth", "idp"}, first)
	return namesLogin(to) || loginHost && weburl.Origin(from) != weburl.Origin(to)
}

func isLoginPage(url string) bool {
	return namesLogin(url) || slices.Contains(markers["loginWords"], pageName(url))
}

func namesLogin(url string) bool {
	host, segments := hostOf(url), strings.Split(strings.ToLower(weburl.Path(url)), "/")
	isSegment := func(service string) bool { return slices.Contains(segments, service) }
	isHost := func(service string) bool {
		return host == service || service[0] == '.' && strings.HasSuffix(host, service)
	}
	return slices.Contains(markers["loginNames"], pageName(url)) ||
		slices.ContainsFunc(markers["loginServices"], isSegment) || slices.ContainsFunc(markers["loginHosts"], isHost)
}

func hostOf(url string) string {
	host, _, _ := strings.Cut(weburl.Host(url), ":")
	return host
}

func pageName(url string) string {
	name, _, _ := strings.Cut(path.Base(strings.TrimRight(weburl.Path(url), "/")), ".")
	return strings.ToLower(name)
}
