package config

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// Require errs with a *Faults if a key in names is pending: its environment variable is unset or empty. names
// may hold keys, such as "push.api_key", and whole sections, such as "fetch".
func (c *Config) Require(names ...string) error { return asError(c.pendingIn(names...)) }

func (c *Config) pendingIn(names ...string) (found []Fault) {
	for _, f := range c.pending {
		inside := func(name string) bool { return f.Key == name || strings.HasPrefix(f.Key, name+".") }
		if slices.ContainsFunc(names, inside) {
			found = append(found, f)
		}
	}
	return found
}

func (c *Config) fault(key, text string) Fault {
	return Fault{File: c.file, Line: lineOf(c.lines, key), Key: shown(key), Text: text}
}

// NeedCrawl errs with a *Faults if no crawl is possible. The reason is a pending key of site, fetch, extract,
// store or delete, or a site.folder that can't be read.
func (c *Config) NeedCrawl() error {
	faults := c.pendingIn("site", "fetch", "extract", "store", "delete")
	if c.Site.Folder != "" {
		if _, err := os.ReadDir(c.Site.Folder); err != nil {
			faults = append(faults, c.fault("site.folder", "can't be read: "+err.Error()))
		}
	}
	return asError(faults)
}

// NeedPush errs with a *Faults if nothing can be sent: push.base_url, push.customer_id or push.crawler_id is
// missing, or there is no valid API key.
func (c *Config) NeedPush() error {
	crawler := c.needGiven(c.Push.CrawlerID != "", "push.crawler_id", "give the crawler ID from the management console")
	faults := append(c.needService(), crawler...)
	_, wrong := c.key()
	return asError(append(faults, wrong...))
}

// NeedEvents errs with a *Faults if no events (reports of searches and clicks) can be sent: push.base_url,
// push.customer_id or push.engine_id is missing. Events need no API key.
func (c *Config) NeedEvents() error {
	engine := c.needGiven(c.Push.EngineID != 0, "push.engine_id", "give the engine ID from the management console")
	return asError(append(c.needService(), engine...))
}

func (c *Config) needService() []Fault {
	faults := c.pendingIn("push.proxy", "push.ca_file")
	if c.Push.Proxy != "" { // a section [[fetch.auth]] may hold the credentials for the proxy
		faults = append(faults, c.pendingIn("fetch.auth")...)
	}
	return slices.Concat(faults,
		c.needGiven(c.Push.BaseURL != "", "push.base_url", `give the https address of your region, or "local"`),
		c.needGiven(c.Push.CustomerID != 0, "push.customer_id", "give the customer ID from the management console"))
}

func (c *Config) needGiven(given bool, key, text string) []Fault {
	if pending := c.pendingIn(key); given || len(pending) > 0 {
		return pending
	}
	return []Fault{c.fault(key, "is missing: "+text)}
}

// Key returns push.api_key, or the content of push.api_key_file, without white space around it. The local
// service needs no key: for it, Key returns push.api_key or else "local". The error is a *Faults.
func (c *Config) Key() (Secret, error) {
	key, wrong := c.key()
	return key, asError(wrong)
}

func (c *Config) key() (Secret, []Fault) {
	name, key := "push.api_key", strings.TrimSpace(string(c.Push.APIKey))
	if c.Push.Local() {
		return Secret(cmp.Or(key, localBase)), nil
	}
	if pending := c.pendingIn(name, "push.api_key_file"); len(pending) > 0 {
		return "", pending
	}
	if c.Push.APIKeyFile != "" {
		name = "push.api_key_file"
		data, err := readFile(c.Push.APIKeyFile, maxFile)
		if err != nil {
			return "", []Fault{c.fault(name, "can't be read: "+err.Error())}
		}
		key = string(bytes.TrimSpace(data))
	}
	if key == "" || check("header", key) != nil {
		return "", []Fault{c.fault(name, "gives no key: set push.api_key to ${NAME} of an environment variable, "+
			"or push.api_key_file to a file that holds the key alone, in one line")}
	}
	return Secret(key), nil
}

const localBase = "local"

// Local reports whether the base URL names the local search service, not a hosted one.
func (p *Push) Local() bool { return p.BaseURL == localBase }

// Base returns the base URL without trailing slashes.
func (p *Push) Base() string { return strings.TrimRight(p.BaseURL, "/") }

// Secret is a password, a key or the value of a header. When printed or encoded as JSON, it is masked.
type Secret = document.Secret

// Fingerprint returns a hash, in hexadecimal, of the keys that decide which pages are crawled and what is
// read from them. A crawl is resumed only with the same hash. Secrets, and keys for speed or retries, do not
// change it. site.folder counts as the file writes it, so that every machine gets the same hash.
func (c *Config) Fingerprint() string {
	site := c.Site
	if c.folderAsWritten != "" {
		site.Folder = c.folderAsWritten
	}
	data, _ := json.Marshal(struct {
		Site     Site
		Fetch    Fetch
		Extract  Extract
		Timezone string
	}{site, c.Fetch, c.Extract, c.Extract.Timezone.String()}) // Marshal never errs here, and it masks secrets
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
