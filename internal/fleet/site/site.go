package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/weburl"
)

// Site is the entry of a site.
type Site struct {
	Name     string `json:"-"`
	Revision uint64 `json:"-"` // revision of the entry; grows with each change of any site
	Removed  bool   `json:"-"` // in a history: the site was removed here
	Damaged  string `json:"-"` // why the entry can't be read, or is not believed; empty: it is good

	Paused bool      `json:"paused,omitempty"`
	By     string    `json:"by"`
	Why    string    `json:"why"`   // the change: "add", "set", "pause", "resume", "revert to 12"
	At     time.Time `json:"at"`    // time of the change, on the server's clock
	After  uint64    `json:"after"` // the revision that it replaced; 0: there was none

	TOML string `json:"-"` // the configuration as it was given; it stands behind the first line of the entry

	// These are from TOML, so that a list of all sites need not parse it.
	Fleet   config.Fleet `json:"fleet"`
	Zone    string       `json:"timezone"`
	Index   string       `json:"index"`   // base address, customer and crawler
	Origins []string     `json:"origins"` // origins of the start addresses
}

// Read returns a site as it is stored. It errs where its name or its configuration is wrong; errors name
// file. It looks no ${NAME} up: the variables are the workers'.
func Read(name, file string, toml []byte) (Site, error) {
	s := Site{Name: name, TOML: string(toml)}
	err := bus.CheckName(name)
	if err != nil {
		return s, err
	}
	cfg, err := config.Parse(file, toml, func(string) string { return "" })
	if err != nil {
		return s, err
	}
	err = cfg.NeedFleet()
	if err != nil {
		return s, err
	}
	s.Fleet, s.Zone = cfg.Fleet, cfg.Fleet.Timezone.String()
	base, err := url.Parse(cfg.Push.Base())
	if err != nil {
		return s, fmt.Errorf("%s: push.base_url: %w", file, err)
	}
	s.Index = fmt.Sprintf("%s%s %d %s", weburl.RequestOrigin(base), base.Path, cfg.Push.CustomerID, cfg.Push.CrawlerID)
	for _, start := range cfg.Site.Start {
		origin, err := weburl.ConfiguredOrigin(start)
		if err != nil {
			return s, fmt.Errorf("%s: site.start: %w", file, err)
		}
		s.Origins = append(s.Origins, origin)
	}
	return s, nil
}

// Apart errs where two sites have the same index and an origin in common: each would delete what
// the other has put there.
func Apart(sites []Site) error {
	seen := map[string]string{}
	for _, s := range sites {
		for _, origin := range s.Origins {
			other := seen[s.Index+" "+origin]
			if other != "" && other != s.Name {
				return fmt.Errorf("%s: site.start: %s is already sent to the same index (push.base_url, customer_id, crawler_id) by the site %s; give one of them another crawler ID, or put them in one site", s.Name, origin, other)
			}
			seen[s.Index+" "+origin] = s.Name
		}
	}
	return nil
}

// Zones are time zones by name. Decode loads each once. Zones are not safe for concurrent use.
type Zones map[string]*time.Location

// Decode reads an entry. It is Damaged if it can't be read, or if nobody who is trusted has signed it.
func (z Zones) Decode(seal bus.Seal, name string, revision uint64, value []byte) Site {
	s := Site{Name: name, Revision: revision}
	body, err := seal.Body(name, value)
	head, toml, _ := bytes.Cut(body, []byte("\n"))
	if err == nil {
		err = json.Unmarshal(head, &s)
	}
	if err == nil && z[s.Zone] == nil {
		z[s.Zone], err = time.LoadLocation(s.Zone)
	}
	if err == nil && !slices.Contains(bus.Priorities(), s.Priority()) {
		err = errors.New("unknown priority")
	}
	if err != nil {
		return Site{Name: name, Revision: revision, Damaged: err.Error()}
	}
	s.Fleet.Timezone, s.TOML = z[s.Zone], string(toml)
	return s
}

// Fault returns an error that says why the entry is Damaged; nil if it is not.
func (s *Site) Fault() error {
	if s.Damaged == "" {
		return nil
	}
	return fmt.Errorf("%s: what the fleet knows of the site is damaged (%s): sitesync fleet revert takes back the last change, sitesync fleet set writes it anew", s.Name, s.Damaged)
}

// Priority returns the order in which the site is taken when it is due.
func (s *Site) Priority() bus.Priority { return bus.Priority(s.Fleet.Priority) }

// Next returns when the site is due next after a time, paused or not; the zero time if never.
func (s *Site) Next(after time.Time) time.Time { return s.Fleet.Next(s.Name, after) }

// Due is the message that a site is due.
type Due struct {
	Site string    `json:"site"`
	At   time.Time `json:"at"` // the due time that the run is for
}

// ReadDue reads a message of the queue. It errs unless the message has a site and a time.
func ReadDue(raw []byte) (Due, error) {
	var d Due
	err := json.Unmarshal(raw, &d)
	if err == nil {
		err = bus.CheckName(d.Site)
	}
	if err == nil && d.At.IsZero() {
		err = errors.New("it holds no time")
	}
	if err != nil {
		return Due{}, fmt.Errorf("read the message of a due site: %w", err)
	}
	return d, nil
}
