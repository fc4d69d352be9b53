// Package profile learns what the pages of a site repeat (lines of text, parts of titles, descriptions) and
// removes these repetitions from documents.
//
// A page belongs to two sections of the site: its origin, and the folder with which its path begins. A
// [Learner] samples the pages of a run and learns what most pages of a section share. A [Sections] value
// removes the shared text from a page.
//
// A profile depends only on the set of pages, not on their order. No page loses all of its words or its
// title. The caller decides which hosts to learn from, and where drafts (documents before repetitions are
// removed) are kept.
//
// Sections are values; a Learner is not safe for concurrent use.
package profile
