package service

import (
	"slices"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// served reports whether a banner is shown at all at a time: never while it is
// disabled (specification section 3), and from the start of its display window until
// just before its end. Its terms are not looked at.
func served(b wire.Banner, at time.Time) bool {
	from, fromErr := time.Parse(time.RFC3339, b.From)
	to, toErr := time.Parse(time.RFC3339, b.To)
	started := b.From == "" || fromErr == nil && !at.Before(from)
	ended := b.To != "" && (toErr != nil || !at.Before(to))
	return !b.IsDisabled && started && !ended
}

// matchesTerm reports whether one of the terms is the whole query. Case and the number
// of spaces make no difference, and an empty query matches nothing. How the hosted
// service matches is not shown.
func matchesTerm(terms []wire.Term, query string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	want := plain(query)
	return want != "" && slices.ContainsFunc(terms, func(t wire.Term) bool { return plain(t.Name) == want })
}
