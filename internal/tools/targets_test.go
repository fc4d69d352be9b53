package tools

import (
	"strings"
	"testing"

	"sitesync/internal/wire"
)

// TestFollow: a link in markup that moved is rewritten where it stands, and nothing else
// is; a page that moved to where another one of its ranking is stands there once.
func TestFollow(t *testing.T) {
	to := func(url string) string {
		return strings.NewReplacer("old", "https://a.example/new?x=1&y=2").Replace(url)
	}
	const next = "https://a.example/new?x=1&amp;y=2"
	for markup, want := range map[string]string{
		`<a href="old">old</a>`:                              `<a href="` + next + `">old</a>`,
		`<A class=old title='old' data-href="old" HREF=old>`: `<A class=old title='old' data-href="old" HREF=` + next + `>`,
		`<a title="href='x'" href = ' old '>`:                `<a title="href='x'" href = '` + next + `'>`,
		`<area href="&#111;ld"/><b title="old">`:             `<area href="` + next + `"/><b title="old">`,
		`<a href="a" href="old">`:                            `<a href="a" href="old">`,
		`<a name=old>`:                                       `<a name=old>`,
		`<script>"<a href='old'>"</script><!-- <a href=old>`: `<script>"<a href='old'>"</script><!-- <a href=old>`,
	} {
		f := File{Banners: []Banner{{Name: "b", HTML: markup}}}
		if f.Follow(to); f.Banners[0].HTML != want {
			t.Errorf("%s:\n got %s\nwant %s", markup, f.Banners[0].HTML, want)
		}
	}
	f := File{Rankings: []Ranking{{Name: "r", Pages: []Page{{URL: "old"}, {URL: to("old"), Hide: true}, {URL: "b"}}}}}
	if f.Follow(to); len(f.Rankings[0].Pages) != 2 || f.Rankings[0].Pages[0].Hide || f.Rankings[0].Pages[1].URL != "b" {
		t.Errorf("%+v", f.Rankings[0].Pages)
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
