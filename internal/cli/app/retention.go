package app

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/config"
	"sitesync/internal/weburl"
)

// retention returns a function that tells which rule covers a document of the given
// URL and date (YYYY/MM/DD), as it is written and in today's words; empty when none
// does.
func retention(cfg *config.Config, start time.Time) func(url, date string) (name, why string) {
	type rule struct {
		where  weburl.Patterns
		before string
		name   string
		text   string
	}
	var rules []rule
	for _, r := range cfg.Delete.Retention {
		where, err := weburl.ReadPatterns("pattern", r.Where)
		if err != nil { // the configuration was checked when it was loaded
			continue
		}
		before := r.Before.Cutoff(start, cfg.Extract.Timezone).Format(config.DateLayout)
		rules = append(rules, rule{where, before, RuleName(r), fmt.Sprintf("[[delete.retention]] where %q: dated before %s", r.Where, before)})
	}
	return func(url, date string) (name, why string) {
		if date == "" {
			return "", ""
		}
		for _, r := range rules {
			if date < r.before && r.where.Match(url) {
				return r.name, r.text
			}
		}
		return "", ""
	}
}

// RuleName returns a retention rule as it is written: a name that is the same every
// night, and another one when the rule changes.
func RuleName(r config.Retention) string {
	return strings.Join(r.Where, " ") + " before " + r.Before.String()
}
