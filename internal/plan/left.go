package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// recall counts what earlier runs left out and nothing was seen of tonight. Where the page was
// read that led there, it does so no longer, and the address is forgotten.
func (g *gathering) recall() error {
	s := g.site
	if s.options.LeftOut == nil || s.options.Only {
		return nil
	}
	for page := range s.options.LeftOut {
		flags, seen := s.table.Get(spool.Fingerprint(page.URL))
		if seen != 0 || flags&(spool.Queued|spool.Sighted|spool.Known) != 0 {
			continue
		}
		from, err := s.sighting(page.From)
		if err != nil {
			return err
		}
		unread := from == nil && page.From != "" || from != nil && s.inbound.silent(from)
		if unread || s.folder.Resumed || !s.survey.Complete {
			g.agenda.leftOut++
			continue
		}
		s.replace(&document.Sighting{URL: page.URL})
		s.seen.Add(page.URL, 0)
	}
	return s.folder.Group.Flush()
}

// leaveOut tells of an address of which no document is made, and reports whether it is one:
// there are as many as addresses that are not there.
func (v *verdicts) leaveOut(f *judge.Facts, out Writer) (bool, error) {
	switch seen := f.Sighting.Seen; {
	case seen != document.LeftOut && seen != document.OtherHost && seen != "":
		return false, nil
	case seen != "":
		v.named++
		if seen == document.LeftOut {
			v.leftOut++
		}
		if v.named > max(mostVanished, v.site.past.Documents) {
			return true, nil
		}
	}
	return true, out.Page(sitePage(f, 0))
}

// isLeftOut reports whether a record, or what was seen of a URL, is that of no document, which
// the owner or the page itself wants so.
func isLeftOut(f *judge.Facts) bool {
	switch seen := f.Sighting.Seen; {
	case f.Record.IsDocument():
		return false
	case seen == document.Kept:
		return f.Record.Canonical == ""
	case seen == document.Read:
		return f.Expired != ""
	default:
		return seen.LeavesOut()
	}
}
