package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/netip"
)

// crawled is what decides which pages are fetched and what is read from them.
// How fast, how patiently and with which passwords is left out: that may change
// between a crawl and its resumption.
type crawled struct {
	Site         Site
	UserAgent    string
	MaxBody      Size
	MaxFile      Size
	Robots       string
	Recheck      Duration
	RecheckFiles Duration
	Networks     []netip.Prefix
	Auth         []Auth
	Content      string
	Exclude      []string
	Description  string
	Timezone     string
}

// Fingerprint returns a hash, in hexadecimal, of all that decides what is
// crawled and extracted. It holds no secret (JSON masks them) and site.folder as
// written, so that it is the same on every machine.
func (c *Config) Fingerprint() string {
	f, e := c.Fetch, c.Extract
	site := c.Site
	if c.folder != "" {
		site.Folder = c.folder
	}
	data, _ := json.Marshal(crawled{
		Site: site, UserAgent: f.UserAgent, MaxBody: f.MaxBody, MaxFile: f.MaxFile, Robots: f.Robots,
		Recheck: f.Recheck, RecheckFiles: f.RecheckFiles, Networks: f.Networks, Auth: f.Auth,
		Content: e.Content, Exclude: e.Exclude, Description: e.Description, Timezone: e.Timezone.String(),
	}) // no error: every field has a JSON form
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
