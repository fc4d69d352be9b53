package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// countRules counts the documents that differ because their rules do.
func (v *verdicts) countRules(verdict *judge.Verdict) {
	if c := verdict.Change; c != nil && c.Cause == document.CauseRules {
		v.ruled++
	}
}

// warnOfRules explains them together: they are one mass update.
func (v *verdicts) warnOfRules() error {
	if v.ruled == 0 {
		return nil
	}
	changed := rulesChange(v.RulesBefore, v.RulesNow)
	if profile := v.profileChange(); profile != "" {
		changed = append(changed, profile)
	}
	if len(changed) == 0 {
		changed = []string{"rules that changed before the last run"}
	}
	documents := fmt.Sprintf("%d documents differ", v.ruled)
	if v.ruled == 1 {
		documents = "one document differs"
	}
	return v.warnings.add(document.Warning{Kind: document.WarnRules, Text: strings.Join(changed, ", ") + ": " + documents}, nil)
}

// rulesChange says in words how the rules differ; nothing where those before are not
// known.
func rulesChange(before, now document.Rules) (changed []string) {
	if before == nil {
		return nil
	}
	names := maps.Clone(before)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, old := before[name]
		is, current := now[name]
		switch {
		case old && current && was == is:
		case name == document.RulesExtractor:
			changed = append(changed, fmt.Sprintf("%s %d → %d", name, was, is))
		case !old:
			changed = append(changed, name+" is new")
		case !current:
			changed = append(changed, name+" is gone")
		default:
			changed = append(changed, name+" changed")
		}
	}
	return changed
}

// profileChange names the sections of which more was learned in this run.
func (p *Planner) profileChange() string {
	switch sections := slices.Sorted(maps.Keys(p.learned)); len(sections) {
	case 0:
		return ""
	case 1:
		return "profile of " + sections[0] + " changed"
	default:
		return fmt.Sprintf("profiles of %s and %d more sections changed", sections[0], len(sections)-1)
	}
}

// rulesKept returns the rules that every document is made by once the plan is applied:
// none where the run did not reach them all.
func (p *Planner) rulesKept() document.Rules {
	if p.Only || !p.survey.Complete {
		return nil
	}
	return p.RulesNow
}
