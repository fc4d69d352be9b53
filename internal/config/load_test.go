package config

import (
	"errors"
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

func TestLoadReadsEveryKey(t *testing.T) {
	c := load(t, `
[site]
start = ["https://${HOST}/a", "http://localhost:8080/"]
folder = ""
sitemaps = ["https://www.example.com/map.xml"]
links = false
include = ["/news/**", "re:^/20[0-9]{2}/"]
exclude = ["**/print"]
follow_only = ["/archive/**"]
no_follow = ["/map"]
file_hosts = ["files.example.com"]
via = { "https://www.example.com/" = "https://staging.example.com:8443" }
ignore_params = []
max_pages = 1_000
max_depth = 0x10

[fetch]
user_agent = "fjordby/1.0"
concurrency = 64
delay = "${DELAY}"
timeout = "1m"
max_body = "1MiB"
max_file = "1KB"
memory = "64MB"
max_failed_share = 1
robots = "ignore"
recheck = "0s"
recheck_files = "60d"
resume = "0s"
networks = ["10.20.0.0/16", "fd00::7", "10.20.0.5:8443", "[fd00::/64]:81"]
retries = 0
max_wait = "90s"
retry_wait = "0s"
proxy = "http://proxy.example:3128"
ca_file = "ca.pem"
cookies = "cookies.txt"
render = "auto"
browser = "/usr/bin/chromium"
browser_sandbox = false

[[fetch.auth]]
origin = "HTTPS://Staging.example.com:443/"
user = "u"
password = "p-${TOKEN}"

[[fetch.auth]]
origin = "https://b.example:8443"
[fetch.auth.headers]
"X-Token" = "${TOKEN}"

[extract]
content = "main, #content"
exclude = [".ads", "aside > p"]
description = "content"
timezone = "Europe/Copenhagen"
multi = "join:; "
exclude_between = ["cludooff cludoon"]
cache = "cache"
[[extract.section]]
where = ["/shop/**"]
content = "#product"
exclude = [".reviews"]
[[extract.field]]
name = "Category"
from = ["css:.crumb", "path:1"]
where = ["/news/**"]
transform = ["map"]
map = { nyheder = "News" }
required = true

[store]
path = "/var/lib/fjordby.db"
work = "work"
backup = false
keep_text = false

[push]
base_url = "https://api.example.com/"
customer_id = 42
engine_id = 7
crawler_id = "abc-1"
queue_crawler_id = "abc-2"
api_key_file = "key"
batch_documents = 1
batch_bytes = "2MB"
mode = "queue"
sole_writer = true
proxy = "env"
ca_file = "push.pem"

[delete]
confirm = 3
out_of_scope = "keep"
orphans = "delete"
moved_away = "delete"
bulk = true
max = 0
max_share = 0.5
max_absolute = 0
retention = [{ where = ["/news/**"], before = "2y" }, { where = ["/x"], before = "2024/01/01" }]

[serve]
path = "service.db"
`)
	dir := filepath.Dir(c.file)
	zone, _ := time.LoadLocation("Europe/Copenhagen")
	want := Config{
		Site: Site{
			Start: []string{"https://www.example.com/a", "http://localhost:8080/"}, Sitemaps: Sitemaps{List: []string{"https://www.example.com/map.xml"}},
			Include: []string{"/news/**", "re:^/20[0-9]{2}/"}, Exclude: []string{"**/print"},
			FollowOnly: []string{"/archive/**"}, NoFollow: []string{"/map"}, FileHosts: []string{"files.example.com"},
			Via: map[string]string{"https://www.example.com": "https://staging.example.com:8443"}, MaxPages: 1000, MaxDepth: 16,
		},
		Fetch: Fetch{
			UserAgent: "fjordby/1.0", Concurrency: 64, Delay: Duration(3 * time.Second), Timeout: Duration(time.Minute), MaxBody: 1 << 20, MaxFile: 1e3, Memory: 64e6,
			MaxFailedShare: 1, Robots: Ignore, RecheckFiles: 60 * day, Networks: []Network{
				{Prefix: netip.MustParsePrefix("10.20.0.0/16")}, {Prefix: netip.MustParsePrefix("fd00::7/128")},
				{Prefix: netip.MustParsePrefix("10.20.0.5/32"), Port: 8443}, {Prefix: netip.MustParsePrefix("fd00::/64"), Port: 81},
			},
			MaxWait: Duration(90 * time.Second), Proxy: "http://proxy.example:3128", CAFile: filepath.Join(dir, "ca.pem"), Cookies: filepath.Join(dir, "cookies.txt"), Render: RenderAuto, Browser: "/usr/bin/chromium",
			Auth: []Auth{
				{Origin: "https://staging.example.com", User: "u", Password: "p-hunter2"},
				{Origin: "https://b.example:8443", Headers: map[string]Secret{"X-Token": "hunter2"}},
			},
		},
		Extract: Extract{Content: "main, #content", Exclude: []string{".ads", "aside > p"}, Description: FromContent, Timezone: zone, Multi: "join:; ", Between: []string{"cludooff cludoon"}, Cache: filepath.Join(dir, "cache"),
			Sections: []Section{{Where: []string{"/shop/**"}, Content: "#product", Exclude: []string{".reviews"}}},
			Fields:   []Field{{Name: "Category", From: []string{"css:.crumb", "path:1"}, Where: []string{"/news/**"}, Transform: []string{"map"}, Map: map[string]string{"nyheder": "News"}, Required: true}},
		},
		Store: Store{Path: "/var/lib/fjordby.db", Work: filepath.Join(dir, "work")},
		Push: Push{
			BaseURL: "https://api.example.com/", CustomerID: 42, EngineID: 7, CrawlerID: "abc-1", QueueCrawlerID: "abc-2",
			APIKeyFile: filepath.Join(dir, "key"), BatchDocuments: 1, BatchBytes: 2e6,
			Mode: ModeQueue, SoleWriter: true, Proxy: "env", CAFile: filepath.Join(dir, "push.pem"),
		},
		Delete: Delete{
			Confirm: 3, OutOfScope: ActKeep, Orphans: ActDelete, MovedAway: ActDelete, Bulk: true, MaxShare: 0.5,
			Retention: []Retention{
				{Where: []string{"/news/**"}, Before: Before{Years: 2}},
				{Where: []string{"/x"}, Before: Before{Fixed: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}},
			},
		},
		Serve: Serve{Path: filepath.Join(dir, "service.db")},
	}
	same(t, c, &want)
	if got := c.Push.Base(); got != "https://api.example.com" {
		t.Errorf("Base() = %q, want no slash at the end", got)
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
