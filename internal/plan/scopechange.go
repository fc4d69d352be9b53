package plan

import (
	"cmp"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// scopeChange gathers what the configuration excludes of what the index holds, by the
// rule that does: there are as many as lines and origins in the configuration.
type scopeChange map[string]*document.ScopeGroup

// add takes in one judged URL.
func (s scopeChange) add(f *judge.Facts, verdict *judge.Verdict) {
	if f.Sighting == nil || f.Sighting.Seen != document.OutOfScope || !f.Record.IsDocument() {
		return
	}
	why := f.Sighting.Why
	if s[why] == nil {
		s[why] = &document.ScopeGroup{Rule: why, Kept: verdict.Change == nil}
	}
	group := s[why]
	if group.Documents++; len(group.URLs) < document.MaxScopeURLs {
		group.URLs = append(group.URLs, f.URL)
	}
}

// groups returns what was gathered, the largest first, with the line of each rule.
func (s scopeChange) groups(o *Options) []document.ScopeGroup {
	var groups []document.ScopeGroup
	for _, group := range s {
		group.Line = o.line(judge.ScopeKeys(group.Rule))
		groups = append(groups, *group)
	}
	slices.SortFunc(groups, func(a, b document.ScopeGroup) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Rule, b.Rule))
	})
	return groups
}
