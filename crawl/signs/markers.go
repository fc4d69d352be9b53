package signs

import (
	_ "embed"
	"path"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

//go:embed markers.txt
var markersText string

// markers are the lists in markers.txt by name.
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

// AsksForLogin reports whether a redirect leads from a page to a login. It is false if from is a login page
// itself.
func AsksForLogin(from, to string) bool {
	if isLoginPage(from) {
		return false
	}
	first, _, _ := strings.Cut(hostOf(to), ".")
	loginHost := slices.Contains([]string{"login", "sso", "auth", "idp"}, first)
	return namesLogin(to) || loginHost && weburl.Origin(from) != weburl.Origin(to)
}

// isLoginPage reports whether an address is that of a login page, so that a login form is expected there.
func isLoginPage(url string) bool {
	return namesLogin(url) || slices.Contains(markers["loginWords"], pageName(url))
}

// namesLogin reports whether an address by itself names a login.
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

// pageName returns the last segment of a URL's path, in lower case and without extension.
func pageName(url string) string {
	name, _, _ := strings.Cut(path.Base(strings.TrimRight(weburl.Path(url), "/")), ".")
	return strings.ToLower(name)
}
