package plan

import (
	"maps"

	"sitesync/internal/document"
)

// Learner learns the profile of a site: text that its pages share. The order of pages does not matter.
type Learner interface {
	// Offer adds a page that was read.
	Offer(seen *document.Sighting)
	// Doubtful reports whether a section (a host or folder) may have to be learned. If so, the caller must
	// pass all unchanged pages to Keep.
	Doubtful() bool
	// Keep adds an unchanged page, after all calls of Offer.
	Keep(url string)
	// Learn returns the new and changed sections, and a warning for each changed section. It uses only pages
	// of origins for which fit is true. draft returns the draft (unfinished document) at Sighting.Draft.
	Learn(fit func(origin string) bool, draft func(position int64) (document.Draft, error)) (
		document.Profile, []document.Warning, error)
}

// learn adds the learned sections to the profile, with which this run makes all documents. Records of
// unchanged pages keep the fingerprint of the previous profile. So the next run reads these pages again.
func (g *gathering) learn() error {
	s := g.site
	if g.learner == nil {
		return nil
	}
	learned, warnings, err := g.learner.Learn(func(origin string) bool {
		return s.hosts[origin].Covered && s.hosts[origin].State == document.HostOK
	}, func(at int64) (document.Draft, error) {
		draft, err := s.folder.Draft(at)
		if err != nil { // the page becomes unread when it is judged
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
