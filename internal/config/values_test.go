package config

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0s": 0, "0": 0, "0d": 0, "30s": 30 * time.Second, "250ms": 250 * time.Millisecond, "1h30m": 90 * time.Minute,
		"24h": 24 * time.Hour, "7d": 168 * time.Hour, "30d": 720 * time.Hour, "1.5h": 90 * time.Minute,
	} {
		if got, err := parseDuration(s); err != nil || got != Duration(want) {
			t.Errorf("parseDuration(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "d", "7", "-7d", "-1s", "+1d", "7 d", "70000d", "1d12h", "7D", "9999999h", "s"} {
		if got, err := parseDuration(s); err == nil {
			t.Errorf("parseDuration(%q) = %v, want an error", s, got)
		}
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]Size{
		"0B": 0, "512B": 512, "1KB": 1000, "1kb": 1000, "25MB": 25_000_000, "25 MB": 25_000_000, "2GB": 2_000_000_000,
		"1KiB": 1024, "1MiB": 1 << 20, "1mib": 1 << 20, "3GiB": 3 << 30,
	} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "MB", "25", "25M", "-1MB", "1.5MB", "9223372036854775808B", "9223372037GB", "1TB", " 1MB", "٣MB"} {
		if got, err := ParseSize(s); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", s, got)
		}
	}
}

func TestCutoff(t *testing.T) {
	for _, c := range []struct{ before, zone, now, want string }{
		{"2024/01/01", "UTC", "2026-07-01T12:00:00Z", "2024/01/01"},
		{"2y", "UTC", "2026-07-01T23:59:59Z", "2024/07/01"},
		{"2y", "Europe/Copenhagen", "2026-07-01T23:59:59Z", "2024/07/02"},
		{"2y", "America/Los_Angeles", "2026-07-01T02:00:00Z", "2024/06/30"},
		{"1y", "UTC", "2024-02-29T12:00:00Z", "2023/02/28"},
		{"4y", "UTC", "2024-02-29T12:00:00Z", "2020/02/29"},
		{"180d", "UTC", "2026-07-01T12:00:00Z", "2026/01/02"},
		{"1d", "Europe/Copenhagen", "2026-03-29T22:30:00Z", "2026/03/29"}, // the day of 23 hours
		{"1d", "Asia/Beirut", "2026-03-29T12:00:00Z", "2026/03/28"},       // the day without a midnight
		{"1d", "Africa/Cairo", "2026-04-25T12:00:00Z", "2026/04/24"},      // and its morrow
	} {
		before, err := ParseBefore(c.before)
		if err != nil || before.String() != c.before {
			t.Fatalf("%s is written as %s, %v", c.before, before, err)
		}
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := before.Cutoff(now, zone).Format(DateLayout); got != c.want {
			t.Errorf("%s before %s in %s = %s, want %s", c.before, c.now, c.zone, got, c.want)
		}
	}
}
