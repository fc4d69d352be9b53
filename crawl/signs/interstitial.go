package signs

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// wall is what stands in place of a page: a state that its host may be in, and in
// words what gave it away. The zero value is none.
type Interstitial struct {
	Kind document.HostState
	Why  string
}

// wallOf tells from one answer alone whether something stands in place of the page
// at url: a challenge for robots, a login form, a notice of maintenance, the
// domain's seller. root is nil where there was no page. It would rather miss a wall
// than take a page for one: an answer with much text of its own is a page.
func FindInterstitial(url string, status int, header http.Header, root *html.Node) Interstitial {
	for _, guard := range guardHeaders {
		for _, value := range header[guard.name] {
			if guard.value == "" || strings.Contains(strings.ToLower(value), guard.value) {
				return Interstitial{document.HostBotGuard, fmt.Sprintf("a challenge for robots stands before the page (header %s: %s)", guard.name, value)}
			}
		}
	}
	if status == http.StatusUnauthorized {
		return Interstitial{document.HostLoginWall, "the page asks for a user and a password"}
	}
	if root == nil || !littleText(root) {
		return Interstitial{}
	}
	f := readFront(url, root)
	switch {
	case f.guard() != "":
		return Interstitial{document.HostBotGuard, fmt.Sprintf("a challenge for robots stands before the page (it holds %q)", f.guard())}
	case f.parked() != "":
		return Interstitial{document.HostParked, fmt.Sprintf("the domain's seller or parking service answers (the page holds %q)", f.parked())}
	case f.login(url):
		return Interstitial{document.HostLoginWall, "a login form stands in place of the page"}
	case f.maintenance():
		return Interstitial{document.HostMaintenance, "a notice of maintenance stands in place of the page"}
	}
	return Interstitial{}
}

// guard returns what shows that the page is a challenge for robots.
func (f *front) guard() string {
	if marker := firstIn(f.code, guardCode); marker != "" {
		return marker
	}
	if f.article || f.links > 5 {
		return ""
	}
	for _, marker := range guardTexts {
		if strings.Contains(f.text, marker[0]) && strings.Contains(f.text, marker[1]) {
			return marker[0]
		}
	}
	if firstIn(f.code, guardWidgets) == "" || firstIn(f.text, guardDemands) == "" {
		return ""
	}
	return firstIn(f.head, guardHeads)
}

// parked returns what shows that the domain has no site of its own.
func (f *front) parked() string {
	if f.article || f.inner > 1 {
		return ""
	}
	if marker := firstIn(f.code, parkedCode); marker != "" {
		return marker
	}
	if phrase := firstIn(f.head, parkedPhrases); phrase != "" && f.inner == 0 {
		return phrase
	}
	if phrase := firstIn(f.text, parkedPhrases); phrase != "" && f.inner == 0 && strings.Contains(f.text, f.host) {
		return phrase
	}
	return ""
}

// login reports whether the main thing of the page is a login form that does not
// belong at its address.
func (f *front) login(url string) bool {
	if isLoginPage(url) || f.article || f.links > 12 {
		return false
	}
	return f.handover || f.password && (firstIn(f.head, loginHeads) != "" || f.head == "" && len(f.text) < 200)
}

func (f *front) maintenance() bool {
	return !f.article && f.links <= 3 && len(f.text) < 800 && firstIn(f.head, maintenanceHeads) != "" &&
		firstIn(f.text, maintenanceReturns) != "" && !f.password
}

// firstIn returns the first of phrases that text holds.
func firstIn(text string, phrases []string) string {
	for _, phrase := range phrases {
		if strings.Contains(text, phrase) {
			return phrase
		}
	}
	return ""
}
