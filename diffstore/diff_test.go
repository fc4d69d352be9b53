package diffstore_test

import (
	"reflect"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

func TestDiff(t *testing.T) {
	hashes := func(pairs ...string) map[string]document.Hash {
		m := map[string]document.Hash{}
		for n := 0; n < len(pairs); n += 2 {
			m[pairs[n]] = document.HashOf(pairs[n+1])
		}
		return m
	}
	held := &document.Record{Type: document.PageContent, Fields: hashes("Title", "t", "Url", "u", "Date", "")}
	tests := []struct {
		name   string
		kind   document.Type
		fields map[string]document.Hash
		rec    *document.Record
		want   document.Delta
	}{
		{"same", document.PageContent, hashes("Title", "t", "Url", "u", "Date", ""), held, document.Delta{}},
		{"changed", document.PageContent, hashes("Title", "T", "Url", "u", "Date", ""), held, document.Delta{Changed: []string{"Title"}}},
		{"added, sorted", document.PageContent, hashes("Title", "t", "Url", "u", "Date", "", "b", "", "a", ""), held, document.Delta{Changed: []string{"a", "b"}}},
		{"lost, sorted", document.PageContent, hashes("Url", "u"), held, document.Delta{Lost: []string{"Date", "Title"}}},
		{"case of a name", document.PageContent, hashes("title", "t", "Url", "u", "Date", ""), held, document.Delta{Changed: []string{"title"}, Lost: []string{"Title"}}},
		{"type", document.FileContent, hashes("Title", "t", "Url", "u", "Date", ""), held, document.Delta{Type: true}},
		{"nothing known", document.PageContent, hashes("Title", "t"), &document.Record{}, document.Delta{Changed: []string{"Title"}, Type: true}},
		{"nothing left", document.PageContent, nil, held, document.Delta{Lost: []string{"Date", "Title", "Url"}}},
	}
	for _, test := range tests {
		if got := diffstore.Diff(test.kind, test.fields, test.rec); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}
