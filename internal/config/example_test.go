package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const examplePath = "../../config.example.toml"

// The example holds every key with its default, but for the few that make it
// run as it is.
func TestExampleHoldsEveryKeyWithItsDefault(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	got, r := read(examplePath, data, func(string) string { return "" })
	if len(r.faults) > 0 {
		t.Fatal(asError(r.faults))
	}
	for _, k := range r.known {
		if k.section {
			continue
		}
		commented := k.at == "fetch.auth" || k.at == "delete.retention"
		if _, live := r.lines[join(k.at, k.name)]; live == commented {
			t.Errorf("%s: live in the example: %v, want %v", k, live, !commented)
		}
	}
	want := Default()
	want.Site.Start = []string{"https://www.fjordby.example/"}
	want.Site.Folder = "testdata/site"
	want.Push.BaseURL, want.Push.CustomerID, want.Push.EngineID, want.Push.CrawlerID = "local", 10000001, 1, "local"
	same(t, got, &want)
}

func TestExampleLoads(t *testing.T) {
	c, err := Load(examplePath, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	if err := c.NeedPush(); err != nil {
		t.Error(err)
	}
	if want := filepath.Join("..", "..", "testdata", "site"); c.Site.Folder != want {
		t.Errorf("folder %q, want %q", c.Site.Folder, want)
	}
	if len(c.Warnings()) > 0 {
		t.Errorf("warnings %q", c.Warnings())
	}
}

// What the example holds as comments is right too, and complete.
func TestExampleWithItsSectionsLive(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	var live []string
	for line := range strings.Lines(string(data)) {
		rest, comment := strings.CutPrefix(line, "# ")
		if comment && (strings.HasPrefix(rest, "[[") || strings.Contains(rest, " = ")) {
			line = rest
		}
		live = append(live, line)
	}
	c, r := read(examplePath, []byte(strings.Join(live, "")), func(name string) string { return name })
	if len(r.faults) > 0 {
		t.Fatal(asError(r.faults))
	}
	wantAuth := []Auth{{Origin: "https://staging.example.com", User: "preview", Password: "STAGING_PASSWORD", Headers: map[string]Secret{"X-Preview": "PREVIEW_TOKEN"}}}
	wantRules := []Retention{{Where: []string{"/news/**"}, Before: Before{Years: 2}}}
	if !reflect.DeepEqual(c.Fetch.Auth, wantAuth) || !reflect.DeepEqual(c.Delete.Retention, wantRules) {
		t.Errorf("got %+v and %+v", c.Fetch.Auth, c.Delete.Retention)
	}
	for _, k := range r.known {
		if !k.section && r.lines[join(k.at, k.name)] == 0 {
			t.Errorf("%s is not in the example", k)
		}
	}
}
