package site_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/site"
)

// file is the configuration of a site, with more lines of its own.
func file(host, more string) []byte {
	return fmt.Appendf(nil, "[site]\nstart = [\"https://%s/\"]\n[push]\nbase_url = \"https://api.example.com\"\ncustomer_id = 7\ncrawler_id = \"c\"\n%s", host, more)
}

// read returns a site as add stores it.
func read(t testing.TB, name, more string) site.Site {
	t.Helper()
	s, err := site.Read(name, name+".toml", file(name+".example.com", more))
	must(t, err)
	return s
}

func TestRead(t *testing.T) {
	s := read(t, "town-hall", "[fleet]\nschedule = \"0 4 * * *\"\npriority = \"low\"\ngroup = \"g\"\ntimezone = \"Europe/Oslo\"\n")
	if s.Fleet.Priority != "low" || s.Fleet.Group != "g" || s.Zone != "Europe/Oslo" || s.Index != "https://api.example.com 7 c" || s.Origins[0] != "https://town-hall.example.com" {
		t.Errorf("%+v", s)
	}
	for _, c := range []struct{ name, more, want string }{
		{"Town Hall", "", `"Town Hall" can't be the name of a site`},
		{"a.b", "", "can't be the name"},
		{bus.FormatKey, "", "can't be the name"},
		{"a", "api_key = \"hunter2\"\n", "f.toml:7: push.api_key: holds a secret"},
		{"a", "[fleet]\nshedule = \"\"\n", "f.toml:8: fleet.shedule: unknown key; the nearest known one is fleet.schedule"},
		{"a", "[fleet]\nschedule = \"* * * * *\"\n", "f.toml:8: fleet.schedule: \"* * * * *\" must leave 5 minutes"},
		{"a", "# " + strings.Repeat("x", 300<<10), "larger than 256 KiB"},
	} {
		_, err := site.Read(c.name, "f.toml", file("a.example.com", c.more))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestSitesOfOneIndexShareNoOrigin(t *testing.T) {
	one := read(t, "one", "")
	for more, apart := range map[string]bool{
		"https://api.example.com\ncustomer_id = 7\ncrawler_id = c\n":      false,
		"https://API.example.com:443/\ncustomer_id = 7\ncrawler_id = c\n": false,
		"https://api.example.com\ncustomer_id = 8\ncrawler_id = c\n":      true,
		"https://api.example.com\ncustomer_id = 7\ncrawler_id = d\n":      true,
		"https://eu.api.example.com\ncustomer_id = 7\ncrawler_id = c\n":   true,
		"https://api.example.com/v2\ncustomer_id = 7\ncrawler_id = c\n":   true,
	} {
		lines := strings.Split(more, "\n")
		toml := fmt.Sprintf("[site]\nstart = [\"https://x.example.com/\", \"https://one.example.com/de/\"]\n[push]\nbase_url = %q\n%s\ncrawler_id = %q\n", lines[0], lines[1], strings.TrimPrefix(lines[2], "crawler_id = "))
		two, err := site.Read("two", "two.toml", []byte(toml))
		must(t, err)
		err = site.Apart([]site.Site{one, two})
		if (err == nil) != apart || err != nil && !strings.Contains(err.Error(), "https://one.example.com is already sent to the same index (push.base_url, customer_id, crawler_id) by the site one") {
			t.Errorf("%q: %v, want apart %v", more, err, apart)
		}
	}
	if err := site.Apart([]site.Site{one, one}); err != nil {
		t.Errorf("a site and itself: %v", err)
	}
}

func FuzzReadDue(f *testing.F) {
	whole, err := json.Marshal(site.Due{Site: "a", At: time.Date(2026, 5, 1, 2, 15, 0, 0, time.UTC)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for _, bad := range []string{"", "null", "{}", `{"site":"a"}`, `{"site":"../a","at":"2026-05-01T02:15:00Z"}`, `{"site":"a","at":5}`, "\xff"} {
		if _, err := site.ReadDue([]byte(bad)); err == nil {
			f.Errorf("%q is read", bad)
		}
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := site.ReadDue(raw)
		if err == nil && (bus.CheckName(d.Site) != nil || d.At.IsZero()) {
			t.Errorf("%q gives %+v", raw, d)
		}
	})
}
