package tally

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// firstFolder returns a URL up to its first folder; empty where there is none.
func firstFolder(url string) string {
	host := weburl.FolderEnd(url, 0)
	if end := weburl.FolderEnd(url, host); end > host+1 {
		return url[:end]
	}
	return ""
}

// naive counts a document in the places of a URL in a map, by splitting its path.
func naive(of map[string]*judge.Place, url string, kind document.Type, shows judge.Astray) {
	for i, name := range namesOf(url, kind) {
		if of[name] == nil {
			of[name] = &judge.Place{Name: name, Host: i == 0}
		}
		of[name].Documents++
		of[name].Count(shows, false)
	}
}

func namesOf(url string, kind document.Type) []string {
	path, _, _ := strings.Cut(url, "?")
	host := weburl.Origin(url) + "/"
	folders := strings.SplitAfter(strings.TrimPrefix(path, host), "/")
	names := []string{host}
	for depth := 1; depth <= 3 && depth < len(folders); depth++ {
		names = append(names, host+strings.Join(folders[:depth], ""))
	}
	return append(names, string(kind)+" of "+host)
}

// heldBy returns the place that holds each kind of change.
func heldBy(places []judge.Place) (names [3]string) {
	for i, c := range [...]document.Change{{Op: document.Put}, {Op: document.Delete}, {Op: document.Delete, Cause: document.CauseGone}} {
		d := judge.Due{Change: &c, Host: document.Host{State: document.HostOK, Covered: true, Asked: 1}, Places: places}
		names[i] = judge.Brakes(&d, judge.Totals{Documents: 1}, judge.Limits{Max: 1, MaxAbsolute: 1, MaxFailed: 1}).Ill.Name
	}
	return names
}

// TestPlacesAgree: one open place a depth finds what a map of all places finds, for
// whatever set of URLs, and names the same ones for each URL.
func TestPlacesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "a-b", "a.b", "b", "b%2Fc", "", "ä", "a0", "z"}
	held := 0
	for round := range 150 {
		docs, share := map[string]document.Type{}, random.IntN(100)
		all, ofType := map[string]*judge.Place{}, map[string]map[document.Type]int{}
		shown := map[string]judge.Astray{}
		for range 1 + random.IntN(300) {
			url := []string{"https://a.test", "https://a.test:8", "https://a.testb", "http://a.test"}[random.IntN(1+round%4)] + "/"
			for range random.IntN(6) {
				url += parts[random.IntN(2+round%8)] + "/"
			}
			if random.IntN(9) > 0 {
				url += fmt.Sprint(random.IntN(50))
			}
			if random.IntN(5) == 0 {
				url += "?x=/a/" + fmt.Sprint(random.IntN(9)) + "/"
			}
			if docs[url] != "" {
				continue
			}
			docs[url] = []document.Type{document.PageContent, document.FileContent}[random.IntN(4)/3]
			// A folder keeps its fate for the most part, so that some are ill and others are not.
			if n := spool.Fingerprint(firstFolder(url)+fmt.Sprint(round)) % 100; int(n) < share && random.IntN(4) > 0 {
				shown[url] = []judge.Astray{judge.AstrayGone, judge.AstrayMissing, judge.AstrayStranger}[n%3]
			}
			if ofType[weburl.Origin(url)] == nil {
				ofType[weburl.Origin(url)] = map[document.Type]int{}
			}
			ofType[weburl.Origin(url)][docs[url]]++
			naive(all, url, docs[url], shown[url])
		}
		p := NewPlaces(ofType)
		for _, url := range slices.Sorted(maps.Keys(docs)) {
			p.Count(url, 1, 0)
			if shows, judged := shown[url]; judged {
				p.Judged(url, docs[url], shows, false)
			}
		}
		p.Conclude()
		for url, kind := range docs {
			var places []judge.Place
			for _, name := range namesOf(url, kind) {
				places = append(places, *all[name])
			}
			got, want := heldBy(p.Of(url, kind)), heldBy(places)
			if got != want {
				t.Fatalf("round %d: %s is held by %q, want %q", round, url, got, want)
			}
			if want[1] != "" {
				held++
			}
		}
	}
	if held < 1000 {
		t.Errorf("%d changes would be held: that proves little", held)
	}
}

// TestPlacesStaySmall: of a host that empties nothing but the host is kept, and a
// document that did not change costs no memory.
func TestPlacesStaySmall(t *testing.T) {
	p := NewPlaces(nil)
	urls := make([]string, 100_000)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://a.test/%03d/%03d/%03d", i/1000, i/25%40, i%1000)
	}
	for _, url := range urls {
		p.Count(url, 1, 0)
		p.Judged(url, document.PageContent, judge.AstrayMissing, false)
	}
	if p.Conclude(); len(p.ill) != 1 || p.ill[0].Documents != len(urls) {
		t.Errorf("%d places are kept, the first of %d documents", len(p.ill), p.ill[0].Documents)
	}
	i := 0
	if n := testing.AllocsPerRun(len(urls)-1, func() { p.Count(urls[i], 1, 0); i++ }); n > 0 {
		t.Errorf("%g allocations a document", n)
	}
}

// TestTurningsAreExact: a fifth of all changed pages is found to the page, more of
// them than fit in memory at once too.
func TestTurningsAreExact(t *testing.T) {
	many := func(string) int { return 1 << 30 }
	other := func(document.Print, []string) (bool, error) { return false, nil }
	for _, n := range []int{5, 9, 200, 60_000} {
		for _, more := range []int{0, 1} {
			scratch := spool.NewScratch(t.TempDir())
			turns := NewTurnings(scratch)
			defer scratch.Close()
			for i := range n {
				url := fmt.Sprintf("https://a.test/%0100d", i)
				turns.Add(judge.Turn{Text: document.Print(spool.Fingerprint(url))}, url)
				turns.Add(judge.Turn{Page: "https://a.test/"}, url)
			}
			if err := scratch.Err(); err != nil {
				t.Fatal(err)
			}
			if err := turns.Conclude(5*n+more, many, other); err != nil {
				t.Fatal(err)
			}
			var want []judge.Turning
			if more == 0 {
				want = []judge.Turning{{To: judge.Turn{Page: "https://a.test/"}, Pages: n, First: fmt.Sprintf("https://a.test/%0100d", 0), Documents: 1 << 30}}
			}
			if !slices.Equal(turns.mass, want) {
				t.Errorf("%d of %d: %v", n, 5*n+more, turns.mass)
			}
		}
	}
}

// TestTurnings: 20 pages that are 1 % of their host's documents are no coincidence either;
// pages that were alike before changed together; a text that differs by a few words is
// that of the mass.
func TestTurnings(t *testing.T) {
	for _, c := range []struct {
		pages, documents int
		alike            bool
		mass             bool
	}{
		{19, 100, false, false}, {20, 2000, false, true}, {20, 2001, false, false}, {20, 2000, true, false},
	} {
		turns := NewTurnings(spool.NewScratch(t.TempDir()))
		for i := range c.pages {
			turns.Add(judge.Turn{Text: 0xf0}, fmt.Sprintf("https://a.test/%02d", i))
		}
		err := turns.Conclude(10_000, func(string) int { return c.documents }, func(body document.Print, _ []string) (bool, error) { return c.alike && body == 0xf0, nil })
		if err != nil {
			t.Fatal(err)
		}
		for to, near := range map[judge.Turn]bool{{Text: 0xf0}: true, {Text: 0xf3}: true, {Text: 0xffffffffffffff0f}: false, {Page: "https://a.test/"}: false} {
			if got := turns.First([]judge.Turn{to}).Pages == c.pages; got != (near && c.mass) {
				t.Errorf("%+v, %v: %v", c, to, got)
			}
		}
	}
}

// TestTrips: what one command releases is one reason, those that hold most come first, and
// each says since when it holds.
func TestTrips(t *testing.T) {
	all := Trips{}
	tell := func(h judge.Hold) document.Tripped {
		return document.Tripped{Brake: h.Brake, Group: h.Place, Why: string(h.Cause), Release: document.Command(fmt.Sprint(h.Release))}
	}
	for i, cause := range []document.Cause{"gone", "missing", "gone"} {
		all.Count(judge.Hold{Brake: document.BrakeTotal, Release: judge.ReleaseCause, Cause: cause})
		for range i {
			all.Count(judge.Hold{Brake: document.BrakeGroup, Place: fmt.Sprint(i), Release: judge.ReleasePlace, Cause: cause})
		}
	}
	var got []string
	for _, s := range all.Sums(tell, []document.Tripped{{Brake: document.BrakeGroup, Group: "2", Release: "2", Since: 5}}, 9) {
		got = append(got, fmt.Sprintf("%s %s: %d %s since %d", s.Brake, s.Group, s.Held, s.Why, s.Since))
	}
	slices.Sort(got[2:]) // of the same number
	want := []string{"group 2: 2 gone since 5", "total : 2 gone since 9", "group 1: 1 missing since 9", "total : 1 missing since 9"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
