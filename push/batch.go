package push

import (
	"bytes"
	"slices"

	"sitesync/internal/document"
)

// batch returns how many of the changes, one at least, go together: those that
// stay within count and size, none that must not be sent. A change that must not
// be sent stands alone.
func batch(changes []document.Change, most int, size int64) int {
	if fault(changes[0]) != "" {
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

// bodySize is what a change adds to a body: its document and a comma or bracket.
func bodySize(change document.Change) int64 { return int64(len(change.Doc)) + 1 }

// join copies the documents, unparsed, into one JSON array.
func join(changes []document.Change) []byte {
	docs := make([][]byte, len(changes))
	for i, change := range changes {
		docs[i] = change.Doc
	}
	return slices.Concat([]byte("["), bytes.Join(docs, []byte(",")), []byte("]"))
}
