package push

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/document"
)

// MaxID is how many bytes the ID of a document may have.
const MaxID = 512

// checkCall returns what makes the changes unfit for calls of op as a whole: an
// ID that comes twice, so that their order would decide, or another operation.
func checkCall(op document.Op, changes []document.Change) error {
	if op != document.Put && op != document.Patch && op != document.Delete && op != document.Queue {
		return fmt.Errorf("%q is no operation on documents", op)
	}
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

// fault returns why a change must not be sent, empty when it may.
func fault(change document.Change) string {
	switch {
	case change.ID == "":
		return "the ID is empty"
	case len(change.ID) > MaxID:
		return fmt.Sprintf("the ID has %d bytes; %d are the most", len(change.ID), MaxID)
	case !utf8.ValidString(change.ID):
		return "the ID is not valid UTF-8"
	case change.Op != document.Delete && change.Op != document.Queue && !bytes.HasPrefix(bytes.TrimSpace(change.Doc), []byte("{")):
		return "there is no document to send"
	}
	return ""
}

// batch returns how many of the changes, one at least, go together: those that
// stay within count and size, none that must not be sent. A change that must not
// be sent stands alone, as does a delete.
func batch(changes []document.Change, most int, size int64) int {
	if fault(changes[0]) != "" || changes[0].Op == document.Delete {
		return 1
	}
	total := bodySize(changes[0])
	for i, change := range changes[1:] {
		total += bodySize(change)
		if i+1 == most || total+1 > size || fault(change) != "" {
			return i + 1
		}
	}
	return len(changes)
}

// bodySize is what a change adds to a body: its document, or its URL in quotes, and a
// comma or bracket.
func bodySize(change document.Change) int64 {
	if change.Op == document.Queue {
		return int64(len(change.ID)) + 3
	}
	return int64(len(change.Doc)) + 1
}

// request returns the call for changes that go together.
func (c *Client) request(op document.Op, changes []document.Change) request {
	switch op {
	case document.Queue:
		return c.queueRequest(idList(changes))
	case document.Put, document.Patch:
		return request{op: string(op), method: strings.ToUpper(string(op)), url: c.documents, body: join(changes)}
	}
	id := changes[0].ID
	return request{
		op: string(op), method: http.MethodDelete, url: c.documents + "?documentId=" + escapeID(id),
		final: func(got answer) bool { outcome, _ := readDeletion(id, got); return outcome.State != document.InDoubt },
	}
}

// join copies the documents, unparsed, into one JSON array.
func join(changes []document.Change) []byte {
	docs := make([][]byte, len(changes))
	for i, change := range changes {
		docs[i] = change.Doc
	}
	return slices.Concat([]byte("["), bytes.Join(docs, []byte(",")), []byte("]"))
}

// escapeID escapes every reserved byte of an ID once (RFC 3986, section 2.2); a
// space becomes %20, because "+" is read as a space by some and as a plus by others.
func escapeID(id string) string {
	return strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}
