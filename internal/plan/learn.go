package plan

import (
	"maps"

	"sitesync/internal/document"
)

// Learner learns the profile of a site, in any order of the pages that it is offered.
type Learner interface {
	// Offer takes in a page that was read.
	Offer(seen *document.Sighting)
	// Doubtful reports whether some section may have to be learned. Only then does it
	// matter which pages did not change.
	Doubtful() bool
	// Keep takes in a page that did not change, after all that were read.
	Keep(url string)
	// Learn returns the sections that are new or changed, and a warning of each that changed, from
	// pages of the origins that are fit; draft reads what a sighting refers to.
	Learn(fit func(origin string) bool, draft func(at int64) (document.Draft, error)) (document.Profile, []document.Warning, error)
}

// learning learns what the pages of the site have in common.
type learning struct {
	site    *site
	learner Learner // nil: the profile stays as it is
	keeps   bool    // it matters which pages did not change; known once all sightings are seen
}

func (l *learning) see(seen *document.Sighting) {
	if l.learner != nil && seen.Seen == document.Read {
		l.learner.Offer(seen)
	}
}

// conclude adds what was learned to the profile, by which every draft is finished from here on. A page
// that was compared by the old profile alone keeps the fingerprint of that: the next run reads it again.
func (l *learning) conclude() error {
	s := l.site
	if l.learner == nil {
		return nil
	}
	learned, warnings, err := l.learner.Learn(func(origin string) bool {
		return s.hosts[origin].Covered && s.hosts[origin].State == document.HostOK
	}, func(at int64) (document.Draft, error) {
		draft, err := s.folder.Draft(at)
		if err != nil { // the page teaches nothing; it is found unread when it is judged
			return document.Draft{}, nil
		}
		return draft, nil
	})
	if err != nil {
		return err
	}
	s.survey.Warnings = append(s.survey.Warnings, warnings...)
	if len(learned) == 0 {
		return nil
	}
	profile := document.Profile{}
	maps.Copy(profile, s.profile)
	maps.Copy(profile, learned)
	s.profile, s.learned = profile, learned
	return nil
}
