// Package profile learns what the pages of a site repeat (lines of text, parts of titles, descriptions) and
// removes these repetitions from documents.
//
// A page belongs to two sections of the site: its origin, and the first folder of its path. A [Learner]
// learns what most pages of a section share, from a sample of the pages of a run. The result is the site's
// profile. A [Sections] value removes the shared text from a page.
//
// The order of the pages does not change the profile. No page loses all of its words or its title. The
// caller decides from which hosts to learn, and stores the drafts (documents before repetitions are
// removed).
//
// Sections are safe for concurrent use; a Learner is not.
package profile
