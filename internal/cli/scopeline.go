package cli

import (
	"strings"

	"sitesync/internal/config"
)

// scopeLine returns a function that finds where the configuration excludes what a
// crawl's words say it excludes; a foreign origin is one that site.start does not name.
func scopeLine(cfg *config.Config) func(rule string) string {
	return func(rule string) string {
		for _, key := range []string{"site.exclude", "site.include", "site.follow_only", "site.file_hosts"} {
			if strings.Contains(rule, key) {
				return cfg.Line(key)
			}
		}
		return cfg.Line("site.start")
	}
}
