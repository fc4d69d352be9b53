package tally

import (
	"cmp"
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

// judgedAs are the facts and the change of one document: to go, worse, or as it was.
func judgedAs(kind document.Type, fate string) (*judge.Facts, *document.Change) {
	f := &judge.Facts{
		Record:   &document.Record{Push: document.PushOK, Type: kind, Length: 100, Fields: map[string]document.Hash{"Title": {}}},
		Sighting: &document.Sighting{Seen: document.Kept},
	}
	switch fate {
	case "gone":
		return f, &document.Change{Op: document.Delete, Cause: document.CauseMissing, State: document.Planned}
	case "worse":
		f.Content, f.Delta.Changed = &judge.Content{Length: 1, Fields: map[string]document.Hash{"Title": {}}}, []string{"Content"}
		fallthrough
	case "read":
		f.Sighting.Seen, f.Sighting.Fetched = document.Read, true
	}
	return f, nil
}

// firstFolder returns a URL up to its first folder; empty where there is none.
func firstFolder(url string) string {
	host := weburl.FolderEnd(url, 0)
	if end := weburl.FolderEnd(url, host); end > host+1 {
		return url[:end]
	}
	return ""
}

// naive counts the groups of a URL in a map, by splitting its path.
func naive(of map[string]*openGroup, url string, kind document.Type, f *judge.Facts, c *document.Change) {
	path, _, _ := strings.Cut(url, "?")
	folders := strings.SplitAfter(strings.TrimPrefix(path, weburl.Origin(url)+"/"), "/")
	names := []string{string(kind), weburl.Origin(url) + "/"}
	for depth := 1; depth <= 3 && depth < len(folders); depth++ {
		names = append(names, weburl.Origin(url)+"/"+strings.Join(folders[:depth], ""))
	}
	for _, name := range names {
		if of[name] == nil {
			of[name] = &openGroup{group: judge.Group{Name: name, Host: name == names[1]}}
		}
		of[name].group.Documents++
		of[name].judged(f, c, judge.Limits{})
	}
}

// TestGroupsAgree: one open group a depth finds what a map of all groups finds, for
// whatever set of URLs, and names the same ones for each URL.
func TestGroupsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "a-b", "a.b", "b", "b%2Fc", "", "ä", "a0", "z"}
	held := 0
	for round := range 150 {
		urls := map[string]bool{}
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
			urls[url] = true
		}
		share := random.IntN(100)
		all, ofType := map[string]*openGroup{}, map[document.Type]int{}
		type one struct {
			kind   document.Type
			facts  *judge.Facts
			change *document.Change
		}
		docs := map[string]one{}
		for _, url := range slices.Sorted(maps.Keys(urls)) {
			kind, fate := document.PageContent, "read"
			if random.IntN(4) == 0 {
				kind = document.FileContent
			}
			// A folder keeps its fate for the most part, so that some empty and others don't.
			switch n := spool.Fingerprint(firstFolder(url)+fmt.Sprint(round)) % 100; {
			case int(n) < share && random.IntN(4) > 0:
				fate = "gone"
			case n%3 == 0 && random.IntN(4) > 0:
				fate = "worse"
			case n%5 == 0:
				fate = "quiet"
			}
			f, c := judgedAs(kind, fate)
			docs[url] = one{kind, f, c}
			ofType[kind]++
			naive(all, url, kind, f, c)
		}
		g := NewGroups(ofType)
		for _, url := range slices.Sorted(maps.Keys(urls)) {
			g.Count(url, 1)
			if doc := docs[url]; doc.change != nil || doc.facts.Sighting.Fetched {
				g.Judged(doc.facts, doc.change, judge.Limits{})
			}
		}
		g.Conclude()
		want := map[string]judge.Group{}
		for name, group := range all {
			want[name] = group.close()
		}
		for url, doc := range docs {
			got := g.Of(url, doc.kind)
			for what, is := range map[string]func(judge.Group) bool{"empties": judge.Group.Emptied, "is sick": judge.Group.Sick} {
				a, b := firstOf(got, is), firstOf(widest(want, url, doc.kind), is)
				if a != b {
					t.Fatalf("round %d: of %s the first group that %s is %+v, want %+v", round, url, what, a, b)
				}
				if a.Name != "" {
					held++
				}
			}
		}
	}
	if held < 1000 {
		t.Errorf("%d changes would be held: that proves little", held)
	}
}

func firstOf(groups []judge.Group, is func(judge.Group) bool) judge.Group {
	at := slices.IndexFunc(groups, is)
	if at < 0 {
		return judge.Group{}
	}
	return groups[at]
}

// widest returns all groups of a URL, hosts before folders before types.
func widest(of map[string]judge.Group, url string, kind document.Type) (groups []judge.Group) {
	for name, g := range of {
		if path, _, _ := strings.Cut(url, "?"); strings.Contains(name, "://") && strings.HasPrefix(path, name) {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b judge.Group) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	return append(groups, of[string(kind)])
}

// TestGroupsStaySmall: of a host that empties nothing but the host is kept, and a
// document that did not change costs no memory.
func TestGroupsStaySmall(t *testing.T) {
	g := NewGroups(nil)
	gone, c := judgedAs(document.PageContent, "gone")
	urls := make([]string, 100_000)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://a.test/%03d/%03d/%03d", i/1000, i/25%40, i%1000)
	}
	for _, url := range urls {
		g.Count(url, 1)
		g.Judged(gone, c, judge.Limits{})
	}
	if g.Conclude(); len(g.closed) != 1 || g.closed[0].Documents != len(urls) {
		t.Errorf("%d groups are kept, the first of %d documents", len(g.closed), g.closed[0].Documents)
	}
	i := 0
	if n := testing.AllocsPerRun(len(urls)-1, func() { g.Count(urls[i], 1); i++ }); n > 0 {
		t.Errorf("%g allocations a document", n)
	}
}

// TestTurningsAreExact: a fifth of all changed pages is found to the page, more of
// them than fit in memory at once too.
func TestTurningsAreExact(t *testing.T) {
	many := func(string) int { return 1 << 30 }
	other := func(judge.Body, []string) (bool, error) { return false, nil }
	for _, n := range []int{5, 9, 200, 60_000} {
		for _, more := range []int{0, 1} {
			scratch := spool.NewScratch(t.TempDir())
			turns := NewTurnings(scratch)
			defer scratch.Close()
			for i := range n {
				url := fmt.Sprintf("https://a.test/%0100d", i)
				turns.Add(fmt.Sprintf("text:%016x", spool.Fingerprint(url)), url)
				turns.Add("to:https://a.test/", url)
			}
			if err := scratch.Err(); err != nil {
				t.Fatal(err)
			}
			if err := turns.Conclude(5*n+more, many, other); err != nil {
				t.Fatal(err)
			}
			var want []judge.Turning
			if more == 0 {
				want = []judge.Turning{{To: "to:https://a.test/", Pages: n, First: fmt.Sprintf("https://a.test/%0100d", 0), Documents: 1 << 30}}
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
	const text = "text:00000000000000f0"
	for _, c := range []struct {
		pages, documents int
		alike            bool
		mass             bool
	}{
		{19, 100, false, false}, {20, 2000, false, true}, {20, 2001, false, false}, {20, 2000, true, false},
	} {
		turns := NewTurnings(spool.NewScratch(t.TempDir()))
		for i := range c.pages {
			turns.Add(text, fmt.Sprintf("https://a.test/%02d", i))
		}
		err := turns.Conclude(10_000, func(string) int { return c.documents }, func(body judge.Body, _ []string) (bool, error) { return c.alike && body == 0xf0, nil })
		if err != nil {
			t.Fatal(err)
		}
		for to, near := range map[string]bool{text: true, "text:00000000000000f3": true, "text:ffffffffffffff0f": false, "to:https://a.test/": false} {
			if got := turns.First([]string{to}).Pages == c.pages; got != (near && c.mass) {
				t.Errorf("%+v, %s: %v", c, to, got)
			}
		}
	}
}

// TestTripsAreFew: the reasons that hold most are told one by one, the others summed up.
func TestTripsAreFew(t *testing.T) {
	all := Trips{}
	held := 0
	for i := range 150 {
		for range 1 + i {
			all.Count(document.Tripped{Brake: document.BrakeGroup, Group: fmt.Sprint(i), Release: document.Command(fmt.Sprint("approve ", i))})
			held++
		}
	}
	sums := all.Sums()
	for _, s := range sums {
		held -= s.Held
	}
	if last := sums[len(sums)-1]; held != 0 || len(sums) != keptTrips+1 || sums[0].Group != "149" || last.Group != document.OtherGroups || last.Release != "sitesync approve --all" {
		t.Errorf("%d reasons, %d changes too few, the first %+v, the last %+v", len(sums), held, sums[0], last)
	}
	all.Count(document.Tripped{Brake: document.BrakeHost, Group: "https://a.test/"})
	if last := all.Sums()[keptTrips+1]; last.Brake != document.BrakeHost || last.Release != "" {
		t.Errorf("what nothing releases is told as %+v", last)
	}
}
