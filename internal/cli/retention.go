package cli

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
		rules = append(rules, rule{where, before, ruleName(r), fmt.Sprintf("[[delete.retention]] where %q: dated before %s", r.Where, before)})
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

// ruleName returns a retention rule as it is written: a name that is the same every
// night, and another one when the rule changes.
func ruleName(r config.Retention) string {
	return strings.Join(r.Where, " ") + " before " + r.Before.String()
}

// brakeLines returns where the keys stand that can be what trips a brake, and the
// retention rules, by what the brakes call them.
func brakeLines(cfg *config.Config) map[string]string {
	lines := map[string]string{}
	for _, key := range []string{
		"delete.max", "delete.max_share", "delete.max_absolute", "fetch.max_failed_share",
		"site.start", "site.include", "site.exclude", "site.follow_only", "site.file_hosts",
	} {
		lines[key] = cfg.Line(key)
	}
	for i, r := range cfg.Delete.Retention {
		lines[ruleName(r)] = cfg.RetentionLine(i)
	}
	return lines
}
