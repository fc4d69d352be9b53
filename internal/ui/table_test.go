package ui

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
)

// TestManyValues: a filter offers a bounded number of values, always with the chosen one,
// and counts what choosing each would show.
func TestManyValues(t *testing.T) {
	all := &table[string]{facets: []facet[string]{{"name", "Name", func(row *string, visit func(string)) { visit(*row) }}, {"odd", "Odd", func(row *string, visit func(string)) { visit((*row)[4:]) }}}}
	for i := range 300 {
		all.add(fmt.Sprintf("%03d %d", i, i%2), fmt.Sprint("Row ", i))
	}
	all.seal()
	v := all.view(url.Values{"name": {"299 1"}, "odd": {"1"}})
	names, odd := v.Choices[0], v.Choices[1]
	if len(v.Rows) != 1 || v.Total != 1 || v.All != 300 || len(names.Values) != 150 || len(odd.Values) != 1 || odd.Values[0] != (Value{"1", 1, true}) {
		t.Errorf("both: %+v", v)
	}
	v = all.view(url.Values{"name": {"299 1"}, "q": {"ROW"}})
	if names = v.Choices[0]; len(names.Values) != maxValues || !slices.Contains(names.Values, Value{"299 1", 1, true}) {
		t.Errorf("many: %+v", names)
	}
	if v = all.view(url.Values{"page": {"12"}}); len(v.Rows) != 25 || v.Page != v.Pages || v.Link(-1) != "?page=11" {
		t.Errorf("the last page: %+v", v)
	}
	if v = all.view(url.Values{"page": {"99999999999999999999"}}); v.Page > 13 {
		t.Errorf("page %d", v.Page)
	}
	if v = all.view(url.Values{"page": {"-1"}, "sort": {"nowhere"}, "odd": {"none"}}); v.Total != 0 || v.Page != 1 || len(v.Choices[1].Values) != 3 {
		t.Errorf("nothing fits: %+v", v)
	}
}
