package config

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	cron "github.com/netresearch/go-cron"
)

// Fleet is when and how a fleet runs the site. Nothing else looks at it.
type Fleet struct {
	Schedule string         `toml:"schedule" is:"schedule" json:"schedule"` // five fields, as in a crontab
	Timezone *time.Location `toml:"timezone" json:"-"`                      // of Schedule, never nil after Load
	Jitter   Duration       `toml:"jitter" json:"jitter"`                   // each site comes later by a share of it that is its own
	Priority string         `toml:"priority" is:"high|normal|low" json:"priority"`
	Group    string         `toml:"group" is:"id or empty" json:"group"`
	Limits   Limits         `toml:"limits" json:"limits"`
}

// Limits is how many sites of a fleet may run at a time.
type Limits struct {
	Host        int  `toml:"host" min:"1" json:"host"`         // of those that share a host
	Customer    int  `toml:"customer" json:"customer"`         // of those with one push.customer_id; 0: no limit
	SameAddress bool `toml:"same_address" json:"same_address"` // hosts that resolve to one address are one
}

// minGap is the time that a schedule leaves between two runs at least.
const minGap = 5 * time.Minute

// parseSchedule reads five fields as crontab(5) has them: where both days are restricted, one
// of them is enough.
func parseSchedule(s string) (cron.Schedule, error) {
	return cron.MustNewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.DowOrDom).Parse(s)
}

func checkSchedule(s string) error {
	schedule, err := parseSchedule(s)
	if err != nil || strings.Contains(s, "=") { // a time zone in front is another key's
		return errors.New(`must be five fields as in a crontab (minute, hour, day, month, weekday), such as "15 2 * * *"`)
	}
	first := schedule.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	if first.IsZero() {
		return errors.New("must name a day that comes: no month has this one")
	}
	for at, n := first, 0; n < 300 && at.Sub(first) < 35*24*time.Hour; n++ { // a whole day of the densest, a month of a daily one
		next := schedule.Next(at)
		if next.Sub(at) < minGap {
			return errors.New("must leave 5 minutes between two runs")
		}
		at = next
	}
	return nil
}

// Next returns when a site is due next after a time: the zero time if never, else in whole
// seconds. Each time of day comes once a day: one that the clocks skip comes as much later as
// they are put forward, and one that they show twice comes once.
func (f *Fleet) Next(site string, after time.Time) time.Time {
	schedule, err := parseSchedule(f.Schedule)
	if err != nil {
		return time.Time{}
	}
	var share time.Duration
	if jitter := uint64(time.Duration(f.Jitter) / time.Second); jitter > 0 { //nolint:gosec // never negative
		share = time.Duration(xxhash.Sum64String(site)%jitter) * time.Second //nolint:gosec // less than the jitter
	}
	after = after.Add(-share)
	// The schedule is followed on a clock that is never changed, from before any change.
	clock := inZone(after.In(f.Timezone), time.UTC).Add(-3 * time.Hour)
	for {
		clock = schedule.Next(clock)
		if clock.IsZero() {
			return clock
		}
		at := inZone(clock, f.Timezone)
		at = at.Add(max(0, clock.Sub(inZone(at, time.UTC)))) // a skipped time may be read as an earlier one
		if at.After(after) {
			return at.Add(share).UTC()
		}
	}
}

// inZone returns what a clock in the zone shows as t does in its own.
func inZone(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}

// NeedFleet returns what keeps the site out of a fleet: a secret that the file holds in clear,
// what is on one machine alone, and what names the index but is not given or differs from
// worker to worker.
func (c *Config) NeedFleet() error {
	var faults []Fault
	refuse := func(is bool, key, text string) {
		if is {
			faults = append(faults, c.fault(key, text))
		}
	}
	for _, key := range c.literal {
		refuse(true, key, "holds a secret, and a fleet stores none: write ${NAME} of an environment variable that the workers have"+map[bool]string{true: ", or use push.api_key_file"}[key == "push.api_key"])
	}
	for _, f := range c.pendingIn("site.start", "site.folder", "site.via", "push.base_url", "push.crawler_id", "fleet") {
		refuse(true, f.Key, "must not be left to an environment variable: a fleet compares it with that of other sites")
	}
	read := []*string{&c.Push.APIKeyFile, &c.Push.CAFile, &c.Fetch.CAFile, &c.Fetch.Cookies, &c.Notify.CAFile}
	for i, path := range read {
		key := []string{"push.api_key_file", "push.ca_file", "fetch.ca_file", "fetch.cookies", "notify.ca_file"}[i]
		refuse(slices.Contains(c.beside, path), key, "is read on the workers: give its full path there")
	}
	given := func(is bool, key, what string) {
		refuse(!is && len(c.pendingIn(key)) == 0, key, "is missing: give "+what)
	}
	given(c.Push.BaseURL != "", "push.base_url", "the https address of your region")
	given(c.Push.CustomerID != 0, "push.customer_id", "the customer ID from the management console")
	given(c.Push.CrawlerID != "", "push.crawler_id", "the crawler ID from the management console")
	refuse(c.Push.Local(), "push.base_url", `is "local", which is another index on each worker: give the https address of your region`)
	refuse(len(c.Site.Via) > 0, "site.via", "fetches from a staging host, which must not go into the index: remove it")
	refuse(c.Site.Folder != "", "site.folder", "is a folder of one machine, which the workers don't have: remove it and crawl the web")
	return asError(faults)
}
