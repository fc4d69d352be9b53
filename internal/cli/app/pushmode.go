package app

import "sitesync/internal/config"

// PushMode returns how the configuration wants the service to be told of changes, as
// the ledger remembers it: another crawler that fetches was told nothing yet.
func PushMode(cfg *config.Config) string {
	if cfg.Push.Mode == config.ModeQueue {
		return config.ModeQueue + " for crawler " + cfg.Push.QueueCrawlerID
	}
	return cfg.Push.Mode
}
