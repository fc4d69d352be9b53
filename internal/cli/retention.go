package cli

import (
	"fmt"
	"time"

	"sitesync/crawl"
	"sitesync/internal/config"
)

// retention returns a function that tells which rule, in words, covers a document
// of the given URL and date (YYYY/MM/DD); empty when none does.
func retention(cfg *config.Config, start time.Time) func(url, date string) string {
	type rule struct {
		matches func(string) bool
		before  string
		text    string
	}
	var rules []rule
	for _, r := range cfg.Delete.Retention {
		matches, err := crawl.PathMatcher(r.Where)
		if err != nil { // the configuration was checked when it was loaded
			continue
		}
		before := r.Before.Cutoff(start, cfg.Extract.Timezone).Format(config.DateLayout)
		rules = append(rules, rule{matches, before, fmt.Sprintf("[[delete.retention]] where %q: dated before %s", r.Where, before)})
	}
	return func(url, date string) string {
		if date == "" {
			return ""
		}
		for _, r := range rules {
			if date < r.before && r.matches(url) {
				return r.text
			}
		}
		return ""
	}
}
