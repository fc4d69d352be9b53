package bus

import (
	"fmt"
	"regexp"
	"strings"
)

// The buckets. Each has one entry a site, but for Limits and the entry FormatKey of Sites.
const (
	Sites  = "sitesync-sites"  // what the operator says of a site; with history
	States = "sitesync-states" // who runs it, its ledger, its last result
	Limits = "sitesync-limits" // who uses a host, or a customer's quota
)

// The streams.
const (
	Queue = "sitesync-queue" // sites that are due, and when others will be
	Files = "sitesync-files" // ledgers, plans under way, and how far these were sent
	Runs  = "sitesync-runs"  // the last runs of each site
)

// FormatKey is the entry of Sites that holds Format; no site has such a name.
const (
	FormatKey = "_format"
	Format    = "1"
)

// Priority is the order in which due sites are taken.
type Priority string

// The priorities, each of which has a consumer of its own; the first is taken first.
const (
	High   Priority = "high"
	Normal Priority = "normal"
	Low    Priority = "low"
)

// Priorities returns all of them, the first taken first.
func Priorities() []Priority { return []Priority{High, Normal, Low} }

// maxName bounds the name of a site, in bytes.
const maxName = 64

var nameRule = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// CheckName errs unless name may be the name of a site: letters a to z, digits and hyphens.
// So it is safe in a subject, a key and a file's name.
func CheckName(name string) error {
	if len(name) > maxName || !nameRule.MatchString(name) {
		return fmt.Errorf("%.80q can't be the name of a site: use letters a to z, digits and hyphens, %d at most", name, maxName)
	}
	return nil
}

// The subjects. A site has one message at most under each of Due and At.

// Due is where the message of a due site stands.
func Due(p Priority, site string) string { return join("due", string(p), site) }

// At is where the server keeps the message that it will put under Due when its time comes.
func At(site string) string { return join("at", site) }

// File is a part of what a site has stored under the lease with a number: kind is "ledger",
// "plan" or "mark".
func File(kind, site string, number uint64, part string) string {
	return join("file", kind, site, fmt.Sprint(number), part)
}

// FilesOf is all that a site has stored.
func FilesOf(site string) string { return join("file", "*", site, ">") }

// Run is where the last runs of a site stand.
func Run(site string) string { return join("run", site) }

// Cancel asks the worker that runs a site to stop. It is no subject of a stream.
func Cancel(site string) string { return join("cancel", site) }

func join(parts ...string) string { return "sitesync." + strings.Join(parts, ".") }
