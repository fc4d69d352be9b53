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

// Require returns the faults of the given keys and sections ("push.api_key",
// "fetch") whose environment variable is unset or empty: a *Faults, or nil. Call
// it for all that a command is about to use; a pending key holds its default.
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

// NeedCrawl returns what stands in the way of a crawl and a plan: pending keys
// of every section but push and serve, and a site.folder that is not a folder.
func (c *Config) NeedCrawl() error {
	faults := c.pendingIn("site", "fetch", "extract", "store", "delete")
	if c.Site.Folder != "" {
		if _, err := os.ReadDir(c.Site.Folder); err != nil {
			faults = append(faults, c.fault("site.folder", "can't be read: "+err.Error()))
		}
	}
	return asError(faults)
}

// NeedPush returns what stands in the way of sending: base_url, customer_id and
// crawler_id of [push] that are not given, and no usable key.
func (c *Config) NeedPush() error {
	faults := append(c.needService(), c.needGiven(c.Push.CrawlerID != "", "push.crawler_id", "give the crawler ID from the management console")...)
	_, wrong := c.key()
	return asError(append(faults, wrong...))
}

// NeedEvents returns what stands in the way of tracking and feedback: base_url,
// customer_id and engine_id of [push] that are not given. No key is needed.
func (c *Config) NeedEvents() error {
	return asError(append(c.needService(), c.needGiven(c.Push.EngineID != 0, "push.engine_id", "give the engine ID from the management console")...))
}

// needService returns what stands in the way of any call.
func (c *Config) needService() []Fault {
	faults := c.pendingIn("push.proxy", "push.ca_file")
	if c.Push.Proxy != "" { // which may have its login there
		faults = append(faults, c.pendingIn("fetch.auth")...)
	}
	return slices.Concat(faults,
		c.needGiven(c.Push.BaseURL != "", "push.base_url", `give the https address of your region, or "local"`),
		c.needGiven(c.Push.CustomerID != 0, "push.customer_id", "give the customer ID from the management console"))
}

// needGiven returns the fault of a key that is pending or not given.
func (c *Config) needGiven(given bool, key, text string) []Fault {
	if pending := c.pendingIn(key); given || len(pending) > 0 {
		return pending
	}
	return []Fault{c.fault(key, "is missing: "+text)}
}

// Key returns the push key, from push.api_key or read from push.api_key_file,
// without white space around it. The error is a *Faults. "local" needs no key:
// its name is returned where none is given.
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

// Local reports whether the service runs inside this process.
func (p *Push) Local() bool { return p.BaseURL == localBase }

// Base returns the base address without trailing slashes, for building paths.
func (p *Push) Base() string { return strings.TrimRight(p.BaseURL, "/") }

// Secret is a password, a key or a header's value, which nothing shows.
type Secret = document.Secret

// Fingerprint returns a hash, in hexadecimal, of all that decides which pages are
// crawled and what is read from them. How fast, how patiently and with which
// passwords is left out: that may change between a crawl and its resumption. It
// holds no secret (JSON masks them) and site.folder as written, so that it is the
// same on every machine.
func (c *Config) Fingerprint() string {
	site := c.Site
	if c.folder != "" {
		site.Folder = c.folder
	}
	data, _ := json.Marshal(struct {
		Site     Site
		Fetch    Fetch
		Extract  Extract
		Timezone string
	}{site, c.Fetch, c.Extract, c.Extract.Timezone.String()}) // no error: every field has a JSON form
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
