package push

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const hidden = "[secret]"

// Secret is an API key. However it is printed, logged or encoded, it reads
// "[secret]"; only a conversion to string gives the key.
type Secret string

// String returns "[secret]".
func (Secret) String() string { return hidden }

// GoString returns "[secret]".
func (Secret) GoString() string { return hidden }

// Format writes "[secret]" for every verb; without it a verb that does not fit a
// string, such as %d, would print the key inside fmt's complaint.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue returns "[secret]".
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText returns "[secret]".
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// newRedactor returns a function that removes the key from text, in the forms in
// which a service or a proxy may quote it.
func newRedactor(customer int64, key Secret) func(string) string {
	var pairs []string
	for _, form := range secretForms(strconv.FormatInt(customer, 10), string(key)) {
		pairs = append(pairs, form, hidden)
	}
	return strings.NewReplacer(pairs...).Replace
}

// secretForms returns the longest form first, so that no shorter one leaves a
// rest of it standing.
func secretForms(customer, key string) []string {
	quoted, _ := json.Marshal(key) // a string always encodes
	inner := string(quoted[1 : len(quoted)-1])
	forms := []string{key, inner, strings.ReplaceAll(inner, "/", `\/`), url.QueryEscape(key), url.PathEscape(key)}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		forms = append(forms, encoding.EncodeToString([]byte(key)), encoding.EncodeToString([]byte(customer+":"+key)))
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return forms
}
