package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// write makes a configuration file in a folder of its own and returns its path.
func write(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sitesync.toml")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, data string) *Config {
	t.Helper()
	c, err := Load(write(t, data), environment)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const minimal = "[site]\nstart = [\"https://www.example.com/\"]\n"

// TestLoadReadsForms: numbers, times, networks, addresses and tables in all their forms, what
// variables give, and every path as seen from the file. TestPages reads every key.
func TestLoadReadsForms(t *testing.T) {
	c := load(t, `
[site]
start = ["https://${HOST}/a", "http://localhost:8080/"]
sitemaps = ["https://www.example.com/map.xml"]
via = { "https://www.example.com/" = "https://staging.example.com:8443" }
ignore_params = []
max_pages = 1_000
max_depth = 0x10
[fetch]
delay = "${DELAY}"
max_body = "1MiB"
max_failed_share = 1
recheck_files = "60d"
networks = ["10.20.0.0/16", "fd00::7", "10.20.0.5:8443", "[fd00::/64]:81"]
ca_file = "ca.pem"
cookies = "cookies.txt"
browser = "/usr/bin/chromium"
[[fetch.auth]]
origin = "HTTPS://Staging.example.com:443/"
user = "u"
password = "p-${TOKEN}"
[[fetch.auth]]
origin = "https://b.example:8443"
[fetch.auth.headers]
"X-Token" = "${TOKEN}"
[extract]
timezone = "Europe/Copenhagen"
cache = "cache"
[[extract.field]]
name = "Category"
from = ["css:.crumb", "path:1"]
transform = ["map"]
map = { nyheder = "News" }
required = true
[store]
path = "/var/lib/fjordby.db"
work = "work"
[push]
base_url = "https://api.example.com/"
api_key_file = "key"
ca_file = "push.pem"
[delete]
retention = [{ where = ["/news/**"], before = "2y" }, { where = ["/x"], before = "2024/01/01" }]
[serve]
path = "service.db"
[tools]
file = "rules.toml"
backups = "old"
[notify]
ca_file = "notify.pem"
command = ["./tell", "me"]
[metrics]
file = "a.prom"
`)
	dir := filepath.Dir(c.file)
	in := func(name string) string { return filepath.Join(dir, name) }
	zone, _ := time.LoadLocation("Europe/Copenhagen")
	for i, pair := range [][2]any{
		{c.Site.Start, []string{"https://www.example.com/a", "http://localhost:8080/"}},
		{c.Site.Sitemaps, Sitemaps{List: []string{"https://www.example.com/map.xml"}}},
		{c.Site.Via, map[string]string{"https://www.example.com": "https://staging.example.com:8443"}},
		{[]int{len(c.Site.IgnoreParams), c.Site.MaxPages, c.Site.MaxDepth}, []int{0, 1000, 16}},
		{[]Duration{c.Fetch.Delay, c.Fetch.RecheckFiles}, []Duration{Duration(3 * time.Second), 60 * day}},
		{[]float64{float64(c.Fetch.MaxBody), c.Fetch.MaxFailedShare}, []float64{1 << 20, 1}},
		{c.Fetch.Networks, []Network{
			{Prefix: netip.MustParsePrefix("10.20.0.0/16")}, {Prefix: netip.MustParsePrefix("fd00::7/128")},
			{Prefix: netip.MustParsePrefix("10.20.0.5/32"), Port: 8443}, {Prefix: netip.MustParsePrefix("fd00::/64"), Port: 81},
		}},
		{c.Fetch.Auth, []Auth{
			{Origin: "https://staging.example.com", User: "u", Password: "p-hunter2"},
			{Origin: "https://b.example:8443", Headers: map[string]Secret{"X-Token": "hunter2"}},
		}},
		{c.Extract.Timezone, zone},
		{c.Extract.Fields, []Field{{Name: "Category", From: []string{"css:.crumb", "path:1"}, Transform: []string{"map"}, Map: map[string]string{"nyheder": "News"}, Required: true}}},
		{c.Delete.Retention, []Retention{
			{Where: []string{"/news/**"}, Before: Before{Years: 2}},
			{Where: []string{"/x"}, Before: Before{Fixed: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}},
		}},
		{
			[]string{c.Fetch.CAFile, c.Fetch.Cookies, c.Extract.Cache, c.Store.Work, c.Push.APIKeyFile, c.Push.CAFile, c.Serve.Path, c.Tools.File, c.Tools.Backups, c.Notify.CAFile, c.Notify.Command[0], c.Metrics.File},
			[]string{in("ca.pem"), in("cookies.txt"), in("cache"), in("work"), in("key"), in("push.pem"), in("service.db"), in("rules.toml"), in("old"), in("notify.pem"), in("tell"), in("a.prom")},
		},
		{[]string{c.Fetch.Browser, c.Store.Path, c.Push.Base()}, []string{"/usr/bin/chromium", "/var/lib/fjordby.db", "https://api.example.com"}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%d: got  %+v\nwant %+v", i, pair[0], pair[1])
		}
	}
}

// same compares the sections of two configurations.
func same(t *testing.T, got, want *Config) {
	t.Helper()
	for _, pair := range [][2]any{
		{got.Site, want.Site}, {got.Fetch, want.Fetch}, {got.Extract, want.Extract}, {got.Store, want.Store},
		{got.Push, want.Push}, {got.Delete, want.Delete}, {got.Serve, want.Serve},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("got  %+v\nwant %+v", pair[0], pair[1])
		}
	}
}

func TestLoadReportsTheFile(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml"), environment); err == nil || !strings.Contains(err.Error(), "sitesync init URL writes one") {
		t.Errorf("Load of no file returned %v", err)
	}
	if _, err := Load(write(t, strings.Repeat("#\n", maxFile)), environment); err == nil || !strings.Contains(err.Error(), "larger than 256 KiB") {
		t.Errorf("Load of a huge file returned %v", err)
	}
	path := write(t, "x = 1\n")
	var faults *Faults
	if _, err := Load(path, environment); !errors.As(err, &faults) || faults.List[0].File != path || faults.List[0].Line != 1 || faults.List[0].Key != "x" {
		t.Errorf("Load returned %v, want a fault on line 1 of %s", err, path)
	}
}

func TestWarnings(t *testing.T) {
	const account = minimal + "[push]\nbase_url = \"https://api.example.com\"\n"
	for _, c := range []struct {
		name, data string
		file, key  fs.FileMode
		want       []string
	}{
		{"private", account + "api_key = \"hunter2\"\n", 0o600, 0o600, nil},
		{"readable, but no secret in it", account, 0o644, 0o600, nil},
		{"readable, with a variable", account + "api_key = \"${TOKEN}\"\n", 0o644, 0o600, nil},
		{"readable by all", account + "api_key = \"hunter2\"\n", 0o604, 0o600, []string{"push.api_key"}},
		{"readable by the group", "[[fetch.auth]]\norigin = \"https://a.example\"\nheaders = { X-Token = \"hunter2\" }\n" + account, 0o640, 0o600, []string{"fetch.auth.headers.X-Token"}},
		{"readable key file", account + "api_key_file = \"key\"\n", 0o600, 0o644, []string{"key"}},
		{"private key file", account + "api_key_file = \"key\"\n", 0o644, 0o400, nil},
		{"readable cookies", account + "[fetch]\ncookies = \"key\"\n", 0o600, 0o644, []string{"cookies in"}},
		{"private cookies", account + "[fetch]\ncookies = \"key\"\n", 0o600, 0o600, nil},
		{"no key file", account + "api_key_file = \"none\"\n", 0o644, 0o600, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.data)
			key := filepath.Join(filepath.Dir(path), "key")
			if err := os.WriteFile(key, []byte("hunter2"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(path, c.file), os.Chmod(key, c.key)); err != nil {
				t.Fatal(err)
			}
			if !ReadableByOthers(path) && c.file&0o044 != 0 {
				t.Skip("this system has no mode bits")
			}
			loaded, err := Load(path, environment)
			if err != nil {
				t.Fatal(err)
			}
			got := loaded.Warnings()
			if len(got) != len(c.want) {
				t.Fatalf("warnings %q, want %d", got, len(c.want))
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) || strings.Contains(got[i], "hunter2") {
					t.Errorf("warning %q, want it to name %s and no secret", got[i], want)
				}
			}
		})
	}
}

// TestParseStrict: a file may be larger than a configuration, up to a bound that holds
// for what would be written as well; the line of a fault is right wherever it stands.
func TestParseStrict(t *testing.T) {
	type file struct {
		Entries []struct {
			Name string `toml:"name"`
		} `toml:"entry"`
	}
	entries, last := strings.Repeat("[[entry]]\nname = \"x\"\n\n", 20_000), ""
	judge := func(fault func(section string, i int, key, text string)) {
		if last != "" {
			fault("entry", 0, "name", last)
			fault("entry", 19_999, "name", last)
		}
	}
	var into file
	if err := ParseStrict(write(t, entries), []byte(entries), &into, judge); err != nil || len(into.Entries) != 20_000 {
		t.Errorf("%d entries, %v", len(into.Entries), err)
	}
	last, into = "is wrong", file{}
	err := ReadStrict(write(t, entries), &into, judge)
	for _, line := range []int{2, 59_999} {
		if want := fmt.Sprintf(":%d: entry.name: is wrong", line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not hold %s", err, want)
		}
	}
	large := strings.Repeat("#\n", maxStrict)
	for _, err := range []error{ReadStrict(write(t, large), &into, judge), ParseStrict("x", []byte(large), &into, judge)} {
		if err == nil || !strings.Contains(err.Error(), "larger than 4096 KiB") {
			t.Error(err)
		}
	}
}
