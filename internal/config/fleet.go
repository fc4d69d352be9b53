package config

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	cron "github.com/netresearch/go-cron"
)

// Fleet says when a fleet (many sites on several machines) runs this site. Only commands of a fleet use it.
type Fleet struct {
	Schedule string         `toml:"schedule" is:"schedule" json:"schedule"` // five fields of a crontab
	Timezone *time.Location `toml:"timezone" json:"-"`                      // of Schedule; not nil after Load
	Jitter   Duration       `toml:"jitter" json:"jitter"`                   // bound of the delay that Next adds
	Priority string         `toml:"priority" is:"high|normal|low" json:"priority"`
	Group    string         `toml:"group" is:"id or empty" json:"group"`
	Limits   Limits         `toml:"limits" json:"limits"`
}

// Limits says how many sites of a fleet may run at the same time.
type Limits struct {
	Host        int  `toml:"host" min:"1" json:"host"`         // sites on the same host
	Customer    int  `toml:"customer" json:"customer"`         // sites with the same push.customer_id; 0: no limit
	SameAddress bool `toml:"same_address" json:"same_address"` // hosts with the same IP address count as one
}

const minGap = 5 * time.Minute

// parseSchedule parses the five fields of crontab(5). If day of month and weekday are both restricted, a day
// that matches one of them is enough.
func parseSchedule(s string) (cron.Schedule, error) {
	const fields = cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.DowOrDom
	return cron.MustNewParser(fields).Parse(s)
}

func checkSchedule(s string) error {
	schedule, err := parseSchedule(s)
	if err != nil || strings.Contains(s, "=") { // no TZ=ZONE: fleet.timezone sets the time zone
		return errors.New("must be five fields as in a crontab (minute, hour, day, month, weekday), " +
			`such as "15 2 * * *"`)
	}
	first := schedule.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	if first.IsZero() {
		return errors.New("must name a day that comes: no month has this one")
	}
	// 300 runs cover a day of the densest schedule, and 35 days cover a month of a daily schedule.
	for at, n := first, 0; n < 300 && at.Sub(first) < 35*24*time.Hour; n++ {
		next := schedule.Next(at)
		if next.Sub(at) < minGap {
			return errors.New("must leave 5 minutes between two runs")
		}
		at = next
	}
	return nil
}

// Next returns the first time after the given time at which a site is due, in whole seconds. If there is
// none, it returns the zero time. Each time is the scheduled time plus a delay below Jitter; the site's name
// decides the delay. A local time that daylight saving time skips is due later by the skipped time. A local
// time that comes twice is due once.
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
	// clock is the local time, marked as UTC so that arithmetic ignores daylight saving time. It starts 3
	// hours early, because a time change may set the local time back.
	clock := inZone(after.In(f.Timezone), time.UTC).Add(-3 * time.Hour)
	for {
		clock = schedule.Next(clock)
		if clock.IsZero() {
			return clock
		}
		at := inZone(clock, f.Timezone)
		// time.Date may return an earlier time for a skipped time of day.
		at = at.Add(max(0, clock.Sub(inZone(at, time.UTC))))
		if at.After(after) {
			return at.Add(share).UTC()
		}
	}
}

func inZone(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
}

// NeedFleet errs with a *Faults if a fleet can't run the site. Reasons are, for example, a secret in clear
// text, a missing ID of the index, or a path that exists on one machine only.
func (c *Config) NeedFleet() error {
	var faults []Fault
	refuse := func(is bool, key, text string) {
		if is {
			faults = append(faults, c.fault(key, text))
		}
	}
	for _, key := range c.clearSecrets {
		refuse(true, key, "holds a secret, and a fleet stores none: "+
			"write ${NAME} of an environment variable that the workers have")
	}
	compared := []string{"site.start", "site.folder", "site.via", "push.base_url", "push.crawler_id", "fleet"}
	for _, f := range c.pendingIn(compared...) {
		refuse(true, f.Key, "must not be left to an environment variable: a fleet compares it with that of other sites")
	}
	for key, path := range map[string]*string{
		"push.api_key_file": &c.Push.APIKeyFile, "push.ca_file": &c.Push.CAFile, "fetch.ca_file": &c.Fetch.CAFile,
		"fetch.cookies": &c.Fetch.Cookies, "notify.ca_file": &c.Notify.CAFile,
	} {
		refuse(slices.Contains(c.relativePaths, path), key, "is read on the workers: give its full path there")
	}
	given := func(is bool, key, what string) {
		refuse(!is && len(c.pendingIn(key)) == 0, key, "is missing: give "+what)
	}
	given(c.Push.BaseURL != "", "push.base_url", "the https address of your region")
	given(c.Push.CustomerID != 0, "push.customer_id", "the customer ID from the management console")
	given(c.Push.CrawlerID != "", "push.crawler_id", "the crawler ID from the management console")
	refuse(c.Push.Local(), "push.base_url",
		`is "local", which is another index on each worker: give the https address of your region`)
	refuse(len(c.Site.Via) > 0, "site.via",
		"fetches from a staging host, which must not go into the index: remove it")
	refuse(c.Site.Folder != "", "site.folder",
		"is a folder of one machine, which the workers don't have: remove it and crawl the web")
	return asError(faults)
}
