package plan

import (
	"cmp"
	"context"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/health"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
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
	ofHost    map[string]int // by origin
	vanished  int            // addresses that were not there
	holds     bool           // the last run held something
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
	p.documents, p.vanished, p.ofType, p.ofHost = 0, 0, map[document.Type]int{}, map[string]int{}
	if err := p.markHeld(); err != nil {
		return err
	}
	return p.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil {
			return err
		}
		at := weburl.Origin(id)
		if p.trust[at] == nil {
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
			p.ofHost[at]++
			flags |= spool.Acknowledged
		}
		if rec.Led != 0 {
			p.vanished++
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

// markHeld notes in the run's table what the last run held.
func (p *past) markHeld() error {
	if p.options.HeldBefore == nil {
		return nil
	}
	for e, err := range p.options.HeldBefore {
		if err != nil {
			return err
		}
		flags := spool.Held
		if e.Brake == document.BrakeGrowth {
			flags |= spool.Grown
		}
		p.table.Mark(spool.Fingerprint(e.ID), flags)
		p.holds = true
	}
	return nil
}

// heldBefore reports whether the last run held the change of a URL.
func (p *past) heldBefore(url string) bool {
	if !p.holds { // as nearly always
		return false
	}
	flags, _ := p.table.Get(spool.Fingerprint(url))
	return flags&spool.Held != 0
}

func (p *past) Lookup(url string) (document.Known, error) {
	rec, err := p.ledger.Brief(url)
	if err != nil || rec == nil {
		return document.Known{}, err
	}
	return p.known(rec), nil
}

func (p *past) Host(origin string) (document.HostMemory, error) { return p.ledger.Host(origin) }

func (p *past) known(rec *document.Record) document.Known {
	trust := cmp.Or(p.trust[weburl.Origin(rec.ID)], &hintTrust{})
	hints := p.staleness(rec) == ""
	return document.Known{
		Hints: rec.Hints, Document: rec.IsDocument(), First: rec.First,
		Ask: hints && trust.validators, Skip: hints && trust.lastmod && !judge.DayOpen(rec.Hints.Lastmod, rec.Fetched), Ended: rec.Ended, Failing: rec.Since != "",
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
	case p.heldBefore(rec.ID):
		return "the last run held its change"
	case rec.Canonical != "" && !rec.IsDocument():
		return "what it was folded into may have changed without it"
	case rec.Push == document.PushNone && rec.Date != "" && !p.stages.expires(rec.ID, rec.Date):
		return "no retention rule covers it any more"
	case (rec.Push == document.PushOK || rec.Date != "") && rec.Rules != p.stages.Rules(rec.ID, p.profile):
		return "the rules that read it have changed"
	case p.options.recheckDue(rec.ID, rec):
		return "it is due for a recheck"
	case p.dayIsOver(rec):
		return "the sitemap names a day alone, and the page was read before that day was over"
	}
	return ""
}

// dayIsOver reports whether the day that a believed lastmod names was over when the run
// began, and not yet when the page was last read: once it is read again, it can be
// skipped. Dates that are not believed save no request, and ask for no reading.
func (p *past) dayIsOver(rec *document.Record) bool {
	trust, lastmod := p.trust[weburl.Origin(rec.ID)], rec.Hints.Lastmod
	return trust != nil && trust.lastmod && judge.DayOpen(lastmod, rec.Fetched) && !judge.DayOpen(lastmod, p.options.Start.Unix())
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

// sink reads each page of the crawl and spools what was seen of it.
type sink struct {
	stages  Stages
	ledger  Ledger
	folder  *work.Folder
	profile document.Profile // as the ledger has it
}

// Page takes one page. It is called from many goroutines.
func (s *sink) Page(ctx context.Context, p *document.Page) error {
	sighting := document.Sighting{
		URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target, Canonical: p.Canonical,
		Claim: p.Claim, Hints: p.Hints, InSitemap: p.InSitemap, First: p.First, Interstitial: p.Interstitial, Ended: p.Ended,
	}
	if p.Seen == document.Kept && p.Hints == p.Known.Hints {
		s.folder.Table.Mark(spool.Fingerprint(p.URL), spool.Kept)
		s.folder.AddKept(p.URL)
		return s.folder.FlushFull()
	}
	switch {
	case p.Seen == document.Read:
		if err := s.read(ctx, p, &sighting); err != nil {
			return err
		}
	case p.Seen == document.NoIndex && p.Known.Document && p.Root != nil:
		if err := s.measure(p, &sighting); err != nil {
			return err
		}
	}
	if _, err := s.folder.AddSighting(sighting); err != nil {
		return err
	}
	return s.folder.FlushFull()
}

// read extracts the page, and spools its draft unless the finished document is
// the very one that the index holds, and nothing is to be learned from it.
func (s *sink) read(ctx context.Context, p *document.Page, sighting *document.Sighting) error {
	frozen := *p
	frozen.Hints.Lastmod = p.First.Lastmod // a document's date does not move with its sitemap
	draft, err := s.stages.Read(&frozen)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the end of the run is no fault of the page
	}
	if err != nil {
		sighting.Seen, sighting.Why = document.Unread, err.Error()
		return nil
	}
	held, whole := s.stages.Held(draft, p.URL, s.profile)
	sighting.Fetched, sighting.Rules, sighting.Held = true, s.stages.Rules(p.URL, s.profile), held
	sighting.File, sighting.Alternates = draft.Type == document.FileContent, variantsOf(p)
	sighting.Content = s.stages.Sum(p, draft)
	rec, err := s.ledger.Get(p.URL)
	if err != nil {
		return err
	}
	if rec != nil && rec.Push == document.PushOK {
		doc := s.stages.Finish(draft, p.URL, s.profile)
		sighting.Lengths, sighting.Same = health.Lengths(doc), rec.Hash() == doc.Hash()
	}
	if sighting.Same && (whole || s.stages.Learner == nil) {
		return nil
	}
	sighting.Draft, err = s.folder.AddDraft(p.URL, draft)
	return err
}

// measure notes whether the page of a document that asks not to be indexed has next to
// nothing of the document's content left.
func (s *sink) measure(p *document.Page, sighting *document.Sighting) error {
	rec, err := s.ledger.Brief(p.URL)
	if err != nil || rec == nil {
		return err
	}
	length := 0
	if draft, err := s.stages.Read(p); err == nil { // a page without any text has no content
		length = len(s.stages.Finish(draft, p.URL, s.profile).Fields["Content"])
	}
	sighting.Collapsed = judge.Collapsed(length, rec)
	return nil
}

// Belief is what a host's hints of one kind were worth so far.
type Belief struct {
	Checks   int  `json:"checks"` // against pages that were read for real
	Lies     int  `json:"lies"`   // of the last 1,000
	Believed bool `json:"believed"`
}

// String says in words what the hints are worth: "not believed (2 lies in 100 checks)".
func (b Belief) String() string {
	word := "not believed"
	if b.Believed {
		word = "believed"
	}
	return word + " (" + document.Count(b.Lies, "lie") + " in " + document.Count(b.Checks, "check") + ")"
}

// Hints says what the next run makes of the hints of one record.
type Hints struct {
	Validators Belief `json:"validators"`
	Lastmod    Belief `json:"lastmod"`
	Tonight    string `json:"tonight"` // "full", "conditional" or "skip"
	Why        string `json:"why"`
}

// Hints returns what a run by the planner's options makes of a record's hints.
// linkRules is what decides today which links are followed, as Host.Followed.
func (p *Planner) Hints(rec *document.Record, linkRules string) (Hints, error) {
	profile, err := p.ledger.Profile()
	if err != nil {
		return Hints{}, err
	}
	memory, err := p.ledger.Host(weburl.Origin(rec.ID))
	if err != nil {
		return Hints{}, err
	}
	var h Hints
	h.Validators, h.Lastmod = Beliefs(memory)
	past := p.newPast(profile)
	past.trust[weburl.Origin(rec.ID)] = &hintTrust{h.Validators.Believed, h.Lastmod.Believed}
	stale := past.staleness(rec)
	h.Tonight = "full"
	switch {
	case stale != "":
		h.Why = stale
	case memory.Followed == "" || memory.Followed != linkRules:
		h.Why = "the last run did not follow every link of the host by today's rules"
	case h.Lastmod.Believed && rec.Listed && rec.Hints.Lastmod != 0 && !judge.DayOpen(rec.Hints.Lastmod, rec.Fetched):
		h.Tonight, h.Why = "skip", "as long as the sitemap gives the same lastmod: that host's dates are believed"
	case rec.Hints.ETag == "" && rec.Hints.LastModified == "":
		h.Why = "the page came with neither ETag nor Last-Modified"
	case !h.Validators.Believed:
		h.Why = "the host's validators are " + h.Validators.String()
	default:
		h.Tonight, h.Why = "conditional", "by the validators of what was read last"
	}
	return h, nil
}

// Beliefs returns what a host's hints were worth so far.
func Beliefs(memory document.HostMemory) (validators, lastmod Belief) {
	return belief(memory.Validators, judge.TrustValidators), belief(memory.Lastmod, judge.TrustLastmod)
}

func belief(trust document.Trust, believed func(document.Trust) bool) Belief {
	return Belief{Checks: trust.Checks, Lies: len(trust.Lies), Believed: believed(trust)}
}
