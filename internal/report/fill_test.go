package report

import (
	"encoding/json"
	"strings"
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

func TestCleanJSONMeansTheSame(t *testing.T) {
	for _, text := range samples() {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		safe := Clean(string(raw))
		var got string
		if err := json.Unmarshal([]byte(safe), &got); err != nil || got != text {
			t.Errorf("%q became %s, which reads %q (%v)", text, safe, got, err)
		}
		for _, r := range safe {
			if unsafeRune(r) {
				t.Errorf("Clean(%q) = %q", raw, safe)
			}
		}
	}
}

// TestClean lists what is shown as an escape, and what is not touched.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"plain, café, 日本, עברית, 😀":      "plain, café, 日本, עברית, 😀",
		"\x00\x07\x08\x1b[2J\x7f":        `\u0000\u0007\u0008\u001b[2J\u007f`,
		"a\tb\r\nc":                      `a\u0009b\u000d\u000ac`,
		"\u0085\u009b31m":                `\u0085\u009b31m`,
		"\u202a\u202b\u202c\u202d\u202e": `\u202a\u202b\u202c\u202d\u202e`,
		"\u2066\u2067\u2068\u2069":       `\u2066\u2067\u2068\u2069`,
		"\u200e\u200f\u061c":             `\u200e\u200f\u061c`,
		"soft\u00adhyphen":               `soft\u00adhyphen`,
		"zero\u200bwidth\u200d\ufeff":    `zero\u200bwidth\u200d\ufeff`,
		"\u2028\u2029":                   `\u2028\u2029`,
		"\xff\xc0\x80":                   `\ufffd\ufffd\ufffd`,
		"\ufffd":                         `\ufffd`,
	} {
		if got := Clean(text); got != want {
			t.Errorf("Clean(%q) = %s, want %s", text, got, want)
		}
	}
	if got := CleanLines("a\x07\nb\r\n\n\u202ec"); got != "a\\u0007\nb\\u000d\n\n\\u202ec" {
		t.Errorf("CleanLines: %q", got)
	}
}

// Every value of a page goes through Clean, wherever it stands in the template.
func TestFill(t *testing.T) {
	const page = "{{.A}} {{if .A}}{{.A}}{{else}}{{end}}{{range first 1 .L}}{{.}}\n{{end}}{{with .A}}{{printf \"%s\" .}}{{end}}{{if false}}{{else}}{{.A}}{{end}}{{with rest 1 .L 0}} {{n .}} more{{end}}\n"
	var out strings.Builder
	evil := "a\x1b[31m\nb\u202e"
	if err := Fill(&out, page, map[string]any{"A": evil, "L": []string{evil, "2", "3"}}, false); err != nil {
		t.Fatal(err)
	}
	clean := Clean(evil)
	if want := clean + " " + clean + clean + "\n" + clean + clean + " 2 more\n"; out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}
