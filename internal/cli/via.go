package cli

import (
	"fmt"

	"sitesync/internal/config"
)

// liveOnly refuses a command that tells the service of a site, while site.via shows
// another one in its place.
func liveOnly(cfg *config.Config, command string) error {
	if len(cfg.Site.Via) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%s: site.via shows a staging host, which the index must not hold; look at it with plan, and take site.via out to %s", command, command)}
}
