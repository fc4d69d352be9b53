package config

import "time"

const (
	localBase     = "local"
	localCustomer = 10000001
	localCrawler  = "local"
	apiKeyDefault = "${SITESYNC_API_KEY}"
	day           = Duration(24 * time.Hour)
)

// Default returns what an empty configuration means: every key that has a
// default holds it, paths are as they would be written. It names no site, so it
// is not enough for a crawl.
func Default() Config {
	return Config{
		Site: Site{
			Sitemaps:     Sitemaps{Auto: true},
			Links:        true,
			IgnoreParams: []string{"utm_*", "gclid", "fbclid"},
		},
		Fetch: Fetch{
			Concurrency:    4,
			Timeout:        Duration(30 * time.Second),
			MaxBody:        25 * megabyte,
			MaxFile:        100 * megabyte,
			MaxFailedShare: 0.10,
			Robots:         Obey,
			Recheck:        7 * day,
			RecheckFiles:   30 * day,
			Resume:         day,
		},
		Extract: Extract{Description: FromMeta, Timezone: time.UTC},
		Store:   Store{Path: "sitesync.db", KeepText: true},
		Push:    Push{BatchDocuments: 100, BatchBytes: megabyte},
		Delete: Delete{
			Confirm:     1,
			OutOfScope:  ActDelete,
			Orphans:     ActKeep,
			MovedAway:   ActKeep,
			Max:         10,
			MaxShare:    0.10,
			MaxAbsolute: 500,
		},
	}
}
