package tools

import (
	"testing"

	"sitesync/internal/wire"
)

// TestTargets: a link in markup is found however it is written, and nothing else is.
func TestTargets(t *testing.T) {
	for markup, want := range map[string]string{
		`<a href="old">old</a>`:                              "old",
		`<A class=old title='old' data-href="old" HREF=old>`: "old",
		`<a title="href='x'" href = ' old '>`:                "old",
		`<area href="&#111;ld"/><b title="old">`:             "old",
		`<a href="a" href="old">`:                            "a",
		`<a name=old>`:                                       "",
		`<script>"<a href='old'>"</script><!-- <a href=old>`: "",
	} {
		f, got := File{Banners: []Banner{{Name: "b", HTML: markup}}}, ""
		for _, target := range f.Targets() {
			got += target.URL
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", markup, got, want)
		}
	}
}

// TestView: what differs is seen, and what says the same is not.
func TestView(t *testing.T) {
	page := `{"rank":1,"showpage":true,"page":{"pageurl":"https://a.example/","name":"a"}}`
	other := `{"rank":2,"showpage":true,"page":{"pageurl":"https://a.example/","name":"b"}}`
	for _, c := range []struct {
		name string
		kind wire.Kind
		a, b string
		want int
	}{
		{"the order of terms", wire.KindQuicklink, `{"terms":[{"name":"a"},{"name":"b"}]}`, `{"Terms":[{"name":"b"},{"name":"a"}]}`, 0},
		{"a term with a comma is not two", wire.KindQuicklink, `{"terms":[{"name":"a, b"}]}`, `{"terms":[{"name":"a"},{"name":"b"}]}`, 1},
		{"a word with a comma is not two", wire.KindSynonyms, `{"words":["a, b","c"]}`, `{"words":["a","b","c"]}`, 1},
		{"a page that stands there twice", wire.KindRanking, `{"pages":[` + page + `,` + other + `]}`, `{"pages":[` + page + `,` + other + `]}`, 0},
		{"a page that stands there once more", wire.KindRanking, `{"pages":[` + page + `]}`, `{"pages":[` + page + `,` + other + `]}`, 1},
	} {
		if got := differences(view(c.kind, []byte(c.a)), view(c.kind, []byte(c.b))); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for raw, kind := range map[string]wire.Kind{`{"id":42}`: wire.KindRanking, `{"ID":"42"}`: wire.KindBanner, `{"groupId":"42","words":[]}`: wire.KindSynonyms} {
		if got := kind.ID([]byte(raw)); got != 42 {
			t.Errorf("the ID of %s: %d", raw, got)
		}
	}
}
