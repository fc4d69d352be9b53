package push

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// MaxID is how many bytes the ID of a document may have.
const MaxID = 512

// fault returns why a change must not be sent, empty when it may.
func fault(change document.Change) string {
	doc := bytes.TrimSpace(change.Doc)
	switch {
	case change.ID == "":
		return "the ID is empty"
	case len(change.ID) > MaxID:
		return fmt.Sprintf("the ID has %d bytes; %d are the most", len(change.ID), MaxID)
	case !utf8.ValidString(change.ID):
		return "the ID is not valid UTF-8"
	case change.Op == document.Delete:
		return ""
	case len(doc) < 2 || doc[0] != '{' || doc[len(doc)-1] != '}':
		return "there is no document to send"
	}
	return ""
}

// checkCall returns what makes the changes unfit for calls of op as a whole: an
// ID that comes twice, so that their order would decide, or another operation.
func checkCall(op document.Op, changes []document.Change) error {
	seen := make(map[string]bool, len(changes))
	for _, change := range changes {
		if change.Op != op {
			return fmt.Errorf("the change of %s is a %s among changes to %s: sort the changes by operation", printable(change.ID), change.Op, op)
		}
		if seen[change.ID] {
			return fmt.Errorf("two changes name the ID %s: each document may be sent once", printable(change.ID))
		}
		seen[change.ID] = true
	}
	return nil
}

// ParseChange returns the change that puts or patches a document written by
// hand. It errs, saying what to correct, unless raw is a document as
// specification section 2.2 has it: a usable ID, values that are strings without
// control characters, one of the two types, and no other key.
func ParseChange(op document.Op, raw []byte) (document.Change, error) {
	var none document.Change
	if !utf8.Valid(raw) {
		return none, errors.New("the document is not valid UTF-8: save it in that encoding")
	}
	var doc wire.Document
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return none, fmt.Errorf("read the document: %w", err)
	}
	if decoder.More() {
		return none, errors.New("something follows the document: write one object")
	}
	if err := checkFields(doc); err != nil {
		return none, fmt.Errorf("check document %s: %w", printable(doc.ID), err)
	}
	change := document.Change{Op: op, ID: doc.ID, Doc: raw, State: document.Planned}
	if doc.Type != nil {
		change.Type = document.Type(*doc.Type)
	}
	if text := fault(change); text != "" {
		return none, fmt.Errorf("check document %s: %s", printable(doc.ID), text)
	}
	return change, nil
}

func checkFields(doc wire.Document) error {
	if doc.Type != nil && *doc.Type != string(document.PageContent) && *doc.Type != string(document.FileContent) {
		return fmt.Errorf("type %q is neither %s nor %s", *doc.Type, document.PageContent, document.FileContent)
	}
	for name, value := range doc.Fields {
		if err := checkField(name, value); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
	}
	return nil
}

func checkField(name string, value json.RawMessage) error {
	var text string
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name is blank")
	case name == "type" || name == "id":
		return errors.New("it stands beside fields, never inside")
	case value[0] != '"' || json.Unmarshal(value, &text) != nil:
		return errors.New("values are strings: put it in quotes")
	case strings.ContainsFunc(text, isControl):
		return errors.New("the value holds a control character")
	}
	return nil
}

// isControl tells characters that no text needs from line breaks and tabs.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
}
