package config

import (
	"strings"
	"testing"
	"time"
)

func TestScheduleIsChecked(t *testing.T) {
	for schedule, want := range map[string]string{
		"15 2 * * *": "", "*/5 * * * *": "", "0 0 29 2 *": "", "30 6 * * MON-FRI": "", "0 4 1 * 1": "",
		"0 0 30 2 *": "must name a day that comes", "0 0 31 4,6 *": "must name a day that comes",
		"*/3 * * * *": "5 minutes", "58,2 * * * *": "5 minutes", "* 2 1 1 *": "5 minutes", "59,1 0,23 * * *": "5 minutes",
		"": "five fields", "@daily": "five fields", "15 2 * *": "five fields", "0 15 2 * * *": "five fields", "TZ=UTC 15 2 * * *": "five fields", "61 2 * * *": "five fields", "H 2 * * *": "five fields",
	} {
		err := check("schedule", schedule)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", schedule, err, want)
		}
	}
}

// Every time of day comes once a day, also where the clocks are changed, and Next gives the same
// series from wherever it is asked.
func TestNextWhereClocksChange(t *testing.T) {
	for _, c := range []struct{ zone, schedule, from, want string }{
		{"Europe/Berlin", "15 2 * * *", "2026-03-27T12:00", "2026-03-28T01:15 2026-03-29T01:15 2026-03-30T00:15"},
		{"Europe/Berlin", "15 2 * * *", "2026-10-23T12:00", "2026-10-24T00:15 2026-10-25T01:15 2026-10-26T01:15"},
		{"Europe/Berlin", "30 3 * * *", "2026-03-28T12:00", "2026-03-29T01:30 2026-03-30T01:30"},
		{"Europe/Berlin", "0,30 2-3 * * *", "2026-03-28T12:00", "2026-03-29T01:00 2026-03-29T01:30 2026-03-30T00:00"},
		{"Europe/Berlin", "0 * * * *", "2026-03-28T23:30", "2026-03-29T00:00 2026-03-29T01:00 2026-03-29T02:00"},
		{"Europe/Berlin", "0 * * * *", "2026-10-24T22:30", "2026-10-24T23:00 2026-10-25T01:00 2026-10-25T02:00"},
		{"America/New_York", "15 2 * * *", "2026-03-07T12:00", "2026-03-08T07:15 2026-03-09T06:15"},
		{"America/New_York", "15 1 * * *", "2026-10-31T12:00", "2026-11-01T05:15 2026-11-02T06:15"},
		{"Australia/Lord_Howe", "15 2 * * *", "2026-10-03T00:00", "2026-10-03T15:45 2026-10-04T15:15"},
		{"UTC", "0 4 1 * 1", "2026-08-28T00:00", "2026-08-31T04:00 2026-09-01T04:00 2026-09-07T04:00"}, // the first, and Mondays
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		f := Fleet{Schedule: c.schedule, Timezone: zone}
		at, err := time.Parse("2006-01-02T15:04", c.from)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Fields(c.want) {
			want, err := time.Parse("2006-01-02T15:04", text)
			if err != nil {
				t.Fatal(err)
			}
			for ; at.Before(want); at = at.Add(7 * time.Minute) {
				if got := f.Next("a", at); !got.Equal(want) {
					t.Fatalf("%s in %s: after %s comes %s, want %s", c.schedule, c.zone, at, got, want)
				}
			}
			at = want
		}
	}
}

// A site's own time is the same every night, and the sites of one schedule are spread.
func TestJitter(t *testing.T) {
	f := Default().Fleet
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	quarters := map[int]int{}
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z aa ab ac ad ae af ag ah ai aj") {
		at := f.Next(name, day)
		late := at.Sub(day.Add(135 * time.Minute))
		if late < 0 || late >= time.Hour || late%time.Second != 0 {
			t.Errorf("%s is late by %s", name, late)
		}
		if next := f.Next(name, at); next.Sub(at) != 24*time.Hour {
			t.Errorf("%s: %s and then %s", name, at, next)
		}
		quarters[int(late/(15*time.Minute))]++
	}
	if len(quarters) != 4 {
		t.Errorf("sites a quarter: %v", quarters)
	}
}

func TestNeedFleet(t *testing.T) {
	const whole = minimal + "[push]\nbase_url = \"https://api.example.com\"\ncustomer_id = 7\ncrawler_id = \"c\"\n"
	for _, c := range []struct{ file, want string }{
		{whole, ""},
		{whole + "api_key = \"${A}\"\n[notify.hook]\nurl = \"https://hook.example/${B}\"\n[fetch]\nproxy = \"${P}\"\n", ""},
		{whole + "api_key_file = \"/no/such/file\"\n", ""},
		{whole + "api_key = \"hunter2\"\n", "f.toml:7: push.api_key: holds a secret"},
		{whole + "[[fetch.auth]]\norigin = \"https://a.example\"\nuser = \"u\"\npassword = \"hunter2\"\n", "f.toml:10: fetch.auth.password: holds a secret"},
		{whole + "[[fetch.auth]]\norigin = \"https://a.example\"\nheaders = { A = \"${A}\", B = \"hunter2\" }\n", "f.toml:9: fetch.auth.headers.B: holds a secret"},
		{whole + "[notify]\nping = \"https://hunter2.example\"\n[notify.mail]\npassword = \"hunter2\"\n[notify.hook]\nsecret = \"hunter2\"\n", "f.toml:8: notify.ping: holds a secret\nf.toml:10: notify.mail.password: holds a secret\nf.toml:12: notify.hook.secret: holds a secret"},
		{whole + "api_key = \"abc${A}\"\n[[fetch.auth]]\norigin = \"https://a.example\"\nheaders = { A = \"Bearer ${A}\" }\n", "f.toml:7: push.api_key: holds a secret"},
		{whole + "api_key_file = \"key\"\n[fetch]\ncookies = \"c.txt\"\nca_file = \"/etc/ca.pem\"\n", "f.toml:7: push.api_key_file: is read on the workers: give its full path there\nf.toml:9: fetch.cookies: is read"},
		{minimal, "f.toml:1: push.base_url: is missing\nf.toml:1: push.customer_id: is missing\nf.toml:1: push.crawler_id: is missing"},
		{minimal + "[push]\nbase_url = \"local\"\n", `f.toml:4: push.base_url: is "local"`},
		{strings.Replace(whole, "https://api.example.com", "${BASE}", 1), "f.toml:4: push.base_url: must not be left"},
		{"[fleet]\ngroup = \"${G}\"\n" + whole, "f.toml:2: fleet.group: must not be left"},
		{strings.Replace(whole, "[push]", "folder = \"public\"\n[push]", 1), "f.toml:3: site.folder: is a folder"},
		{strings.Replace(whole, "[push]", "via = { \"https://www.example.com\" = \"https://s.example.com\" }\n[push]", 1), "f.toml:3: site.via: fetches"},
	} {
		cfg, err := Parse("f.toml", []byte(c.file), func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		if err := cfg.NeedFleet(); err != nil {
			got = strings.Split(err.Error(), "\n")
		}
		if c.want != "" {
			want = strings.Split(c.want, "\n")
		}
		if len(got) != len(want) {
			t.Errorf("%s\n%q, want %q", c.file, got, want)
			continue
		}
		for i, line := range want {
			if !strings.HasPrefix(got[i], line) || strings.Contains(got[i], "hunter2") {
				t.Errorf("%s\n%q, want %q", c.file, got[i], line)
			}
		}
	}
}
