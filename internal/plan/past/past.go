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

// Ledger is what is asked of a ledger.
type Ledger interface {
	Brief(id string) (*document.Record, error) // without Fields; nil: there is no record
	Records(visit func(id string, decode func(brief bool) (*document.Record, error)) error) error
	Host(origin string) (document.HostMemory, error)
}

// Options say which pages must be read for real whatever their hints claim.
type Options struct {
	Start        time.Time
	Recheck      time.Duration // a page is read for real at least this often; half of it to all of it
	RecheckFiles time.Duration
	Full         bool                                      // read every page
	HeldBefore   iter.Seq2[document.Entry, error]          // what the last run held; nil: nothing
	Rules        func(url string) uint64                   // the fingerprint of the rules that read a page today
	Expired      func(url, date string) (rule, why string) // the retention rule that covers a date; empty: none
}

// Expires reports whether a retention rule covers a date.
func (o Options) Expires(url, date string) bool {
	rule, _ := o.Expired(url, date)
	return rule != ""
}

// Past answers what a crawl asks of earlier runs.
type Past struct {
	options Options
	ledger  Ledger
	table   *spool.Table
	hosts   map[string]document.HostMemory // by origin, of those that have a record; frozen for the run

	// Known counts these.
	Documents int                              // that the service acknowledged
	OfType    map[string]map[document.Type]int // by origin
	OfHost    map[string]int                   // by origin
	Vanished  int                              // addresses that were not there

	prints *Copies // of the texts that the index holds
}

// New returns the past of a ledger; table is the run's.
func New(o Options, ledger Ledger, table *spool.Table) *Past {
	return &Past{options: o, ledger: ledger, table: table, hosts: map[string]document.HostMemory{}}
}

// Known visits every record, and notes in the run's table what the last run held and which
// records ask for nothing while their page is unchanged. It runs before any Lookup.
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
	return p.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil {
			return err
		}
		at := weburl.Origin(id)
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
		p.table.Mark(spool.Fingerprint(id), spool.Known|flag(spool.Document, rec.IsDocument())|
			flag(spool.Acknowledged, rec.Acknowledged())|flag(spool.Quiet, p.quiet(rec))|flag(spool.Listed, rec.Listed))
		return visit(id, p.known(rec))
	})
}

func flag(f uint16, is bool) uint16 {
	if is {
		return f
	}
	return 0
}

// Lookup returns what is known of a URL; the zero value when that is nothing.
func (p *Past) Lookup(url string) (document.Known, error) {
	rec, err := p.ledger.Brief(url)
	if err != nil || rec == nil {
		return document.Known{}, err
	}
	return p.known(rec), nil
}

// Shared reports whether the index holds the text of a record for other documents as well.
func (p *Past) Shared(rec *document.Record) bool { return p.prints.Of(uint64(rec.Print)) > 1 }

// CalledChanged reports whether a trusted sitemap says that a known page changed, or no longer
// lists it: then it is asked for that reason, and says nothing of its neighbours.
func (p *Past) CalledChanged(rec *document.Record, lastmod int64) bool {
	return judge.TrustLastmod(p.hosts[weburl.Origin(rec.ID)].Lastmod) && lastmod != rec.Hints.Lastmod
}

// Host returns what is remembered of a host.
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

// rests reports whether a page need not be asked before its recheck: it is folded into the document
// that it named, about which nothing is due, and such pages of its host proved to stay so.
// Combinations of filters are that, by the thousand, and show what the document shows.
func (p *Past) rests(rec *document.Record) bool {
	stays := judge.NamesTarget(rec) && judge.TrustLastmod(p.hosts[weburl.Origin(rec.ID)].Folds)
	if !stays || rec.Since != "" || p.options.Full || p.options.RecheckDue(rec.ID, rec) {
		return false
	}
	target, err := p.ledger.Brief(rec.Canonical)
	return err == nil && target != nil && target.Push == document.PushOK && p.quiet(target)
}

// stale reports whether a page must be read for real, whatever its hints say.
func (p *Past) stale(rec *document.Record) bool {
	flags, _ := p.table.Get(spool.Fingerprint(rec.ID))
	trust, lastmod := p.hosts[weburl.Origin(rec.ID)].Lastmod, rec.Hints.Lastmod
	switch {
	case p.options.Full, rec.Push == document.PushDoubt, rec.Push == document.PushRefused, flags&spool.Held != 0, rec.Suspect.How != "":
		return true
	case rec.Since != "": // nobody knows where it leads today
		return true
	case rec.Canonical != "" && !rec.IsDocument(): // what it was folded into may have changed without it
		return true
	case rec.Push == document.PushNone && rec.Date != "" && !p.options.Expires(rec.ID, rec.Date):
		return true
	case (rec.Push == document.PushOK || rec.Date != "") && rec.Rules != p.options.Rules(rec.ID):
		return true
	case p.options.RecheckDue(rec.ID, rec):
		return true
	}
	// Once a page is read again whose sitemap names a day alone, it can be skipped; dates that
	// are not believed save no request, and ask for no reading.
	return judge.TrustLastmod(trust) && judge.DayOpen(lastmod, rec.Fetched) && !judge.DayOpen(lastmod, p.options.Start.Unix())
}

// quiet reports whether a look that finds the page unchanged calls for nothing.
func (p *Past) quiet(rec *document.Record) bool {
	return rec.Misses == 0 && rec.Since == "" && rec.Standing == (document.Standing{}) && rec.Suspect.How == "" &&
		(rec.Canonical == "" || !rec.IsDocument()) && (len(rec.Looks) == 0 || !rec.IsDocument()) &&
		(rec.Push == document.PushNone || rec.Push == document.PushOK && !p.options.Expires(rec.ID, rec.Date))
}

// RecheckDue reports whether a page is to be read whatever its hints say: after half of the recheck
// time, and a share of the other half that depends on its URL. So each night reads a sample. A reading
// with a date after the run is due: the clock was wrong then.
func (o Options) RecheckDue(url string, rec *document.Record) bool {
	every := o.Recheck
	if rec.Type == document.FileContent {
		every = o.RecheckFiles
	}
	share := float64(spool.Fingerprint(url)>>11) / float64(math.MaxUint64>>11) // spreads URLs evenly over 0 to 1
	age := o.Start.Unix() - rec.Fetched
	return age < 0 || float64(age) >= every.Seconds()*(0.5+0.5*share)
}
