package plan_test

import (
	"fmt"

	"sitesync/internal/document"
)

// begin is when the run of a test starts.
const begin = 1_700_000_000

func testTarget() document.Target {
	return document.Target{Base: "https://api.example.com", Customer: 10000001, Crawler: "c1", Origins: []string{"https://www.example.com"}}
}

func pageID(n int) string { return fmt.Sprintf("https://www.example.com/page/%04d", n) }

// change returns a change that sends a document of these fields; a delete takes
// none.
func change(op document.Op, id string, fields map[string]string) document.Change {
	c := document.Change{Op: op, ID: id, Type: document.PageContent, Cause: document.CauseNew, State: document.Planned}
	if op == document.Delete {
		c.Cause = document.CauseGone
		return c
	}
	doc := document.Document{ID: id, Type: document.PageContent, Fields: fields}
	c.Doc = doc.Wire()
	c.Next = &document.Record{
		ID: id, Type: doc.Type, Fields: doc.FieldHashes(), Content: document.HashOf(fields["Content"]),
		Length: len(fields["Content"]), Rules: 1<<63 + 7, Hints: document.Hints{ETag: `"` + fields["Title"] + `"`},
		Fetched: begin, Push: document.PushOK,
	}
	return c
}

func titled(title string) map[string]string {
	return map[string]string{"Title": title, "Content": "The content of " + title, "Url": "/"}
}

func record(n int) *document.Record {
	return change(document.Put, pageID(n), titled(fmt.Sprint(n))).Next
}
