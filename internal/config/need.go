package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Require returns the faults of the given keys and sections ("push.api_key",
// "fetch") whose environment variable is unset or empty: a *Faults, or nil. Call
// it for all that a command is about to use; a pending key holds its default.
func (c *Config) Require(names ...string) error {
	return asError(c.pendingIn(names...))
}

func (c *Config) pendingIn(names ...string) []Fault {
	var found []Fault
	for _, f := range c.pending {
		inside := func(name string) bool { return f.Key == name || strings.HasPrefix(f.Key, name+".") }
		if slices.ContainsFunc(names, inside) {
			found = append(found, f)
		}
	}
	return found
}

// NeedCrawl returns what stands in the way of a crawl and a plan: pending keys
// of every section but push and serve, and a site.folder that is no folder.
func (c *Config) NeedCrawl() error {
	faults := c.pendingIn("site", "fetch", "extract", "store", "delete")
	if c.Site.Folder != "" {
		if info, err := os.Stat(c.Site.Folder); err != nil {
			faults = append(faults, c.fault("site.folder", "can't be read: "+err.Error()))
		} else if !info.IsDir() {
			faults = append(faults, c.fault("site.folder", c.Site.Folder+" is not a folder"))
		}
	}
	return asError(faults)
}

// NeedTarget returns what is missing to name the index: base_url, customer_id
// and crawler_id of [push].
func (c *Config) NeedTarget() error { return asError(c.targetFaults()) }

func (c *Config) targetFaults() []Fault {
	faults := c.pendingIn("push.base_url", "push.crawler_id")
	missing := func(is bool, key, text string) {
		if is && len(c.pendingIn(key)) == 0 {
			faults = append(faults, c.fault(key, "is missing: "+text))
		}
	}
	missing(c.Push.BaseURL == "", "push.base_url", `give the https address of your region, or "local"`)
	missing(c.Push.CustomerID == 0, "push.customer_id", "give the customer ID from the management console")
	missing(c.Push.CrawlerID == "", "push.crawler_id", "give the crawler ID from the management console")
	return faults
}

// NeedPush returns what stands in the way of sending: what NeedTarget returns,
// and no usable key.
func (c *Config) NeedPush() error {
	faults := c.targetFaults()
	if _, err := c.Key(); err != nil {
		var found *Faults
		errors.As(err, &found)
		faults = append(faults, found.List...)
	}
	return asError(faults)
}

// Key returns the push key, from push.api_key or read from push.api_key_file,
// without white space around it. The error is a *Faults. "local" needs no key:
// its name is returned where none is given.
func (c *Config) Key() (Secret, error) {
	key := Secret(strings.TrimSpace(string(c.Push.APIKey)))
	if c.Push.Local() {
		if key == "" {
			key = localBase
		}
		return key, nil
	}
	if pending := c.pendingIn("push.api_key", "push.api_key_file"); len(pending) > 0 {
		return "", asError(pending)
	}
	if c.Push.APIKeyFile != "" {
		return c.keyFromFile()
	}
	if key == "" {
		return "", asError([]Fault{c.fault("push.api_key", "is missing: set it to ${NAME} of an environment variable, or name a file in push.api_key_file")})
	}
	return key, nil
}

func (c *Config) keyFromFile() (Secret, error) {
	data, err := readFile(c.Push.APIKeyFile)
	if err != nil {
		return "", asError([]Fault{c.fault("push.api_key_file", "can't be read: "+err.Error())})
	}
	key := bytes.TrimSpace(data)
	if len(key) == 0 || checkHeaderValue(string(key)) != nil {
		return "", asError([]Fault{c.fault("push.api_key_file", fmt.Sprintf("%s must hold the key alone, in one line", c.Push.APIKeyFile))})
	}
	return Secret(key), nil
}

func (c *Config) fault(key, text string) Fault {
	return Fault{File: c.file, Line: lineOf(c.lines, key), Key: key, Text: text}
}

// Local reports whether the service runs inside this process.
func (p *Push) Local() bool { return p.BaseURL == localBase }

// Base returns the base address without trailing slashes, for building paths.
func (p *Push) Base() string { return strings.TrimRight(p.BaseURL, "/") }
