package report

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// Told returns a hold in words: why, the command that releases it, and what to do where the
// site or the configuration is wrong.
func Told(h judge.Hold) document.Tripped {
	percent := func(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }
	l := h.Limits
	why := strings.NewReplacer(
		"{place}", h.Place, "{first}", h.Turning.First, "{to}", h.Turning.To.Page, "{ill}", h.Ill.Why(),
		"{pages}", document.Of(h.N, h.Of, "page"), "{changed}", document.Of(h.N, h.Of, "changed page"),
		"{deletes}", document.Count(h.N, "delete")+" of "+document.Count(h.Of, "document"),
		"{documents}", document.Count(h.N, "document"), "{new}", document.Count(h.N, "new document"), "{index}", document.Number(h.Of),
		"{failed}", percent(l.MaxFailed), "{share}", percent(l.MaxShare), "{max}", fmt.Sprint(l.Max), "{most}", fmt.Sprint(l.MaxAbsolute),
	).Replace(reasons[h.Why].why)
	return document.Tripped{Brake: h.Brake, Group: h.Place, Why: why, Release: release(&h), Mend: mend(&h)}
}

const (
	hostBack    = "mend the host, and run again"
	pagesBack   = "put the pages back"
	pagesAnswer = "have the other pages answer, and run again"
	textsBack   = "have the pages show their own texts again"
)

// reasons are the words for each reason, and what to do where that is wrong.
var reasons = [...]struct{ why, mend string }{
	judge.HostNotOK:         {"the host is not ok; what is still due goes out once it is", hostBack},
	judge.SitemapsCollapsed: {"the sitemaps collapsed; if these pages are gone on purpose, release them, else what is still due goes out once the sitemaps are whole", hostBack},
	judge.ClockOdd:          {"the clock stands before the last run's or more than 60 days past it, so what seems expired may not be", "set the clock"},
	judge.NewRule:           {"the retention rule {place} has had no effect before", "mend the rule"},
	judge.NewOrigin:         {"a start address on a host that this ledger does not know yet", "mend site.start"},
	judge.LostOrigin:        {"they are on no host of the site any more, and the documents of a new start address wait for an approval", "mend site.start"},
	judge.NotSeen:           {"they were not seen for a month, and nothing says that they are gone", pagesAnswer},
	judge.RefusedMany:       {"{documents} of {place} are refused: more than fetch.max_failed_share, {failed}", pagesAnswer},
	judge.Endless:           {"addresses of this form lead on without end, so not all of them were asked for", pagesAnswer},
	judge.NotCovered:        {"not every page of {place} was looked at, so what seems missing may be there", pagesAnswer},
	judge.UnreadMany:        {"{pages} of {place} were not read: more than fetch.max_failed_share, {failed}", pagesAnswer},
	judge.OneText:           {"{changed} turn to one text, first that of {first}", textsBack},
	judge.OnePage:           {"{changed} redirect to {to} or name it as canonical", textsBack},
	judge.FastGrowth:        {"more than {new} in one night, and the index has {index}", "exclude what does not belong to the site: site.exclude"},
	judge.IllPlace:          {"{ill}", textsBack},
	judge.StartPage:         {"the site begins there, so a start page is deleted only if it answers 410 or you approve it", "put the page back, or name another one in site.start"},
	judge.LastDocument:      {"it is the last document of its host, so it is deleted only if it answers 410 or you approve it", "put the page back"},
	judge.OverAbsolute:      {"{deletes}: more than delete.max_absolute, {most}", pagesBack},
	judge.OverQuarter:       {"{deletes}: more than a quarter", pagesBack},
	judge.OverShare:         {"{deletes}: more than delete.max, {max}, and delete.max_share, {share}", pagesBack},
}

func mend(h *judge.Hold) string {
	if h.Cause == document.CauseOutOfScope && h.Why != judge.IllPlace {
		return "mend [site] in the configuration"
	}
	for kind, text := range placeMends {
		if text != "" && h.Ill.Most(judge.Astray(kind)) {
			return text
		}
	}
	return reasons[h.Why].mend
}

// placeMends are for places where most documents show one thing.
var placeMends = [...]string{
	judge.AstrayGone: pagesBack, judge.AstrayMissing: pagesBack,
	judge.AstrayExcluded: "mend the configuration or robots.txt",
	judge.AstrayNoIndex:  "take noindex off the pages", judge.AstrayAway: "have the pages answer under their own addresses",
	judge.AstrayGuarded: "let sitesync see the pages",
}

func release(h *judge.Hold) document.Command {
	switch h.Release {
	case judge.ReleaseScope:
		return "sitesync sync --accept-scope"
	case judge.ReleaseCause:
		return "sitesync approve --cause " + document.Command(h.Cause)
	case judge.ReleasePlace:
		return "sitesync approve --group " + document.Command(Quote(h.Place))
	}
	return ""
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
