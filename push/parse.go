package push

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
		if text := fieldFault(name, value); text != "" {
			return fmt.Sprintf("field %q: %s", name, text)
		}
	}
	return ""
}

func fieldFault(name string, value json.RawMessage) string {
	var text string
	switch {
	case strings.TrimSpace(name) == "":
		return "the name is blank"
	case name == "type" || name == "id":
		return "it stands beside fields, never inside"
	case value[0] != '"' || json.Unmarshal(value, &text) != nil:
		return "values are strings: put it in quotes"
	case strings.ContainsFunc(text, isControl):
		return "the value holds a control character"
	}
	return ""
}

// isControl tells characters that no text needs from line breaks and tabs.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
}
