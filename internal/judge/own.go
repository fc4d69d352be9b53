package judge

import (
	"maps"
	"strings"

	"sitesync/internal/document"
)

const fieldRule = "[[extract.field]] "

// TextRulesDiffer reports whether two states of the extraction rules may find different main texts on one
// page. Rules for single fields do not count. If before is nil (unknown), the result is true.
func TextRulesDiffer(before, now document.Rules) bool {
	return before == nil || !maps.Equal(textRules(before), textRules(now))
}

// OwnerRulesDiffer is like TextRulesDiffer, but ignores new extracting code. If before is nil, it is false.
func OwnerRulesDiffer(before, now document.Rules) bool {
	was, is := textRules(before), textRules(now)
	delete(was, document.RulesExtractor)
	delete(is, document.RulesExtractor)
	return before != nil && !maps.Equal(was, is)
}

func textRules(all document.Rules) document.Rules {
	rules := maps.Clone(all)
	maps.DeleteFunc(rules, func(name string, _ uint64) bool { return strings.HasPrefix(name, fieldRule) })
	return rules
}

// OwnChange reports whether a document differs from its record rec because the text of its page changed.
// delta lists the differences. The result is false if only the rules or the profile (text that the site's
// pages share) changed. s.Rules is the fingerprint of both.
func OwnChange(s *document.Sighting, rec *document.Record, delta document.Delta, before, now document.Rules) bool {
	return !delta.Same() && (s.Rules == rec.Rules || s.Content != rec.Content && !TextRulesDiffer(before, now))
}
