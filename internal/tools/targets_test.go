package tools

import (
	"strings"
	"testing"
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
