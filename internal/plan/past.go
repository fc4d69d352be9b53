package plan

import (
	"cmp"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// past answers crawl's questions from the ledger, and says which pages must be
// read for real whatever their hints claim.
type past struct {
	options *Options
	stages  Stages
	ledger  Ledger
	table   *spool.Table
	profile document.Profile
	trust   map[string]*hintTrust // by origin, frozen for the run

	documents int // that the service acknowledged
	ofType    map[document.Type]int
}

type hintTrust struct{ validators, lastmod bool }

func (p *Planner) newPast(profile document.Profile) *past {
	k := &past{options: &p.options, stages: p.stages, ledger: p.ledger, profile: profile, trust: map[string]*hintTrust{}}
	if p.folder != nil { // as it is for a run
		k.table = p.folder.Table
	}
	return k
}

// Known visits every record and notes in the run's table which of them ask for
// nothing while their page is unchanged. It runs before any Lookup.
func (p *past) Known(visit func(string, document.Known) error) error {
	p.documents, p.ofType = 0, map[document.Type]int{}
	return p.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil {
			return err
		}
		if at := weburl.Origin(id); p.trust[at] == nil {
			memory, err := p.ledger.Host(at)
			if err != nil {
				return err
			}
			p.trust[at] = &hintTrust{judge.TrustValidators(memory.Validators), judge.TrustLastmod(memory.Lastmod)}
		}
		flags := spool.Known
		if rec.IsDocument() {
			flags |= spool.Document
		}
		if rec.Acknowledged() {
			p.documents++
			p.ofType[rec.Type]++
			flags |= spool.Acknowledged
		}
		if p.quiet(rec) {
			flags |= spool.Quiet
		}
		if rec.Listed {
			flags |= spool.Listed
		}
		p.table.Mark(spool.Fingerprint(id), flags)
		return visit(id, p.known(rec))
	})
}

// Lookup returns what is known of one URL.
func (p *past) Lookup(url string) (document.Known, error) {
	rec, err := p.ledger.Brief(url)
	if err != nil || rec == nil {
		return document.Known{}, err
	}
	return p.known(rec), nil
}

// Host returns what the ledger remembers of a host.
func (p *past) Host(origin string) (document.HostMemory, error) { return p.ledger.Host(origin) }

func (p *past) known(rec *document.Record) document.Known {
	trust := cmp.Or(p.trust[weburl.Origin(rec.ID)], &hintTrust{})
	hints := p.staleness(rec) == ""
	return document.Known{
		Hints: rec.Hints, Document: rec.IsDocument(), First: rec.First,
		Ask: hints && trust.validators, Skip: hints && trust.lastmod,
	}
}

// staleness says why a page must be read for real, whatever its hints say; empty
// when nothing asks for it.
func (p *past) staleness(rec *document.Record) string {
	switch {
	case p.options.Full:
		return "every page is read in full"
	case rec.Push == document.PushDoubt, rec.Push == document.PushRefused:
		return "the service did not acknowledge its content"
	case rec.Since != "":
		return "it could not be read, so nobody knows where it leads today"
	case !rec.Suspect.IsZero():
		return "it looked ill in the last run"
	case rec.Canonical != "":
		return "what it was folded into may have changed without it"
	case rec.Push == document.PushNone && rec.Date != "" && !p.stages.expires(rec.ID, rec.Date):
		return "no retention rule covers it any more"
	case (rec.Push == document.PushOK || rec.Date != "") && rec.Rules != p.stages.Rules(rec.ID, p.profile):
		return "the rules that read it have changed"
	case p.options.recheckDue(rec.ID, rec):
		return "it is due for a recheck"
	}
	return ""
}

// quiet reports whether a look that finds the page unchanged calls for nothing.
func (p *past) quiet(rec *document.Record) bool {
	return rec.Misses == 0 && rec.Since == "" && rec.Suspect.IsZero() && rec.Canonical == "" &&
		(len(rec.Looks) == 0 || !rec.IsDocument()) &&
		(rec.Push == document.PushNone || rec.Push == document.PushOK && !p.stages.expires(rec.ID, rec.Date))
}

// expires reports whether a retention rule covers a date.
func (s *Stages) expires(url, date string) bool {
	rule, _ := s.Expired(url, date)
	return rule != ""
}
