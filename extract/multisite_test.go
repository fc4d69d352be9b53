package extract

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sitesync/extract/profile"
	"sitesync/internal/document"
)

// Goals of site boilerplate: shares of the words of the template that are gone,
// and of the content that are lost.
const (
	goalTemplateGone = 0.95
	goalContentLost  = 0.01
)

// TestMultiSite measures what is left of the template of a site that no markup
// tells from its content.
func TestMultiSite(t *testing.T) {
	pages, e := multiSite(t), newExtractor(t, Options{})
	got := mean(judgeSite(t, e, pages, siteProfile(t, e, pages)))
	t.Logf("template words gone %.3f, content words lost %.3f, titles right %.3f", got[templates], 1-got[recall], got[titles])
	if lost := 1 - got[recall]; lost >= goalContentLost {
		t.Errorf("%.4f of the content words are lost", lost)
	}
	if got[templates] < goalTemplateGone {
		t.Errorf("%.4f of the template words are gone", got[templates])
	}
}

// siteProfile is what the site teaches about its pages.
func siteProfile(t testing.TB, e *Extractor, pages []labelled) document.Profile {
	learner, drafts := profile.NewLearner(nil), make([]document.Draft, len(pages))
	for i, l := range pages {
		p := htmlPage(t, l.head["url"], l.html)
		var err error
		if drafts[i], err = e.Read(p); err != nil {
			t.Fatal(err)
		}
		learner.Offer(&document.Sighting{URL: p.URL, Seen: document.Read, Content: e.Sum(p, drafts[i]), Draft: int64(i) + 1})
	}
	learned, _ := learn(t, learner, drafts, 0)
	return learned
}

func judgeSite(t testing.TB, e *Extractor, pages []labelled, profile document.Profile) []score {
	t.Helper()
	all := make([]score, len(pages))
	for i, l := range pages {
		d, err := e.Read(htmlPage(t, l.head["url"], l.html))
		if err != nil {
			t.Fatal(err)
		}
		all[i] = l.judge(e.Finish(d, l.head["url"], profile).Fields)
	}
	return all
}

// sitePart is one of the four parts of the site, with the box that stands on all
// of its pages and the headings that some of them share.
type sitePart struct {
	name, box, note string
	headings        []string
	nouns, verbs    []string
}

func siteSections() []sitePart {
	return []sitePart{
		{"Allotments", "Allotment office", "Ask for Mr Penrose on Wednesdays between two and four.", []string{"Water supply", "Sheds and fences", "Keeping hens", "Rent", "Paths", "Bonfires"},
			strings.Fields("plot hedge compost gate tenant barrel potato frost orchard spade trellis beehive shed tap seedling ladder"), strings.Fields("dig share prune water fence harvest measure inherit sweep repair")},
		{"Harbour", "Harbour master", "Radio watch on channel twelve from dawn until dusk, every day of the year.", []string{"Moorings", "Fuel berth", "Signals", "Dues", "Dredging", "Lost property"},
			strings.Fields("pontoon trawler buoy anchor tide crane winch pilot ferry ballast slipway lantern crew rope hull gangway"), strings.Fields("moor signal tow paint unload steer anchor weigh survey careen")},
		{"Archive", "Reading room", "Bring a pencil; ink and flash photography stay outside.", []string{"Provenance", "Access", "Copies", "Condition", "Finding aids", "Closed files"},
			strings.Fields("ledger deed parchment clerk seal map census letter register sheriff will charter photograph index tithe plaque"), strings.Fields("transcribe bind catalogue date repair donate seal copy digitise annotate")},
		{"Museum", "Group visits", "School classes are free when they book a fortnight ahead.", []string{"The maker", "On display", "Restoration", "Sources", "Similar pieces", "How it works"},
			strings.Fields("loom engine pewter clock lathe lantern plough bellows anvil fiddle kettle saddle printing spinning weathervane barometer"), strings.Fields("forge restore exhibit weave cast engrave polish lend assemble wind")},
	}
}

// multiSite is a site of 200 pages in four sections and two templates: one of
// divisions without a telling name, one of tables. Header, menu, boxes and
// footer repeat with small changes: the open entry of the menu, a date, a year.
// A third of a section's pages share each heading, which is content; the menu
// names all headings of all sections.
func multiSite(t testing.TB) []labelled {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	sections := siteSections()
	pages := make([]labelled, 0, 200)
	for i := range cap(pages) {
		s, n := sections[i%4], i/4
		title := s.title(random, n)
		l := labelled{name: fmt.Sprintf("%s-%02d", strings.ToLower(s.name), n), want: append([]string{title}, s.text(random)...)}
		l.head = map[string]string{
			"url": "https://www.fenwick.example/" + strings.ToLower(s.name) + "/" + strings.ReplaceAll(strings.ToLower(title), " ", "-"), "title": title, "language": "en",
		}
		write := writeDivs
		if i%4 >= 2 {
			write = writeTables
		}
		write(&l, s, n)
		pages = append(pages, l)
	}
	return pages
}

func (s *sitePart) title(r *rand.Rand, n int) string {
	return fmt.Sprintf("The %s %s of %d", s.nouns[r.IntN(len(s.nouns))], s.nouns[r.IntN(len(s.nouns))], 1700+7*n)
}

// text is four to seven paragraphs of the page's own, two of them under a
// heading that other pages have too.
func (s *sitePart) text(r *rand.Rand) []string {
	var lines []string
	for i := range 4 + r.IntN(4) {
		if i == 1 || i == 3 {
			lines = append(lines, s.headings[(r.IntN(3)+i/2*3)%len(s.headings)])
		}
		var p []string
		for range 2 + r.IntN(3) {
			p = append(p, fmt.Sprintf("In %d the %s near %s %d had to %s a %s, and %d of us %s it to the %s.", 1600+r.IntN(400), s.nouns[r.IntN(16)],
				s.nouns[r.IntN(16)], r.IntN(900), s.verbs[r.IntN(10)], s.nouns[r.IntN(16)], r.IntN(90), s.verbs[r.IntN(10)], s.nouns[r.IntN(16)]))
		}
		lines = append(lines, strings.Join(p, " "))
	}
	return lines
}

// frame are the lines of the template of a page, by where they stand.
func (s *sitePart) frame(n int) (top, side, bottom []string) {
	top = []string{"Fenwick Parish Council", "Serving the parish between the two rivers since 1894", "Search this site", "Large print"}
	for _, other := range siteSections() {
		top = append(append(top, other.name), other.headings...)
	}
	top = append(top, "Minutes and agendas", "Report a fault", "Councillors", "Events diary")
	side = []string{s.box, s.note, "In this part of the site you find the rules, the people and the history of the " + strings.ToLower(s.name) + ".", "Subscribe to our monthly letter and never miss a meeting"}
	bottom = []string{"Was this page of use to you?", fmt.Sprintf("Last changed on %d March %d", 1+n%28, 2019+n%7), "Fenwick Parish Council, The Old Forge, Bridge Street, Fenwick FW1 4TT",
		"Telephone 0555 010 440, weekdays from nine to one", "Accessibility statement, privacy notice and complaints", "© Fenwick Parish Council 2026"}
	return top, side, bottom
}

func writeDivs(l *labelled, s sitePart, n int) {
	top, side, bottom := s.frame(n)
	l.rest = append(append(append(l.rest, top...), side...), bottom...)
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="en"><head><title>%s | %s | Fenwick Parish Council</title></head><body><div class="k1"><div class="k2">`, l.want[0], s.name)
	for _, line := range top {
		if line == s.name {
			fmt.Fprintf(&b, `<div class="k3 on"><b>%s</b></div>`, line)
			continue
		}
		fmt.Fprintf(&b, `<div class="k3"><a href="/%d">%s</a></div>`, len(line), line)
	}
	fmt.Fprintf(&b, `</div><div class="k4"><div class="k5"><div class="t1">%s</div>`, l.want[0])
	for i, line := range l.want[1:] {
		fmt.Fprintf(&b, `<div class="p%d">%s</div>`, i%2, line)
	}
	b.WriteString(`</div><div class="k6">`)
	for _, line := range side {
		fmt.Fprintf(&b, `<div class="k7">%s</div>`, line)
	}
	b.WriteString(`</div></div><div class="k8">`)
	for _, line := range bottom {
		fmt.Fprintf(&b, `<div>%s</div>`, line)
	}
	b.WriteString(`</div></div></body></html>`)
	l.html = b.String()
}

func writeTables(l *labelled, s sitePart, n int) {
	top, side, bottom := s.frame(n)
	l.rest = append(append(append(l.rest, top...), side...), bottom...)
	var b strings.Builder
	fmt.Fprintf(&b, `<html lang="en"><title>%s - %s - Fenwick Parish Council</title><body bgcolor=white><table width=900><tr><td colspan=2><font size=5>%s</font><br><br>%s<tr><td valign=top width=200>`, l.want[0], s.name, top[0], top[1])
	for _, line := range append(top[2:], side...) {
		fmt.Fprintf(&b, `<p><font size=1>%s</font>`, line)
	}
	fmt.Fprintf(&b, `<td valign=top><p><font size=4><b>%s</b></font>`, l.want[0])
	for _, line := range l.want[1:] {
		fmt.Fprintf(&b, `<p><font face=Arial>%s</font>`, line)
	}
	b.WriteString(`<tr><td colspan=2>`)
	for _, line := range bottom {
		fmt.Fprintf(&b, `<center><font size=1>%s</font></center>`, line)
	}
	b.WriteString(`</table></body></html>`)
	l.html = b.String()
}
