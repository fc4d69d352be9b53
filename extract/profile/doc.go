// Package profile learns what the pages of a site repeat (lines of text, parts of titles, descriptions) and
// removes these repetitions from documents.
//
// A page belongs to two sections: its origin, and the part of the site below the first folder of its path. A
// Learner samples the pages of a run and learns what most pages of a section share. The type Sections removes
// it from a page.
//
// The package guarantees that a profile depends only on the set of pages, not on their order, and that no page loses
// all of its words or its title. It leaves to others which hosts to learn from, and where drafts (documents
// before repetitions are removed) are kept.
//
// Sections are values; a Learner is not safe for concurrent use.
package profile
