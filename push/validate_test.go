package push

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

func TestParseChange(t *testing.T) {
	for _, test := range []struct{ name, raw, fault string }{
		{"whole", `{"id":"a","fields":{"Title":"t","Content":"two\nlines\tø"},"type":"FileContent"}`, ""},
		{"no type", `{"id":"a","fields":{"Title":""}}`, ""},
		{"no ID", `{"fields":{}}`, "ID is empty"},
		{"long ID", `{"id":"` + strings.Repeat("x", 513) + `"}`, "513 bytes"},
		{"ID of another kind", `{"id":5}`, "read the document"},
		{"number", `{"id":"a","fields":{"Price":5}}`, "of type string"},
		{"other key", `{"id":"a","fields":{},"title":"x"}`, "unknown field"},
		{"not UTF-8", "{\"id\":\"a\",\"fields\":{\"T\":\"\xff\"}}", "UTF-8"},
		{"two", `{"id":"a"} {"id":"b"}`, "something follows"},
		{"cut", `{"id":"a"`, "read the document"},
	} {
		change, err := ParseChange(document.Patch, []byte(test.raw))
		if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %v", test.name, err)
		}
		if err == nil && (change.ID != "a" || change.Op != document.Patch || string(change.Doc) != test.raw) {
			t.Errorf("%s: %+v", test.name, change)
		}
	}
}

func TestBatch(t *testing.T) {
	sized := func(sizes ...int) []document.Change {
		var list []document.Change
		for i, size := range sizes {
			list = append(list, document.Change{Op: document.Put, ID: fmt.Sprint(i), Doc: []byte("{" + strings.Repeat(" ", size-2) + "}")})
		}
		return list
	}
	for _, test := range []struct {
		sizes []int
		most  int
		size  int64
		want  string // numbers of changes
	}{
		{[]int{10}, 100, 1000, "[1]"},
		{[]int{10, 10, 10, 10, 10}, 2, 1000, "[2 2 1]"},
		{[]int{10, 10, 10}, 1, 1000, "[1 1 1]"},
		{[]int{10, 10, 10}, 100, 34, "[3]"},
		{[]int{10, 10, 10}, 100, 33, "[2 1]"},
		{[]int{10, 5000, 10, 10}, 100, 100, "[1 1 2]"},
		{[]int{5000, 5000}, 100, 100, "[1 1]"},
	} {
		list, got := sized(test.sizes...), []int{}
		for len(list) > 0 {
			n := batch(list, test.most, test.size)
			if body := new(Client).request(document.Put, list[:n]).body; n > 1 && int64(len(body)) > test.size {
				t.Errorf("%v: a body of %d bytes", test.sizes, len(body))
			}
			got, list = append(got, n), list[n:]
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%v, %d, %d: %v, want %s", test.sizes, test.most, test.size, got, test.want)
		}
	}
}
