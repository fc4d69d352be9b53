package past

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

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

// Hints returns what the next run makes of a record's hints. linkRules is what decides
// today which links are followed, as Host.Followed.
func (p *Past) Hints(rec *document.Record, linkRules string) (Hints, error) {
	memory, err := p.ledger.Host(weburl.Origin(rec.ID))
	if err != nil {
		return Hints{}, err
	}
	var h Hints
	h.Validators, h.Lastmod = Beliefs(memory)
	p.trust[weburl.Origin(rec.ID)] = &hintTrust{h.Validators.Believed, h.Lastmod.Believed}
	stale := p.staleness(rec)
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
