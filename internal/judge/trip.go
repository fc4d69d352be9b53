package judge

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
)

// Trip says why a brake holds a change, and what releases it: the same of all changes
// that it holds for one reason. at is what Brakes returned; keys are those of the
// configuration that may be the cause, the likeliest first.
func Trip(d *Due, brake document.Brake, at *Place, t Totals, l Limits) (trip document.Tripped, keys []string) {
	trip.Brake = brake
	host := d.Host.Host + "/"
	switch brake {
	case document.BrakeHost:
		trip.Group, trip.Why = host, "the host is not ok; what is still due goes out once it is"
		if d.Op == document.Delete && d.Host.State == document.HostSitemapCollapse {
			trip.Why = "the sitemaps collapsed; if these pages are gone on purpose, release them, else what is still due goes out once the sitemaps are whole"
		}
	case document.BrakeClock:
		trip.Why = "the clock stands before the last run's or more than 60 days past it, so what seems expired may not be"
	case document.BrakeRetention:
		trip.Group, trip.Why, keys = d.Rule, "the retention rule "+d.Rule+" has had no effect before", []string{d.Rule}
	case document.BrakeOrigin:
		trip.Group, trip.Why, keys = host, "a start address on a host that this ledger does not know yet", []string{"site.start"}
		if d.Op == document.Delete {
			trip.Why = "they are on no host of the site any more, and the documents of a new start address wait for an approval"
		}
	case document.BrakeIncomplete:
		trip.Group, trip.Why, keys = d.incomplete(host, l)
	case document.BrakeMassUpdate:
		trip.Group, trip.Why = d.Turning.To, d.Turning.why(t.Changed)
	case document.BrakeGrowth:
		trip.Why = fmt.Sprintf("more than %s in one night, and the index has %s", document.Count(t.Room, "new document"), document.Number(t.Documents))
	case document.BrakeGroup:
		trip.Group, trip.Why = at.Name, at.Why()
		switch {
		case at.Name == startPages:
			trip.Why = "the site begins there, so a start page is deleted only if it answers 410 or you approve it"
		case trip.Why == "":
			trip.Why = "it is the last document of its host, so it is deleted only if it answers 410 or you approve it"
		}
	case document.BrakeTotal:
		trip.Why, keys = t.why(l)
	}
	trip.Release, trip.Mend = d.release(&trip), d.mend(brake, at)
	if d.Cause == document.CauseOutOfScope {
		keys = ScopeKeys(d.Evidence)
	}
	return trip, keys
}

func (d *Due) incomplete(host string, l Limits) (group, why string, keys []string) {
	switch {
	case d.Cause == document.CauseUnread:
		return host, "they were not seen for a month, and nothing says that they are gone", nil
	case d.Cause == document.CauseRefused && d.Host.Refused > 0:
		why = fmt.Sprintf("%s of %s are refused: more than fetch.max_failed_share, %s", document.Count(d.Host.Refused, "document"), host, percent(l.MaxFailed))
		return host, why, []string{"fetch.max_failed_share"}
	case d.Pattern != "":
		return d.Pattern, "addresses of this form lead on without end, so not all of them were asked for", nil
	case !d.Host.Covered:
		return host, "not every page of " + host + " was looked at, so what seems missing may be there", nil
	}
	why = fmt.Sprintf("%s of %s were not read: more than fetch.max_failed_share, %s", document.Of(d.Host.Unread, d.Host.Asked, "page"), host, percent(l.MaxFailed))
	return host, why, []string{"fetch.max_failed_share"}
}

func (t Totals) why(l Limits) (why string, keys []string) {
	limit := "a quarter"
	switch {
	case t.Deletes > l.MaxAbsolute:
		limit, keys = fmt.Sprintf("delete.max_absolute, %d", l.MaxAbsolute), []string{"delete.max_absolute"}
	case !t.quarter():
		limit, keys = fmt.Sprintf("delete.max, %d, and delete.max_share, %s", l.Max, percent(l.MaxShare)), []string{"delete.max_share", "delete.max"}
	}
	return fmt.Sprintf("%s of %s: more than %s", document.Count(t.Deletes, "delete"), document.Count(t.Documents, "document"), limit), keys
}

func (t Turning) why(changed int) string {
	what := "turn to one text, first that of " + t.First
	if page, redirects := strings.CutPrefix(t.To, toPage); redirects {
		what = "redirect to " + page + " or name it as canonical"
	}
	if 5*t.Pages < changed {
		return fmt.Sprintf("%s %s: %d or more", document.Of(t.Pages, changed, "changed page"), what, massAnyway)
	}
	return fmt.Sprintf("%s %s: a fifth or more", document.Of(t.Pages, changed, "changed page"), what)
}

// release returns the command that releases what a brake holds; empty: none does.
func (d *Due) release(trip *document.Tripped) document.Command {
	switch {
	case trip.Brake == document.BrakeHost && (d.Op != document.Delete || d.Host.State != document.HostSitemapCollapse):
		return ""
	case d.Cause == document.CauseOutOfScope && trip.Brake != document.BrakeOrigin && trip.Brake != document.BrakeHost:
		return "sitesync sync --accept-scope"
	case trip.Brake == document.BrakeGrowth:
		return "sitesync approve --cause " + document.Command(document.CauseNew)
	case trip.Group == "", trip.Brake == document.BrakeIncomplete && d.Pattern == "":
		return "sitesync approve --cause " + document.Command(d.Cause)
	}
	return "sitesync approve --group " + document.Command(Quote(trip.Group))
}

// mend says what to do where what a brake holds is wrong.
func (d *Due) mend(brake document.Brake, at *Place) string {
	switch {
	case brake == document.BrakeGroup && at.Name != startPages:
		for kind, text := range placeMends {
			if text != "" && at.most(Astray(kind)) {
				return text
			}
		}
		return "have the pages show their own texts again"
	case d.Cause == document.CauseOutOfScope:
		return "mend [site] in the configuration"
	}
	return mends[brake]
}

// placeMends are for places where most documents show one thing.
var placeMends = [astrayKinds]string{
	AstrayGone: "put the pages back", AstrayMissing: "put the pages back", AstrayExcluded: "mend the configuration or robots.txt",
	AstrayNoIndex: "take noindex off the pages", AstrayAway: "have the pages answer under their own addresses",
	AstrayGuarded: "let sitesync see the pages",
}

var mends = map[document.Brake]string{
	document.BrakeGroup: "put the page back, or name another one in site.start", document.BrakeTotal: "put the pages back",
	document.BrakeIncomplete: "have the other pages answer, and run again", document.BrakeMassUpdate: "have the pages show their own texts again",
	document.BrakeGrowth: "exclude what does not belong to the site: site.exclude", document.BrakeRetention: "mend the rule",
	document.BrakeClock: "set the clock", document.BrakeOrigin: "mend site.start", document.BrakeHost: "mend the host, and run again",
}

// Quote returns an argument as a shell takes it (POSIX.1-2024, section 2.2).
func Quote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,=", r)
	}
	if arg != "" && strings.TrimFunc(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// ScopeKeys returns the keys of the configuration that the evidence of a page out of
// scope names, and site.start, which names the hosts.
func ScopeKeys(evidence string) (keys []string) {
	for _, key := range [...]string{"site.include", "site.exclude", "site.follow_only", "site.file_hosts"} {
		if strings.Contains(evidence, key) {
			keys = append(keys, key)
		}
	}
	return append(keys, "site.start")
}

func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }
