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

// Site is a web site of a fleet (many sites that workers run), as its entry on the server describes it.
type Site struct {
	Name     string `json:"-"`
	Revision uint64 `json:"-"` // revision of the entry; grows with each change of any site
	Removed  bool   `json:"-"` // in a history: this change removed the site
	Damaged  string `json:"-"` // why the entry can't be read or is not trusted; empty: it is good

	Paused bool      `json:"paused,omitempty"`
	By     string    `json:"by"`    // user and machine that made the last change
	Why    string    `json:"why"`   // the last change: "add", "set", "pause", "resume" or "revert"
	At     time.Time `json:"at"`    // time of the last change, on the server's clock
	After  uint64    `json:"after"` // revision that the last change replaced; 0: there was none

	TOML string `json:"-"` // the configuration; in an entry it follows the first line, which is JSON

	// The following facts are copied from the field TOML, so that List does not parse it.
	Fleet   config.Fleet `json:"fleet"`
	Zone    string       `json:"timezone"`
	Index   string       `json:"index"`   // base URL of the search service, customer ID and crawler ID
	Origins []string     `json:"origins"` // scheme and host of each start address
}

// Read returns a site with the configuration toml, for [Sites.Put]. Its errors call toml by the name file. It
// errs if name or toml is not valid. It keeps ${NAME}, because only workers know these variables.
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

// Apart errs if two sites have the same index and a common origin: each would delete documents of the other.
func Apart(sites []Site) error {
	seen := map[string]string{}
	for _, s := range sites {
		for _, origin := range s.Origins {
			other := seen[s.Index+" "+origin]
			if other != "" && other != s.Name {
				return fmt.Errorf("%s: site.start: %s is already sent to the same index "+
					"(push.base_url, customer_id, crawler_id) by the site %s; "+
					"give one of them another crawler ID, or put them in one site", s.Name, origin, other)
			}
			seen[s.Index+" "+origin] = s.Name
		}
	}
	return nil
}

// Zones holds time zones by name. Decode loads each zone once. Zones is not safe for concurrent use.
type Zones map[string]*time.Location

// Decode returns the site of an entry. The field Damaged says why the entry can't be read or is not trusted.
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
	if err == nil && !slices.Contains(bus.Priorities(), bus.Priority(s.Fleet.Priority)) {
		err = errors.New("unknown priority")
	}
	if err != nil {
		return Site{Name: name, Revision: revision, Damaged: err.Error()}
	}
	s.Fleet.Timezone, s.TOML = z[s.Zone], string(toml)
	return s
}

// Fault returns an error that says why the entry is damaged, or nil if the entry is good.
func (s *Site) Fault() error {
	if s.Damaged == "" {
		return nil
	}
	return fmt.Errorf("%s: what the fleet knows of the site is damaged (%s): "+
		"sitesync fleet revert takes back the last change, sitesync fleet set writes it anew", s.Name, s.Damaged)
}

// Due is a message of the queue. It says that a site is due.
type Due struct {
	Site string    `json:"site"`
	At   time.Time `json:"at"` // when the site is due
}

// ReadDue decodes a message of the queue. It errs unless the message has a site and a time.
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
