package report

import (
	"encoding/json"
	"testing"
)

// samples are texts with characters that no terminal may get raw, and those that
// may stay.
func samples() []string {
	return []string{
		"plain", "smørrebrød ☕ 日本", "two\nlines", "\x1b[31mred\x1b[0m", "bell\x07", "c1 \u009b31m", "\u202egnp.exe",
		"tag \U000e0001", "line\u2028break", "del\x7f", `back\slash "quote"`,
	}
}

func TestCleanLeavesNothingUnsafe(t *testing.T) {
	for _, text := range append(samples(), "not \xff UTF-8") {
		for _, r := range Clean(text) {
			if unsafeRune(r) {
				t.Errorf("Clean(%q) = %q", text, Clean(text))
			}
		}
	}
}

func TestCleanJSONMeansTheSame(t *testing.T) {
	for _, text := range samples() {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		safe := cleanJSON(raw)
		var got string
		if err := json.Unmarshal([]byte(safe), &got); err != nil || got != text {
			t.Errorf("%q became %s, which reads %q (%v)", text, safe, got, err)
		}
		for _, r := range safe {
			if unsafeRune(r) {
				t.Errorf("cleanJSON(%q) = %q", raw, safe)
			}
		}
	}
}
