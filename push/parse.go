package push

import (
	"bytes"
	"cmp"
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
	"sitesync/internal/wire"
)

// ParseChange returns the change that puts or patches a document written by
// hand. It errs, saying what to correct, unless raw is a document as
// specification section 2.2 has it: a usable ID, values that are strings without
// control characters, one of the two types, and no other key.
func ParseChange(op document.Op, raw []byte) (document.Change, error) {
	if !utf8.Valid(raw) {
		return document.Change{}, errors.New("the document is not valid UTF-8: save it in that encoding")
	}
	var doc wire.Document
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return document.Change{}, fmt.Errorf("read the document: %w", err)
	}
	if decoder.More() {
		return document.Change{}, errors.New("something follows the document: write one object")
	}
	change := document.Change{Op: op, ID: doc.ID, Doc: raw, State: document.Planned}
	if doc.Type != nil {
		change.Type = document.Type(*doc.Type)
	}
	if text := cmp.Or(fault(change), docFault(doc)); text != "" {
		return document.Change{}, fmt.Errorf("check document %s: %s", printable(doc.ID), text)
	}
	return change, nil
}

func docFault(doc wire.Document) string {
	if doc.Type != nil && *doc.Type != string(document.PageContent) && *doc.Type != string(document.FileContent) {
		return fmt.Sprintf("type %q is neither %s nor %s", *doc.Type, document.PageContent, document.FileContent)
	}
	for name, value := range doc.Fields {
		var text, fault string
		switch {
		case strings.TrimSpace(name) == "":
			fault = "the name is blank"
		case name == "type" || name == "id":
			fault = "it stands beside fields, never inside"
		case value[0] != '"' || json.Unmarshal(value, &text) != nil:
			fault = "values are strings: put it in quotes"
		case strings.ContainsFunc(text, isControl):
			fault = "the value holds a control character"
		default:
			continue
		}
		return fmt.Sprintf("field %q: %s", name, fault)
	}
	return ""
}

// isControl tells characters that no text needs from line breaks and tabs.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
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
