package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"sitesync/crawl/robots"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

type finding struct {
	Subject string `json:"subject"`
	Of      string `json:"of"` // the tested host, page or file
	OK      bool   `json:"ok"`
	Text    string `json:"text"`
	Next    string `json:"next"` // advice for the user; may be empty
}

const soon = 14 * 24 * time.Hour // a check warns of a certificate that expires within this time

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

func startFinding(cfg *config.Config, g *glimpse, p *document.Page) finding {
	f := finding{Subject: "start page", Of: p.URL, OK: true}
	switch {
	case p.Interstitial != "":
		f.OK, f.Text, f.Next = false, p.Why, judge.Advice(p.Interstitial)
	case p.Target != "":
		f.Text, f.Next = "redirects to "+p.Target, "name that in site.start"
	case p.Seen == document.OutOfScope:
		f.Text = "followed, not indexed: " + p.Why
	case p.Seen == document.Read:
		f.Text, f.Next = describe(cfg, g.ex, p)
		if p.Canonical != "" && !slices.Contains(g.site.Origins(), weburl.Origin(p.Canonical)) {
			f.Next = fmt.Sprintf("it calls %s its canonical address: should site.start name that?", p.Canonical)
		}
	}
	return f
}
