package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sitesync/crawl/robots"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/notify"
	"sitesync/internal/weburl"
)

// finding is one line of a check: a thing that was tried, and the outcome.
type finding struct {
	Subject string `json:"subject"`
	Of      string `json:"of"` // the host, page or file
	OK      bool   `json:"ok"`
	Text    string `json:"text"`
	Next    string `json:"next"` // what to do; where the finding is OK, only what could be better
}

// soon is how long before its end a certificate is warned of.
const soon = 14 * 24 * time.Hour

// seen is a page that a check looked at, without its tree.
type seen struct {
	document.Page
	text, next string // what extraction makes of it
}

// hostFindings says what was found of a host.
func hostFindings(cfg *config.Config, g *glimpse, h *document.Host, now time.Time) (found []finding) {
	add := func(subject string, ok bool, text, next string) {
		found = append(found, finding{subject, h.Host, ok, text, next})
	}
	if left := h.Expires.Sub(now); !h.Expires.IsZero() {
		next := ""
		if left < soon {
			next = "let the server renew its certificate"
		}
		days, end := document.Count(int(left.Hours()/24), "more day"), h.Expires.UTC().Format(time.DateOnly)
		add("TLS", true, fmt.Sprintf("the certificate is valid for %s, until %s", days, end), next)
	}
	if h.State == document.HostRobotsOutage {
		next := "the host is not crawled until it can be read: let the server send it, or answer 404 if there is none"
		if strings.HasPrefix(h.Reason, document.RobotsUnread) {
			next = "is site.start right, is the server up, and does it let this machine in?"
		}
		add("robots.txt", false, h.Reason, next)
		return found
	}
	add("robots.txt", true, robotsText(cfg, h), "")
	if h.State != document.HostOK {
		add("host", false, fmt.Sprintf("%s: %s", h.State, h.Reason), "sitesync explain URL shows one page")
	}
	if g.site.OnlyFiles(h.Host + "/") {
		return found
	}
	switch {
	case h.Sitemap > 0:
		add("sitemap", true, document.Count(h.Sitemap, "URL")+" of this site", "")
	case h.Foreign > 0:
		text := document.Count(h.Foreign, "address") + ", none of them of this site"
		add("sitemap", false, text, "should site.start name the host that they have?")
	case !cfg.Site.Links && cfg.Site.Folder == "":
		next := "nothing leads to other pages: set site.links = true, or name sitemaps in site.sitemaps"
		add("sitemap", false, "none", next)
	default:
		add("sitemap", true, "none; pages are found by their links", "")
	}
	return found
}

// robotsText says what a host's robots.txt means for the crawl.
func robotsText(cfg *config.Config, h *document.Host) string {
	text, agent := "closes nothing", robots.ProductToken(cmp.Or(cfg.Fetch.UserAgent, "sitesync"))
	switch {
	case cfg.Fetch.Robots == config.Ignore:
		return `not asked for: fetch.robots is "ignore"`
	case h.Robots != nil && len(h.Robots.File) > 0:
		closed := robots.Parse(h.Robots.File, agent).Disallows()
		text = "read; " + document.Count(len(closed), "Disallow line") + " for " + agent
	}
	if h.Delay > 0 {
		text += ", crawl-delay " + h.Delay.String()
	}
	return text
}

// startFinding says how a start page was seen.
func startFinding(g *glimpse, pages map[string]*seen, url string) finding {
	f := finding{Subject: "start page", Of: url, OK: true, Text: "not looked at within " + longestLook.String()}
	p := pages[url]
	switch {
	case p == nil:
		p = &seen{}
	case p.Interstitial != "":
		f.OK, f.Text, f.Next = false, p.Why, judge.Advice(p.Interstitial)
	case p.Target != "":
		f.Text, f.Next = "redirects to "+p.Target, "name that in site.start"
		if to := pages[p.Target]; to != nil && to.Seen != document.Read && to.Target == "" {
			f.OK, f.Text, f.Next = false, f.Text+", which is "+string(to.Seen), "name another page in site.start"
		}
	case p.Seen == document.OutOfScope:
		f.Text = "followed, not indexed: " + p.Why
	case p.Canonical != "" && !slices.Contains(g.site.Origins(), weburl.Origin(p.Canonical)):
		f.Text, f.Next = p.text, fmt.Sprintf("it calls %s its canonical address: should site.start name that?", p.Canonical)
	default:
		f.Text, f.Next = p.text, p.next
	}
	for _, w := range g.survey.Warnings {
		if w.Kind == "start" && w.URL == url {
			next := cmp.Or(judge.Advice(p.Interstitial), "mend that, or name another page in site.start")
			f.OK, f.Text, f.Next = false, w.Text, next
		}
	}
	return f
}

// testMessage sends a test by mail, hook and command, as [notify] names them. It returns what
// was sent where. The ping is not called.
func testMessage(ctx context.Context, a *app.App, cfg *config.Config) (found []finding) {
	n, err := a.Notifier(cfg)
	if err != nil {
		return []finding{{Subject: "notify", Of: a.ConfigFile, Text: app.OneLine(err), Next: "mend it"}}
	}
	text := app.SiteName(cfg) + ": a test message of sitesync check --notify; no run was made"
	m := &notify.Message{Text: text, Site: app.SiteName(cfg), Start: a.Now(), Result: notify.Test, Sentence: text, Problems: []string{}, Held: []document.Tripped{}, Report: text + "\n"}
	if n != nil {
		for _, sent := range n.Send(ctx, m) {
			f := finding{Subject: sent.Key, Of: sent.To, OK: sent.Err == nil, Text: "a test message was sent"}
			if sent.Err != nil {
				f.Text, f.Next = sent.Err.Error(), "mend "+sent.Key
			}
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		found = append(found, finding{Subject: "notify", Of: a.ConfigFile, Text: "nobody is to be told", Next: "name a mail, a hook or a command in [notify]"})
	}
	return found
}
