package judge

import (
	"cmp"
	"fmt"

	"sitesync/internal/document"
)

// Looks counts what a run saw of a host. Call Count in URL order, because reports name the first page.
type Looks struct {
	Looked    int  // URLs looked at, including those before the run was interrupted and resumed
	Unread    int  // those of Looked that could not be read
	Documents int  // known documents that were looked at
	Any       bool // at least one page was refused or could not be read

	hidden    int    // documents that are missing, or that no sitemap and no link leads to any more
	guarded   string // the first start page behind a login or a bot guard, with the reason
	kind      document.Interstitial
	unseen    int
	newly     int
	away      string
	lostStart string
	waiting   int
	refused   int
}

// Count counts one page. start is true for a start page, and ours is true if it redirects within the site.
func (w *Looks) Count(f *Facts, v *Verdict, start, ours bool) {
	s := f.Sighting
	redirects := s.Seen == document.Moved || s.Seen == document.Elsewhere
	dead := s.Seen == document.Gone || s.Seen == document.Missing ||
		s.Seen == document.Moved && f.Target.State == TargetDead
	stands := s.Interstitial != "" && s.Interstitial != document.Soft404
	switch {
	case stands && start && w.guarded == "":
		w.guarded, w.kind = s.URL+": "+s.Why, s.Interstitial
	case stands && !s.Stood:
		w.kind = cmp.Or(w.kind, s.Interstitial)
	}
	switch {
	case !start:
	case dead:
		w.lostStart = cmp.Or(w.lostStart, s.URL)
	case redirects && s.Target != "" && !ours:
		away := fmt.Sprintf("the start page %s redirects to %s, which is outside the site", s.URL, s.Target)
		w.away = cmp.Or(w.away, away)
	}
	leaves := v.Waiting || v.Change != nil && v.Change.Op == document.Delete
	countIf(&w.Unread, s.Seen == document.Unread && !s.Stood)
	countIf(&w.hidden, f.Record.Acknowledged() && v.Move == nil && (leaves || f.Record.Listed && !f.Led))
	countIf(&w.waiting, v.Waiting)
	countIf(&w.refused, v.Refused)
	countIf(&w.unseen, v.Unseen)
	countIf(&w.newly, v.Newly)
}

func countIf(n *int, is bool) {
	if is {
		*n++
	}
}

// HostState returns h with the state that its pages show. place counts all documents of the host. The
// first rule that fits decides:
//   - A start page is behind a login or a bot guard: the host is guarded, unless it is unreachable.
//   - h already has a bad state other than HostSitemapCollapse (the sitemaps lost most URLs): it stays.
//   - Over half of the documents are missing or changed: the host is ill, or guarded if logins or guards
//     replace most of these pages. After a collapse, missing documents alone make no host ill.
//   - The collapse ends when no document is missing.
func HostState(h document.Host, w *Looks, place *Place, l Limits) document.Host {
	if w == nil {
		return h
	}
	h = alarms(h, w, l)
	ill, why := place.half(AstrayGone, AstrayStranger), place.Why()
	state, hint := document.HostOK, ""
	switch {
	case w.guarded != "" && h.State != document.HostUnreachable:
		state, why, hint = document.HostGuarded, w.guarded, advice[w.kind]
	case h.State != document.HostOK && h.State != document.HostSitemapCollapse:
		return h
	case ill && place.Most(AstrayGuarded):
		state, hint = document.HostGuarded, advice[w.kind]
	case ill && !(h.State == document.HostSitemapCollapse && place.half(AstrayExcluded, AstrayMissing)):
		state, hint = document.HostIll, "look at what the pages show now"
		if place.Most(AstrayAway) {
			hint = "if the pages have moved for good, have the server answer 301 in place of 302, " +
				"and let site.start name where they are now"
		}
	case w.hidden == 0:
		h.State, h.ReadOnly, h.Reason = document.HostOK, false, ""
	}
	if state != document.HostOK {
		h.State, h.ReadOnly, h.Reason = state, true, why+"; "+hint
	}
	return h
}

const maxUnseen = 0.01

func alarms(h document.Host, w *Looks, l Limits) document.Host {
	h.Unseen = w.unseen
	alarm := func(format string, args ...any) { h.Alarms = append(h.Alarms, fmt.Sprintf(format, args...)) }
	documents := func(n int) string { return document.Of(n, w.Documents, "document") }
	if float64(w.newly) > maxUnseen*float64(w.Documents) {
		alarm("not seen since tonight: %s, more than 1 %%", documents(w.newly))
	}
	if 2*w.waiting > w.Documents || (Totals{Documents: w.Documents, Deletes: w.waiting}).over(l) != 0 {
		alarm("missing tonight: %s, to be deleted if the next run misses them too", documents(w.waiting))
	}
	if float64(w.refused) > l.MaxFailed*float64(w.Documents) {
		h.Refused = w.refused
		alarm("refused: %s, more than fetch.max_failed_share; their deletes wait for an approval", documents(w.refused))
	}
	if w.lostStart != "" {
		alarm("start page missing: %s; mend the site, or name another page in site.start", w.lostStart)
	}
	if w.away != "" {
		alarm("%s; let site.start name where the pages are now", w.away)
	}
	return h
}

var advice = map[document.Interstitial]string{
	document.BotGuard:    "let this machine's address or user agent through at the guard",
	document.LoginWall:   "give the crawl access ([[fetch.auth]], fetch.cookies), or open the pages to it",
	document.Maintenance: "run again when the site is back",
	document.Soft404:     "have the server answer 404 for pages that do not exist",
}

// Advice says what the owner can do about an interstitial, such as a login in place of a page.
func Advice(what document.Interstitial) string { return advice[what] }
