package config

import (
	"fmt"
	"strings"
	"testing"
)

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
