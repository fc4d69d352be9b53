package judge

import (
	"testing"

	"sitesync/internal/document"
)

// TestOwnChange: the page's own change is told from what rules and profile do.
func TestOwnChange(t *testing.T) {
	base := document.Rules{"[extract]": 1, "[[extract.field]] Category": 1, document.RulesExtractor: 7}
	category := document.Rules{"[extract]": 1, "[[extract.field]] Category": 2, document.RulesExtractor: 7}
	content := document.Rules{"[extract]": 2, "[[extract.field]] Category": 1, document.RulesExtractor: 7}
	const same, other = "one text", "another text"
	for _, test := range []struct {
		name    string
		rules   uint64 // of the sighting; the record's are 1
		text    string
		changed []string
		now     document.Rules
		want    bool
	}{
		{"nothing differs", 2, same, nil, category, false},
		{"an edit under the same rules", 1, other, []string{"Content"}, base, true},
		{"an edit of the title alone", 1, same, []string{"Title"}, base, true},
		{"a field's rule changed", 2, same, []string{"Category"}, category, false},
		{"a field's rule changed, and the text", 2, other, []string{"Category", "Content"}, category, true},
		{"the text's rules changed", 2, other, []string{"Content"}, content, false},
		{"the profile changed an earlier night", 2, same, []string{"Content", "Description", "Title"}, base, false},
		{"the profile changed an earlier night, and the text", 2, other, []string{"Content"}, base, true},
		{"no run was complete before", 2, other, []string{"Content"}, nil, false},
	} {
		before := base
		if test.now == nil {
			before, test.now = nil, base
		}
		seen := &document.Sighting{Rules: test.rules, Content: document.HashOf(test.text)}
		rec := &document.Record{Rules: 1, Content: document.HashOf(same)}
		if got := OwnChange(seen, rec, document.Delta{Changed: test.changed}, before, test.now); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
