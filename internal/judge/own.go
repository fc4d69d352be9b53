package judge

import (
	"maps"
	"strings"

	"sitesync/internal/document"
)

// fieldRule is how the name of a field's rules begins among document.Rules.
const fieldRule = "[[extract.field]] "

// TextRulesDiffer reports whether tonight's rules may find another main text on the same
// page than those before: all rules decide about it but those of fields. Without before
// that is not known.
func TextRulesDiffer(before, now document.Rules) bool {
	return before == nil || !maps.Equal(textRules(before), textRules(now))
}

// OwnerRulesDiffer reports whether that is so by what the owner changed, and not only by a
// new revision of the extractor.
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

// OwnChange reports whether an acknowledged document differs because its page's text does, not
// only because the rules do or the profile: see docs/decisions/site-profile.md. delta is that of
// the document that tonight's rules and the ledger's profile make, whose fingerprint s.Rules is.
func OwnChange(s *document.Sighting, rec *document.Record, delta document.Delta, before, now document.Rules) bool {
	return !delta.Same() && (s.Rules == rec.Rules || s.Content != rec.Content && !TextRulesDiffer(before, now))
}
