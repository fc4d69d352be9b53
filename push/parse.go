package push

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sitesync/internal/document"
)

// ParseChange returns the change that puts or patches a document written by hand. It errs,
// saying what to correct, unless raw is a document as specification section 2.2 has it: a
// usable ID, fields that are strings, and no other key than these and the type.
func ParseChange(op document.Op, raw []byte) (document.Change, error) {
	if !utf8.Valid(raw) {
		return document.Change{}, errors.New("the document is not valid UTF-8: save it in that encoding")
	}
	var doc document.Document
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return document.Change{}, fmt.Errorf("read the document: %w", err)
	}
	if decoder.More() {
		return document.Change{}, errors.New("something follows the document: write one object")
	}
	change := document.Change{Op: op, ID: doc.ID, Type: doc.Type, Doc: raw, State: document.Planned}
	if text := fault(change); text != "" {
		return document.Change{}, fmt.Errorf("check document %s: %s", printable(doc.ID), text)
	}
	return change, nil
}

// maxQuote is how many bytes of a foreign text an error or a reason repeats.
const maxQuote = 300

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
		pairs = append(pairs, form, document.Hidden)
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
