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

// ParseChange returns the change that puts or patches a document written by hand. raw is JSON with keys of
// specification section 2.2 only. The error says what to correct.
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

const maxQuoteBytes = 300

// newCleaner returns a function that removes the key from a text, in every encoding in which a service or
// proxy may quote the key, and makes the text printable.
func newCleaner(customer, key string) func(string) string {
	if key == "" {
		return printable
	}
	quoted, _ := json.Marshal(key)
	inner := string(quoted[1 : len(quoted)-1])
	forms := []string{key, inner, strings.ReplaceAll(inner, "/", `\/`), url.QueryEscape(key), url.PathEscape(key)}
	encodings := []*base64.Encoding{
		base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
	}
	for _, encoding := range encodings {
		forms = append(forms, encoding.EncodeToString([]byte(key)), encoding.EncodeToString([]byte(customer+":"+key)))
	}
	// Longest form first, so that replacing a shorter form never leaves part of the key behind.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, document.Hidden)
	}
	redact := strings.NewReplacer(pairs...)
	return func(s string) string { return printable(redact.Replace(s)) }
}

// printable returns at most maxQuoteBytes bytes of s, with U+FFFD in place of unprintable characters. A
// longer text is cut in the middle, because support references are usually at the end.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
	if len(s) > maxQuoteBytes {
		begin, end := s[:maxQuoteBytes*2/3], s[len(s)-maxQuoteBytes/3+len("…"):]
		s = strings.ToValidUTF8(begin, "") + "…" + strings.ToValidUTF8(end, "")
	}
	return s
}
