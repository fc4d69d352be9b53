package app

import (
	"sitesync/internal/config"
)

// LiveOnly refuses a command that tells the service of a site, while site.via shows
// another one in its place.
func LiveOnly(cfg *config.Config, command string) error {
	if len(cfg.Site.Via) == 0 {
		return nil
	}
	return Usagef("%s: site.via shows a staging host, which the index must not hold; look at it with plan, and take site.via out to %s", command, command)
}
