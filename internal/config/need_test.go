package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPending(t *testing.T) {
	c := load(t, `[site]
start = ["https://www.example.com/"]
include = ["/a", "/${UNSET_1}"]
[fetch]
timeout = "${UNSET_2}"
[[fetch.auth]]
origin = "https://a.example"
user = "u"
password = "${UNSET_3}"
[push]
base_url = "https://api.example.com"
customer_id = 1
crawler_id = "${UNSET_4}"
queue_crawler_id = "${UNSET_5}"
`)
	d := Default()
	if len(c.Site.Include) != 0 || c.Fetch.Timeout != d.Fetch.Timeout || c.Fetch.Auth[0].Password != "" || c.Push.CrawlerID != "" {
		t.Errorf("pending keys don't hold their defaults: %+v", c)
	}
	for _, test := range []struct {
		name string
		err  error
		want string // keys and lines
	}{
		{"a key", c.Require("site.include"), "site.include:3"},
		{"a section", c.Require("fetch"), "fetch.timeout:5 fetch.auth.password:9"},
		{"several", c.Require("push.queue_crawler_id", "fetch.timeout"), "fetch.timeout:5 push.queue_crawler_id:14"},
		{"none there", c.Require("store", "delete", "serve"), ""},
		{"no prefix of a name", c.Require("fetch.time", "f"), ""},
		{"crawl", c.NeedCrawl(), "site.include:3 fetch.timeout:5 fetch.auth.password:9"},
		{"push", c.NeedPush(), "push.api_key:10 push.crawler_id:13"},
	} {
		if got := keysAndLines(test.err); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if err := c.Require("fetch.timeout"); err == nil || !strings.HasSuffix(err.Error(), ":5: fetch.timeout: needs the environment variable UNSET_2, which is unset or empty: set it and run again") {
		t.Errorf("Require returned %v", err)
	}
}

func keysAndLines(err error) string {
	var faults *Faults
	if !errors.As(err, &faults) {
		return ""
	}
	var all []string
	for _, f := range faults.List {
		all = append(all, fmt.Sprintf("%s:%d", f.Key, f.Line))
	}
	return strings.Join(all, " ")
}

func TestNeedPush(t *testing.T) {
	const target = minimal + "[push]\nbase_url = \"https://api.example.com\"\ncustomer_id = 1\ncrawler_id = \"a\"\n"
	for _, test := range []struct{ name, data, want, key string }{
		{"nothing", minimal, "push.base_url:1 push.customer_id:1 push.crawler_id:1 push.api_key:1", ""},
		{"empty section", minimal + "[push]\n", "push.base_url:3 push.customer_id:3 push.crawler_id:3 push.api_key:3", ""},
		{"default variable unset", target, "push.api_key:3", ""},
		{"empty key", target + "api_key = \"\"\n", "push.api_key:7", ""},
		{"key from a variable", target + "api_key = \"${TOKEN}\"\n", "", "hunter2"},
		{"key with space", target + "api_key = \" a b \"\n", "", "a b"},
		{"key file", target + "api_key_file = \"good\"\n", "", "from-file"},
		{"key file beside an empty key", target + "api_key = \"\"\napi_key_file = \"good\"\n", "", "from-file"},
		{"no key file", target + "api_key_file = \"none\"\n", "push.api_key_file:7", ""},
		{"key file of two lines", target + "api_key_file = \"two\"\n", "push.api_key_file:7", ""},
		{"pending key file", target + "api_key_file = \"${UNSET}\"\n", "push.api_key_file:7", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, test.data)
			for name, key := range map[string]string{"good": "\n from-file\r\n", "two": "hunter2\nhunter3\n"} {
				if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(key), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c, err := Load(path, environment)
			if err != nil {
				t.Fatal(err)
			}
			if got := keysAndLines(c.NeedPush()); got != test.want {
				t.Errorf("NeedPush: %q, want %q", got, test.want)
			}
			if got, _ := c.Key(); string(got) != test.key {
				t.Errorf("Key() = %q, want %q", string(got), test.key)
			}
			if err := c.NeedPush(); err != nil && strings.Contains(err.Error(), "hunter") {
				t.Errorf("a secret is shown: %v", err)
			}
		})
	}
}

// Events need no key and no crawler.
func TestNeedEvents(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"all", "base_url = \"https://api.example.com\"\ncustomer_id = 1\nengine_id = 2\n", ""},
		{"local", "base_url = \"local\"\n", ""},
		{"nothing", "", "push.base_url:3 push.customer_id:3 push.engine_id:3"},
		{"no engine", "base_url = \"https://api.example.com\"\ncustomer_id = 1\n", "push.engine_id:3"},
		{"pending", "base_url = \"${UNSET}\"\ncustomer_id = 1\nengine_id = 2\nproxy = \"${UNSET}\"\n", "push.base_url:4 push.proxy:7"},
	} {
		if got := keysAndLines(load(t, minimal+"[push]\n"+test.data).NeedEvents()); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
