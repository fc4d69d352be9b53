package ledger

import (
	"strings"
	"testing"
)

func TestParseIDs(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\r\n\n a \n": "a b",
		"\ufeffa":         "a",
		`["a","b"]`:       `["a","b"]`, // a line like any other, which is no address
		"":                "",
	} {
		if got := strings.Join(parseIDs([]byte(text)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
