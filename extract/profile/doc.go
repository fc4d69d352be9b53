// Package profile knows what the pages of a site repeat: lines, parts of titles,
// descriptions that fit no page in particular.
//
// A page belongs to two sections, its origin and the part of the site below the
// first folder of its path. A Learner samples the pages of a run and learns what
// most pages of a section have in common; Sections takes that out of a page.
//
// It guarantees that the profile depends on the set of pages alone, not on the order
// in which they are offered, and that taking out never leaves a page without words
// or without a title. It leaves to others which hosts are healthy enough to learn
// from, and where drafts are kept.
//
// Sections are values; a Learner is not safe for concurrent use.
package profile
