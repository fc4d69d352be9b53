package judge

import (
	"maps"
	"strings"

	"sitesync/internal/document"
)

// fieldRule is the prefix of field rules among the names of document.Rules.
const fieldRule = "[[extract.field]] "

// TextRulesDiffer reports whether the rules now may find another main text on the same page than the rules
// before. Every rule can, except the rules of fields. A nil before means unknown, so the result is true.
func TextRulesDiffer(before, now document.Rules) bool {
	return before == nil || !maps.Equal(textRules(before), textRules(now))
}

// OwnerRulesDiffer is TextRulesDiffer without the extractor's revision. A nil before gives false.
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

// OwnChange reports whether an acknowledged document differs because the page's text changed, and not only
// because the rules or the profile did: see docs/decisions/site-profile.md. delta compares the document made
// by the current rules and the ledger's profile. s.Rules is the fingerprint of both.
func OwnChange(s *document.Sighting, rec *document.Record, delta document.Delta, before, now document.Rules) bool {
	return !delta.Same() && (s.Rules == rec.Rules || s.Content != rec.Content && !TextRulesDiffer(before, now))
}
