package plan

import (
	"fmt"
	"maps"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// Learner learns the profile of a site, in any order of the pages that it is offered.
type Learner interface {
	// Offer takes in a page that was read.
	Offer(seen *document.Sighting)
	// Learn returns the sections that are new or changed, and a warning of each that
	// changed, from pages of the origins that are fit; kept visits the pages that did
	// not change, draft returns what a sighting refers to.
	Learn(fit func(origin string) bool, kept func(visit func(url string)) error, draft func(at int64) (document.Draft, error)) (document.Profile, []document.Warning, error)
}

func (p *Planner) loadProfile() (err error) {
	p.profile, err = p.ledger.Profile()
	return err
}

// compared reports whether what was read of a page was compared with the ledger for
// good: it was unchanged, and its profile still is what it was.
func (p *Planner) compared(seen *document.Sighting) bool {
	return seen.Same && seen.Rules == p.stages.Rules(seen.URL, p.profile)
}

// settleProfile learns what the pages of the site have in common. From here on every
// draft is finished with that. What was compared with the old profile alone keeps the
// fingerprint of that, so that the next run reads it again.
func (p *Planner) settleProfile(s *sightings) error {
	if p.stages.Learner == nil {
		return nil
	}
	learner, hosts := p.stages.Learner(p.profile), map[string]*wellness{}
	err := s.each(func(seen *document.Sighting) {
		at := weburl.Origin(seen.URL)
		if hosts[at] == nil {
			hosts[at] = &wellness{}
		}
		flags, _ := s.work.Table.Get(spool.Fingerprint(seen.URL))
		hosts[at].count(seen, flags)
		if seen.Seen == document.Read && seen.Interstitial == "" {
			learner.Offer(seen)
		}
	})
	if err != nil {
		return err
	}
	fit := func(origin string) bool {
		h := p.hosts[origin]
		return h.Covered && h.State == document.HostOK && hosts[origin].well()
	}
	learned, warnings, err := learner.Learn(fit, s.eachKept, s.work.Draft)
	if err != nil {
		return err
	}
	p.survey.Warnings = append(p.survey.Warnings, warnings...)
	p.learn(learned)
	return nil
}

// learn adds what was learned to the profile, and tells when that changes documents
// which the index holds.
func (p *Planner) learn(learned document.Profile) {
	if len(learned) == 0 {
		return
	}
	fresh := 0
	for key, section := range learned {
		if _, known := p.profile[key]; !known && !section.Empty() {
			fresh++
		}
	}
	if fresh > 0 && p.documents > 0 {
		p.survey.Warnings = append(p.survey.Warnings, document.Warning{Kind: document.WarnTemplate, Text: fmt.Sprintf(
			"it was learned what most pages repeat, in so many sections of the site: %d; their pages are read again, and those whose document differs are sent with cause rules", fresh)})
	}
	profile := maps.Clone(p.profile)
	if profile == nil {
		profile = document.Profile{}
	}
	maps.Copy(profile, learned)
	p.profile, p.learned = profile, learned
}

// eachKept visits the pages that did not change.
func (s *sightings) eachKept(visit func(url string)) error {
	err := s.each(func(seen *document.Sighting) {
		if seen.Seen == document.Kept {
			visit(seen.URL)
		}
	})
	return firstError(err, s.ledger.Records(func(id string, _ func(bool) (*document.Record, error)) error {
		if flags, at := s.work.Table.Get(spool.Fingerprint(id)); flags&spool.Kept != 0 && at == 0 {
			visit(id)
		}
		return nil
	}))
}

// wellness is what tells, before the pages of a host are judged, whether they may be
// believed. It is stricter than judge.HostState, which knows all documents.
type wellness struct {
	read, known, walls int // known: of both, documents
	start              bool
}

func (w *wellness) count(seen *document.Sighting, flags uint16) {
	switch {
	case seen.Interstitial != "":
		w.walls++
		w.start = w.start || flags&spool.Start != 0
	case seen.Seen == document.Read:
		w.read++
	default:
		return
	}
	if flags&spool.Document != 0 {
		w.known++
	}
}

// well reports whether nothing stood in place of a start page, or of a fifth of the
// pages; one page alone speaks for no host.
func (w *wellness) well() bool {
	looked := w.read
	if w.known > 0 {
		looked = w.known
	}
	return !w.start && (w.walls <= 1 || 5*w.walls < looked)
}
