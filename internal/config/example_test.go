package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const examplePath = "../../config.example.toml"

// The example holds every key with its default, except the few that make it
// run as it is.
func TestExampleHoldsEveryKeyWithItsDefault(t *testing.T) {
	data, err := os.ReadFile(examplePath)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(examplePath, data, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known("", reflect.TypeFor[Config]()) {
		if strings.HasPrefix(k, "[") {
			continue
		}
		commented := slices.ContainsFunc([]string{"fetch.auth.", "delete.retention.", "extract.section.", "extract.field."}, func(section string) bool { return strings.HasPrefix(k, section) })
		if _, live := got.lines[k]; live == commented {
			t.Errorf("%s: live in the example: %v, want %v", k, live, !commented)
		}
	}
	want := Default()
	want.Site.Start = []string{"https://www.fjordby.example/"}
	want.Site.Folder = "testdata/site"
	want.Push.BaseURL, want.Push.CustomerID, want.Push.EngineID, want.Push.CrawlerID = "local", 10000001, 1, "local"
	want.settle(filepath.Dir(examplePath))
	same(t, got, &want)
}

// What the example holds as comments is right too. TestPages says that no key is missing.
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
	c, err := Parse(examplePath, []byte(strings.Join(live, "")), func(name string) string { return name })
	if err != nil {
		t.Fatal(err)
	}
	wantAuth := []Auth{{Origin: "https://staging.example.com", User: "preview", Password: "STAGING_PASSWORD", Headers: map[string]Secret{"X-Preview": "PREVIEW_TOKEN"}}}
	wantRules := []Retention{{Where: []string{"/news/**"}, Before: Before{Years: 2}}}
	if !reflect.DeepEqual(c.Fetch.Auth, wantAuth) || !reflect.DeepEqual(c.Delete.Retention, wantRules) {
		t.Errorf("got %+v and %+v", c.Fetch.Auth, c.Delete.Retention)
	}
}
