package push

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

const hidden = "[secret]"

// maxQuote is how many bytes of a foreign text an error or a reason repeats.
const maxQuote = 300

// Secret is an API key. However it is printed, logged or encoded, it reads
// "[secret]"; only a conversion to string gives the key.
type Secret string

// Format writes "[secret]" for every verb of fmt.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText returns "[secret]", for JSON and for slog.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// newCleaner returns a function that takes the key out of a text, in the forms in
// which a service or a proxy may quote it, and makes the rest printable.
func newCleaner(customer, key string) func(string) string {
	if key == "" { // calls with a SiteKey hold no secret
		return printable
	}
	quoted, _ := json.Marshal(key) // a string always encodes
	inner := string(quoted[1 : len(quoted)-1])
	forms := []string{key, inner, strings.ReplaceAll(inner, "/", `\/`), url.QueryEscape(key), url.PathEscape(key)}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		forms = append(forms, encoding.EncodeToString([]byte(key)), encoding.EncodeToString([]byte(customer+":"+key)))
	}
	// The longest form first, so that no shorter one leaves a rest of it standing.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, hidden)
	}
	redact := strings.NewReplacer(pairs...)
	return func(s string) string { return printable(redact.Replace(s)) }
}

// printable returns at most maxQuote bytes of s, with U+FFFD in place of what is
// no visible character or space. What is too long is cut in the middle, as support
// references tend to stand at the end.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
	if len(s) > maxQuote {
		s = strings.ToValidUTF8(s[:maxQuote*2/3], "") + "…" + strings.ToValidUTF8(s[len(s)-maxQuote/3+len("…"):], "")
	}
	return s
}
