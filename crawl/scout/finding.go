package scout

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"sitesync/internal/document"
)

// Finding is one line of a check: a thing that was tried, and the outcome.
type Finding struct {
	Subject string `json:"subject"`
	Of      string `json:"of"` // the host, page or file
	OK      bool   `json:"ok"`
	Text    string `json:"text"`
	Next    string `json:"next"` // what to do; where the finding is OK, only what could be better
}

// SeenPage says how a page that is named as a start page was seen. known is false when
// the canonical address that it names is not the site's.
func SeenPage(p *document.Page, known bool, read func(*document.Page) (text, next string)) (ok bool, text, next string) {
	text = fmt.Sprintf("%s: %s", p.Seen, cmp.Or(p.Why, fmt.Sprintf("HTTP status %d", p.Status)))
	switch {
	case p.Seen == document.OutOfScope:
		return true, "followed, not indexed: " + p.Why, ""
	case p.Seen == document.NoIndex:
		return false, text, "take the directive away, or name another page in site.start"
	case p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden:
		return false, text, "give the host's password or headers under [[fetch.auth]]"
	case p.Interstitial != "":
		return false, text, "see to what stands before the page, or name another one in site.start"
	case p.Seen != document.Read:
		return false, text, "name in site.start a page that answers with status 200"
	}
	text, next = read(p)
	if p.Canonical != "" && !known {
		next = fmt.Sprintf("it calls %s its canonical address: should site.start name that?", p.Canonical)
	}
	return true, text, next
}

// Count writes a number of things in words.
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// day writes a moment as a day.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
