package cli_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/cli"
	"sitesync/internal/service"
	"sitesync/internal/testsite"
	"sitesync/internal/testsite/strike"
)

// The secrets of TestNoSecretGetsOut, by the environment variable that holds them. Their odd
// characters are such as have to be encoded in one place or another.
var canaries = map[string]string{
	"SITESYNC_API_KEY": canary + "key/+&%?=", "SITE_PASSWORD": canary + "password +", "SITE_TOKEN": canary + "token=",
	"PROXY_PASSWORD": canary + "proxy@:/", "SITE_COOKIE": canary + "cookie",
	"SMTP_PASSWORD": canary + "smtp\"%", "HOOK_SECRET": canary + "hook", "HOOK_TOKEN": canary + "hook-address", "PING_TOKEN": canary + "ping-address",
}

// cage is a site behind a proxy that wants a password, with a password, a header and
// cookies of its own, and a service: whatever can leak, does so here.
type cage struct {
	*town
	config string
}

const cagedSite = "http://town.invalid"

func newCage(t *testing.T) *cage {
	c := &cage{town: newTown(t)}
	local, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), CustomerID: customer, APIKey: canaries["SITESYNC_API_KEY"]})
	if err != nil {
		t.Fatal(err)
	}
	c.panel = strike.New(local)
	server := httptest.NewServer(c.panel)
	t.Cleanup(func() { server.Close(); local.Close() })
	c.service = local
	c.site.HTML(cagedSite+"/", "Home", "Welcome to a town behind walls.", "/form.pdf", "/a", "/b")
	c.site.HTML(cagedSite+"/a", "Alpha", "This page is about ants and about nothing else.")
	c.site.HTML(cagedSite+"/b", "Beta", "This page is about bees and about nothing else.")
	c.site.Set(cagedSite+"/form.pdf", testsite.Page{Body: testsite.PDF("", "A form to fill in"), Header: map[string]string{"Content-Type": "application/pdf"}})
	c.write(t, "cookies.secret", []byte("town.invalid\tFALSE\t/\tFALSE\t0\tsession\t"+canaries["SITE_COOKIE"]+"\n"))
	c.write(t, "key.secret", []byte(canaries["SITESYNC_API_KEY"]))
	// In place of Chromium, which is not needed to see what it would be told.
	if err := os.WriteFile(filepath.Join(c.dir, "browser.sh"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c.config = fmt.Sprintf(`[site]
start = ["%s/"]
[fetch]
proxy = "%s"
cookies = "cookies.secret"
retry_wait = "1ms"
[[fetch.auth]]
origin = "%[1]s"
user = "u"
password = "${SITE_PASSWORD}"
headers = { "X-Token" = "${SITE_TOKEN}" }
[[fetch.auth]]
origin = "%[2]s"
user = "u"
password = "${PROXY_PASSWORD}"
[store]
path = "sitesync.db"
[push]
base_url = "%[3]s"
customer_id = %[4]d
crawler_id = "%[5]s"
api_key = "${SITESYNC_API_KEY}"
[notify]
on = "always"
mail = { to = ["a@example.com"], from = "b@example.com", smtp = "127.0.0.1:1", tls = "none", user = "u", password = "${SMTP_PASSWORD}" }
hook = { url = "%[2]s/${HOOK_TOKEN}", secret = "${HOOK_SECRET}" }
command = ["false"]
ping = "http://127.0.0.1:1/${PING_TOKEN}"
[metrics]
file = "sitesync.prom"
`, cagedSite, c.site.URL(), server.URL, customer, crawler)
	c.write(t, "sitesync.toml", []byte(c.config))
	return c
}

// listen runs sitesync, and fails the test where it prints or leaves a secret.
func (c *cage) listen(t *testing.T, args ...string) int {
	t.Helper()
	var out bytes.Buffer
	args = append(args, "-c", filepath.Join(c.dir, "sitesync.toml"))
	code := cli.Run(t.Context(), args, strings.NewReader(""), &out, &out, func(name string) string { return canaries[name] })
	what := fmt.Sprintf("%s (exit code %d)", strings.Join(args, " "), code)
	if secret := secretIn(out.Bytes()); secret != "" {
		t.Errorf("%s printed %s:\n%s", what, secret, out.String())
	}
	if err := searchFolder(c.dir); err != nil {
		t.Errorf("%s left a secret in %v", what, err)
	}
	return code
}

// Invariant 7: no secret is printed or stored, whatever goes wrong.
func TestNoSecretGetsOut(t *testing.T) {
	t.Parallel()
	c := newCage(t)
	if code := c.listen(t, "sync", "-v"); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	c.wereUsed(t)
	c.site.HTML(cagedSite+"/a", "Alpha", "This page has changed, and is about wasps.")
	plan := filepath.Join(c.dir, "night.plan")
	for _, args := range []string{
		"plan -v", "plan --format json", "plan --format html", "plan --format csv", "plan -o " + plan, "plan show -v " + plan, "plan show --format json " + plan, "apply --format json --report " + filepath.Join(c.dir, "night.html") + " " + plan,
		"check", "check -v --log-format json", "explain " + cagedSite + "/a", "explain --format json --html " + filepath.Join(c.dir, "a.html") + " " + cagedSite + "/b",
		"status", "history", "held", "approve --all", "call queue -v " + cagedSite + "/a", "call docs delete " + cagedSite + "/b", "call docs put " + filepath.Join(c.dir, "none.json"),
		"verify -v", "verify --repair", "backup " + filepath.Join(c.dir, "copy.db"), "restore " + filepath.Join(c.dir, "copy.db"), "restore", "adopt " + filepath.Join(c.dir, "ids.txt"),
		"sync --format json --full", "sync --api-key=" + canary + "flag", "version",
		"init --output - http://u:" + canary + "address@127.0.0.1:1/", "explain http://u:" + canary + "address@127.0.0.1/", "call queue http://u:" + canary + "address@town.invalid/",
	} {
		c.listen(t, strings.Fields(args)...)
	}
	c.whenThingsBreak(t)
	c.whenTheConfigurationIsWrong(t)
}

// wereUsed sees that the run needed all secrets, else their absence would say nothing.
func (c *cage) wereUsed(t *testing.T) {
	t.Helper()
	basic := func(user, secret string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+canaries[secret]))
	}
	header := c.site.Requests()[0].Header
	for name, want := range map[string]string{
		"Authorization": basic("u", "SITE_PASSWORD"), "Proxy-Authorization": basic("u", "PROXY_PASSWORD"),
		"X-Token": canaries["SITE_TOKEN"], "Cookie": "session=" + canaries["SITE_COOKIE"],
	} {
		if got := header.Get(name); got != want {
			t.Errorf("the site got %s: %q", name, got)
		}
	}
	if n := len(index(t, c.service, cagedSite)); n != 4 {
		t.Errorf("%d documents are indexed", n)
	}
}

// whenThingsBreak has the service and the site answer with what they were told.
func (c *cage) whenThingsBreak(t *testing.T) {
	echo := fmt.Sprintf(`{"message":"no such key %s, %s, %s"}`, canaries["SITESYNC_API_KEY"], url.QueryEscape(canaries["SITESYNC_API_KEY"]),
		base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%d:%s", customer, canaries["SITESYNC_API_KEY"])))
	for i, fault := range []strike.Fault{{Status: 401}, {Status: 401, Body: &echo}, {Status: 400, Body: &echo}, {Status: 409, Body: &echo}, {Status: 413}, {Body: &echo}} {
		for _, endpoint := range []string{"", "patch"} {
			fault.Endpoint = endpoint
			c.panel.Set(fault)
			c.site.HTML(cagedSite+"/a", "Alpha", fmt.Sprintf("This page has changed %d times, for the endpoint %q too.", i, endpoint))
			for _, args := range []string{"sync -v", "check", "call docs delete " + cagedSite + "/b", "verify"} {
				c.listen(t, strings.Fields(args)...)
			}
		}
	}
	c.panel.Set()
	for _, fault := range []testsite.Fault{
		testsite.BasicAuth("u", "another"), testsite.Status(407, ""), testsite.LoginWall(), testsite.Header("Location", "http://u:p@town.invalid/"), testsite.Reset(0),
	} {
		c.site.Fault("*", fault)
		for _, args := range []string{"sync -v --log-format json", "check", "explain " + cagedSite + "/a"} {
			c.listen(t, strings.Fields(args)...)
		}
	}
	c.site.Heal("*")
}

// whenTheConfigurationIsWrong has faults in the very lines that hold secrets.
func (c *cage) whenTheConfigurationIsWrong(t *testing.T) {
	for _, wrong := range [][2]string{
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key = "` + canary + `line`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key = "` + canary + `line" and more`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key = ["` + canary + `line"]`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key = ` + canary + `line`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key = "` + canary + `\n"`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_kye = "` + canary + `line"`},
		{`api_key = "${SITESYNC_API_KEY}"`, `api_key_file = "key.secret"`},
		{`api_key = "${SITESYNC_API_KEY}"`, "api_key = \"" + canary + "line\"\napi_key = \"" + canary + "again\""},
		{`api_key = "${SITESYNC_API_KEY}"`, "api_key = \"" + canary + "line\"\nproxy = \"http://u:" + canary + "login@127.0.0.1:1\""},
		{`"${SITE_TOKEN}"`, `"` + canary + `\u0001"`},
		{`"${SITE_TOKEN}"`, `["` + canary + `line"]`},
		{`password = "${PROXY_PASSWORD}"`, `password = "` + canary + `\r\n"`},
		{`password = "${PROXY_PASSWORD}"`, `password = { "` + canary + `line" = 1 }`},
		{`proxy = "`, `proxy = "http://u:` + canary + `line@127.0.0.1:1`},
		{`proxy = "http://`, `proxy = "http://127.0.0.1:1" # `},
		{`base_url = "http://`, `base_url = "http://u:` + canary + `line@`},
		{`start = ["http://`, `start = ["http://u:` + canary + `line@`},
		{`password = "${SMTP_PASSWORD}"`, `password = ["` + canary + `line"]`},
		{`secret = "${HOOK_SECRET}"`, `sceret = "` + canary + `line"`},
		{`hook = { url = "`, `hook = { url = "` + canary + `\u0001`},
		{`ping = "http://`, `ping = "` + canary + `\u0001`},
		{`retry_wait = "1ms"`, `timeout = "${SITE_PASSWORD}"`},
		{`crawler_id = "site"`, `crawler_id = "${SITE_PASSWORD}"`},
		{`cookies.secret`, `key.secret`},
	} {
		c.write(t, "sitesync.toml", []byte(strings.Replace(c.config, wrong[0], wrong[1], 1)))
		for _, command := range []string{"sync", "check", "plan"} {
			c.listen(t, command, "-v")
		}
	}
	c.write(t, "sitesync.toml", []byte(c.config))
}

// No secret is in what a child process is told, by its arguments or environment.
func TestCanariesInChildren(t *testing.T) {
	t.Parallel()
	c := newCage(t)
	c.write(t, "sitesync.toml", []byte(strings.Replace(c.config, "[fetch]\n", "[fetch]\nrender = \"auto\"\nbrowser_sandbox = false\nbrowser = \"browser.sh\"\n", 1)))
	c.site.Set(cagedSite+"/b", testsite.Page{Body: `<html><title>Beta</title><body><div id="app"></div><script src="/app.js"></script></body></html>`})
	seen := filepath.Join(t.TempDir(), "execve")
	cmd := strace(t, "--seccomp-bpf", "-v", "-s", "100000", "-e", "trace=execve,execveat", "-o", seen, "-e", "signal=none", "--", program(t), "sync", "-c", filepath.Join(c.dir, "sitesync.toml"))
	cmd.Dir = c.dir
	if cache, err := os.UserCacheDir(); err == nil { // of what PDFium was compiled to
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache)
	}
	for _, name := range slices.Sorted(maps.Keys(canaries)) {
		cmd.Env = append(cmd.Env, name+"="+canaries[name])
	}
	out, err := cmd.CombinedOutput()
	raw, readErr := os.ReadFile(seen)
	if readErr != nil {
		t.Fatalf("%v, %v\n%s", readErr, err, out)
	}
	lines := strings.Split(string(raw), "\n")
	if !strings.Contains(lines[0], canaries["SITE_COOKIE"]) {
		t.Fatalf("the program itself was not given the secrets: %s", lines[0])
	}
	children := strings.Join(lines[1:], "\n")
	for _, child := range []string{"browser.sh", "read-pdf"} {
		if !strings.Contains(children, child) {
			t.Errorf("%s was not started:\n%s\n%s", child, out, children)
		}
	}
	if secret := secretIn([]byte(children)); secret != "" {
		t.Errorf("a child is told %s:\n%s", secret, children)
	}
	if secret := secretIn(out); secret != "" {
		t.Errorf("printed %s:\n%s", secret, out)
	}
}

// program returns a path at which this test's binary is sitesync; see TestMain.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sitesync")
	if err := os.Symlink(self, path); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	return path
}

// strace returns a command that watches, and changes, the system calls of another one
// and its children. Where it is missing or forbidden the test is skipped.
func strace(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: strace can't be used here: %v %s", err, out)
	}
	return exec.CommandContext(t.Context(), "strace", append([]string{"-f"}, args...)...)
}

// TestSecretIn: what the search of all outputs finds.
func TestSecretIn(t *testing.T) {
	for _, secret := range canaries {
		forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
		for before := range 4 {
			forms = append(forms, base64.StdEncoding.EncodeToString([]byte("abc"[:before]+secret)), base64.RawURLEncoding.EncodeToString([]byte("abc"[:before]+secret+"d")))
		}
		for _, form := range forms {
			if secretIn([]byte("x"+form+"y")) == "" {
				t.Errorf("%q is not found", form)
			}
		}
	}
	if found := secretIn([]byte("a canary is a bird; Y2FuYXJ5")); found != "" {
		t.Errorf("%q is no secret", found)
	}
}
