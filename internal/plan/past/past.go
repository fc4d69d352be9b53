package past

import (
	"iter"
	"math"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// Ledger is the part of the ledger (the file that records what the index holds) that a Past reads.
type Ledger interface {
	Brief(id string) (*document.Record, error)  // record of a URL, without Fields; nil if the ledger has no record
	Briefs() iter.Seq2[*document.Record, error] // all records, without Fields, in the order of IDs
	Host(origin string) (document.HostMemory, error)
}

// Options says which pages must be read even if hints (ETag, Last-Modified, lastmod) call them unchanged.
type Options struct {
	Start        time.Time
	Recheck      time.Duration // longest time between two readings of a page; see RecheckDue
	RecheckFiles time.Duration
	Full         bool
	HeldBefore   iter.Seq2[document.Entry, error]          // changes that earlier runs held back; nil: none
	Rules        func(url string) uint64                   // current fingerprint of the rules that read a page
	Expired      func(url, date string) (rule, why string) // the retention rule that expires a date
}

// Expires reports whether a document with this date is too old by a retention rule.
func (o Options) Expires(url, date string) bool {
	rule, _ := o.Expired(url, date)
	return rule != ""
}

type Past struct {
	options Options
	ledger  Ledger
	table   *spool.Table
	hosts   map[string]document.HostMemory

	// The fields below are set by Known.
	Documents int                              // number of documents that the service acknowledged
	OfType    map[string]map[document.Type]int // number of these documents by origin and type
	OfHost    map[string]int                   // number of these documents by origin
	Vanished  int                              // number of records of missing pages

	prints *Copies // similarity hashes of the indexed texts
}

// New returns a Past, which tells what the ledger knows of each URL. table is the run's URL table.
func New(o Options, ledger Ledger, table *spool.Table) *Past {
	return &Past{options: o, ledger: ledger, table: table, hosts: map[string]document.HostMemory{}}
}

// Known calls visit for every record of the ledger. In the run's URL table it marks facts about each URL,
// such as a change that an earlier run held back. Call Known before Lookup.
func (p *Past) Known(visit func(string, document.Known) error) error {
	p.Documents, p.Vanished, p.OfType, p.OfHost = 0, 0, map[string]map[document.Type]int{}, map[string]int{}
	p.prints = &Copies{}
	if p.options.HeldBefore != nil {
		for e, err := range p.options.HeldBefore {
			if err != nil {
				return err
			}
			p.table.Mark(spool.Fingerprint(e.ID), spool.Held|flag(spool.Grown, e.Brake == document.BrakeGrowth))
		}
	}
	for rec, err := range p.ledger.Briefs() {
		if err != nil {
			return err
		}
		at := weburl.Origin(rec.ID)
		if _, known := p.hosts[at]; !known {
			p.hosts[at], err = p.ledger.Host(at)
			if err != nil {
				return err
			}
		}
		if rec.Acknowledged() {
			p.Documents++
			if p.OfType[at] == nil {
				p.OfType[at] = map[document.Type]int{}
			}
			p.OfType[at][rec.Type]++
			p.OfHost[at]++
			p.prints.Add(uint64(rec.Print))
		}
		if rec.Led != 0 {
			p.Vanished++
		}
		p.table.Mark(spool.Fingerprint(rec.ID), spool.Known|flag(spool.Document, rec.IsDocument())|
			flag(spool.Acknowledged, rec.Acknowledged())|flag(spool.Quiet, p.quiet(rec))|flag(spool.Listed, rec.Listed))
		if err := visit(rec.ID, p.known(rec)); err != nil {
			return err
		}
	}
	return nil
}

func flag(f uint16, is bool) uint16 {
	if is {
		return f
	}
	return 0
}

// Lookup returns what the ledger knows of a URL. It returns the zero value if the URL has no record.
func (p *Past) Lookup(url string) (document.Known, error) {
	rec, err := p.ledger.Brief(url)
	if err != nil || rec == nil {
		return document.Known{}, err
	}
	return p.known(rec), nil
}

// Shared reports whether the index holds the record's text for another document too.
func (p *Past) Shared(rec *document.Record) bool { return p.prints.Of(uint64(rec.Print)) > 1 }

// CalledChanged reports whether a trusted sitemap gives a page another lastmod than its record has, or none
// (0). Requests for this reason are no random sample of the host's pages.
func (p *Past) CalledChanged(rec *document.Record, lastmod int64) bool {
	return judge.TrustLastmod(p.hosts[weburl.Origin(rec.ID)].Lastmod) && lastmod != rec.Hints.Lastmod
}

// Host returns the ledger's entry of a host, which earlier runs wrote.
func (p *Past) Host(origin string) (document.HostMemory, error) { return p.ledger.Host(origin) }

func (p *Past) known(rec *document.Record) document.Known {
	trust, hints := p.hosts[weburl.Origin(rec.ID)], !p.stale(rec)
	return document.Known{
		Hints: rec.Hints, Document: rec.IsDocument(), First: rec.First,
		Ask:   hints && judge.TrustValidators(trust.Validators),
		Skip:  hints && judge.TrustLastmod(trust.Lastmod) && !judge.DayOpen(rec.Hints.Lastmod, rec.Fetched),
		Ended: rec.Ended, Failing: rec.Since != "", Refused: rec.Standing.Refused(), Rests: p.rests(rec),
	}
}

// rests reports whether a page needs no request until its recheck is due: it names a canonical URL that has a
// document, and the host's canonicals have proved right (see judge.TrustLastmod). URL parameters make
// thousands of such pages.
func (p *Past) rests(rec *document.Record) bool {
	stays := judge.NamesTarget(rec) && judge.TrustLastmod(p.hosts[weburl.Origin(rec.ID)].Folds)
	if !stays || rec.Since != "" || p.options.Full || p.options.RecheckDue(rec.ID, rec) {
		return false
	}
	target, err := p.ledger.Brief(rec.Canonical)
	return err == nil && target != nil && target.Push == document.PushOK && p.quiet(target)
}

// stale reports whether a page must be read whatever its hints say.
func (p *Past) stale(rec *document.Record) bool {
	flags, _ := p.table.Get(spool.Fingerprint(rec.ID))
	trust, lastmod := p.hosts[weburl.Origin(rec.ID)].Lastmod, rec.Hints.Lastmod
	switch {
	case p.options.Full, rec.Push == document.PushDoubt, rec.Push == document.PushRefused,
		flags&spool.Held != 0, rec.Suspect.How != "":
		return true
	case rec.Since != "": // the last run could not read the page, so its links are not known
		return true
	case rec.Canonical != "" && !rec.IsDocument(): // the text of the canonical page may have changed
		return true
	case rec.Push == document.PushNone && rec.Date != "" && !p.options.Expires(rec.ID, rec.Date):
		return true
	case (rec.Push == document.PushOK || rec.Date != "") && rec.Rules != p.options.Rules(rec.ID):
		return true
	case p.options.RecheckDue(rec.ID, rec):
		return true
	}
	// A lastmod that names only a day proves nothing until that day is over. After the day the page is read
	// once more, so that later runs can skip it. An untrusted lastmod lets no run skip a page.
	return judge.TrustLastmod(trust) && judge.DayOpen(lastmod, rec.Fetched) &&
		!judge.DayOpen(lastmod, p.options.Start.Unix())
}

func (p *Past) quiet(rec *document.Record) bool {
	return rec.Misses == 0 && rec.Since == "" && rec.Standing == (document.Standing{}) && rec.Suspect.How == "" &&
		(rec.Canonical == "" || !rec.IsDocument()) && (len(rec.Looks) == 0 || !rec.IsDocument()) &&
		(rec.Push == document.PushNone || rec.Push == document.PushOK && !p.options.Expires(rec.ID, rec.Date))
}

// RecheckDue reports whether the last reading of a page is too old. The longest age differs by URL, from half
// of Recheck (RecheckFiles for files) to all of it, so that each run reads a sample. A reading later than the
// start of this run counts as too old, because the clock was wrong.
func (o Options) RecheckDue(url string, rec *document.Record) bool {
	every := o.Recheck
	if rec.Type == document.FileContent {
		every = o.RecheckFiles
	}
	share := float64(spool.Fingerprint(url)>>11) / float64(math.MaxUint64>>11)
	age := o.Start.Unix() - rec.Fetched
	return age < 0 || float64(age) >= every.Seconds()*(0.5+0.5*share)
}
