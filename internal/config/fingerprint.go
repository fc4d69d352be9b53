package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/netip"
)

// Fingerprint returns a hash, in hexadecimal, of all that decides which pages are
// crawled and what is read from them. How fast, how patiently and with which
// passwords is left out: that may change between a crawl and its resumption. It
// holds no secret (JSON masks them) and site.folder as written, so that it is the
// same on every machine.
func (c *Config) Fingerprint() string {
	site, f, e := c.Site, c.Fetch, c.Extract
	if c.folder != "" {
		site.Folder = c.folder
	}
	data, _ := json.Marshal(struct {
		Site                  Site
		UserAgent             string
		MaxBody, MaxFile      Size
		Robots, Render        string
		Recheck, RecheckFiles Duration
		Networks              []netip.Prefix
		Auth                  []Auth
		Content               string
		Exclude               []string
		Description, Timezone string
		Multi                 string
		Between               []string
		Sections              []Section
		Fields                []Field
	}{
		site, f.UserAgent, f.MaxBody, f.MaxFile, f.Robots, f.Render, f.Recheck, f.RecheckFiles, f.Networks, f.Auth,
		e.Content, e.Exclude, e.Description, e.Timezone.String(), e.Multi, e.Between, e.Sections, e.Fields,
	}) // no error: every field has a JSON form
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
