package judge

import (
	"errors"
	"fmt"
	"testing"

	"sitesync/internal/document"
)

// web is what is known of each URL; of others nothing is.
type web map[string]Node

func (w web) look(url string) (Node, error) { return w[url], nil }

func seen(s document.Seen) Node   { return Node{Seen: s} }
func to(target string) Node       { return Node{Seen: document.Moved, Target: target} }
func for302(target string) Node   { return Node{Seen: document.Elsewhere, Target: target} }
func names(canonical string) Node { return Node{Seen: document.Read, Canonical: canonical} }

// chain is n-1 redirects from 1 on and, at n, a page.
func chain(n int) web {
	w := web{fmt.Sprint(n): seen(document.Read)}
	for i := 1; i < n; i++ {
		w[fmt.Sprint(i)] = to(fmt.Sprint(i + 1))
	}
	return w
}

func TestResolve(t *testing.T) {
	for _, test := range []struct {
		name  string
		first string
		web   web
		url   string
		state TargetState
		hops  int
	}{
		{"a page that was read is live", "b", web{"b": seen(document.Read)}, "b", TargetLive, 1},
		{"a page that is kept is live", "b", web{"b": seen(document.Kept)}, "b", TargetLive, 1},
		{"a page that failed is unread", "b", web{"b": seen(document.Unread)}, "b", TargetUnread, 1},
		{"a page that was not looked at is unread", "b", web{}, "b", TargetUnread, 1},
		{"a page that is gone is dead", "b", web{"b": seen(document.Gone)}, "b", TargetDead, 1},
		{"a missing page is dead", "b", web{"b": seen(document.Missing)}, "b", TargetDead, 1},
		{"an excluded page is foreign", "b", web{"b": seen(document.OutOfScope)}, "b", TargetForeign, 1},
		{"the front page of another host is foreign", "b", web{"b": seen(document.OtherHost)}, "b", TargetForeign, 1},
		{"a disallowed page is foreign", "b", web{"b": seen(document.Disallowed)}, "b", TargetForeign, 1},
		{"an address that can't be used is foreign", "", web{}, "", TargetForeign, 1},
		{"a redirect that leads nowhere usable is foreign", "b", web{"b": to("")}, "b", TargetForeign, 2},

		{"a redirect is followed", "b", web{"b": to("c"), "c": seen(document.Read)}, "c", TargetLive, 2},
		{"a redirect to a dead page is dead", "b", web{"b": to("c"), "c": seen(document.Missing)}, "c", TargetDead, 2},
		{"a redirect to an unread page is unread", "b", web{"b": to("c"), "c": seen(document.Unread)}, "c", TargetUnread, 2},
		{"a redirect to an unknown page is unread", "b", web{"b": to("c")}, "c", TargetUnread, 2},
		{"a redirect out of scope is foreign", "b", web{"b": to("c"), "c": seen(document.OutOfScope)}, "c", TargetForeign, 2},
		{"the canonical of a redirect's target is followed", "b", web{"b": names("c"), "c": seen(document.Read)}, "c", TargetLive, 2},
		{"the canonical of a kept page is followed", "b", web{"b": {Seen: document.Kept, Canonical: "c"}, "c": seen(document.Kept)}, "c", TargetLive, 2},
		{"a canonical of a canonical of a redirect's target is followed", "b", web{"b": to("c"), "c": names("d"), "d": names("e"), "e": seen(document.Read)}, "e", TargetLive, 4},

		{"ten hops are followed", "1", chain(10), "10", TargetLive, 10},
		{"eleven hops are a loop", "1", chain(11), "11", TargetLoop, 10},
		{"a hundred hops are a loop", "1", chain(100), "11", TargetLoop, 10},
		{"a page that leads to itself is a loop", "a", web{"a": to("a")}, "a", TargetLoop, 1},
		{"a redirect that comes back is a loop", "b", web{"a": to("b"), "b": to("a")}, "a", TargetLoop, 2},
		{"a long way back is a loop", "b", web{"a": to("b"), "b": to("c"), "c": to("d"), "d": to("a")}, "a", TargetLoop, 4},
		{"a loop further on is a loop", "b", web{"a": to("b"), "b": to("c"), "c": to("b")}, "b", TargetLoop, 10},
		{"two pages that name each other are a loop", "b", web{"a": names("b"), "b": names("a")}, "a", TargetLoop, 2},
	} {
		got, err := Resolve("a", test.first, test.web.look)
		got.Chain = ""
		if want := (Target{URL: test.url, State: test.state, Hops: test.hops}); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", test.name, got, err, want)
		}
	}
}

func TestResolveTellsEveryStep(t *testing.T) {
	w := web{"b": {Seen: document.Moved, Target: "c", Status: 308}, "c": {Seen: document.Moved, Target: "d", Status: 301}, "d": names("e"), "e": seen(document.Read)}
	for first, want := range map[string]string{"b": "308 to c, 301 to d, folded into e", "d": "folded into e", "e": ""} {
		if got, err := Resolve("a", first, w.look); err != nil || got.Chain != want {
			t.Errorf("from %s: %q, %v; want %q", first, got.Chain, err, want)
		}
	}
}

func TestResolveError(t *testing.T) {
	broken := errors.New("read the sightings")
	_, err := Resolve("a", "b", func(string) (Node, error) { return Node{}, broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// A document whose redirect or canonical is resolved and then judged; where it ends
// at a live page, that has the same text.
func TestResolveThenJudge(t *testing.T) {
	const b, c = "https://a.example/b", "https://a.example/c"
	for _, test := range []struct {
		name string
		web  web
		want string
	}{
		{"a canonical to a live page folds", web{page: names(b), b: seen(document.Read)}, "delete duplicate after /b leaving plain e1 folded into /b read for real looks read"},
		{"a canonical to a page that folds itself goes with it", web{page: names(b), b: names(c), c: seen(document.Read)}, "delete duplicate after /c leaving plain e1 folded into /c read for real looks read"},
		{"a canonical to a redirect is a mistake", web{page: names(b), b: to(c), c: seen(document.Read)}, "patch changed Title; warn canonical"},
		{"a canonical to a temporary redirect is a mistake", web{page: names(b), b: for302(c), c: seen(document.Read)}, "patch changed Title; warn canonical"},
		{"a canonical to a redirect back is a mistake", web{page: names(b), b: to(page)}, "patch changed Title; warn canonical"},
		{"a canonical to a page with noindex is a mistake", web{page: names(b), b: seen(document.NoIndex)}, "patch changed Title; warn canonical"},
		{"two pages that name each other both stay", web{page: names(b), b: names(page)}, "patch changed Title; warn canonical"},
		{"a canonical to a dead page is a mistake", web{page: names(b), b: seen(document.Gone)}, "patch changed Title; warn canonical"},

		{"a redirect to a live page moves", web{page: to(b), b: seen(document.Read)}, "delete moved after /b leaving plain read for real looks moved; moved to /b"},
		{"a redirect moves to where its target folds", web{page: to(b), b: names(c), c: seen(document.Read)}, "delete moved after /c leaving plain read for real looks moved; moved to /c"},
		{"a redirect to a page that still names the old address moves", web{page: to(b), b: names(page)}, "delete moved after /b leaving plain read for real looks moved; moved to /b"},
		{"a redirect to a page with a broken canonical moves", web{page: to(b), b: names(c), c: seen(document.Gone)}, "delete moved after /b leaving plain read for real looks moved; moved to /b"},
		{"a redirect to a page with a foreign canonical moves", web{page: to(b), b: names(c), c: seen(document.OutOfScope)}, "delete moved after /b leaving plain read for real looks moved; moved to /b"},
		{"a redirect to a page with an unread canonical waits", web{page: to(b), b: names(c)}, "keep ok e1"},
		{"a redirect to a page with noindex leads out", web{page: to(b), b: seen(document.NoIndex)}, "keep ok e1 looks moved"},
	} {
		node := test.web[page]
		f := Facts{URL: page, Record: acked(), Sighting: saw(node.Seen, naming(node.Canonical), func(s *document.Sighting) { s.Target = node.Target })}
		if node.Seen == document.Read {
			f.Content, f.Delta = text(), differs("Title")
		}
		target, err := Resolve(page, node.Target+node.Canonical, test.web.look)
		if err != nil {
			t.Fatal(err)
		}
		target.Alike = target.State == TargetLive
		f.Target = target
		if got := sketch(Judge(f, tonight(defaults()))); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}
