package pages_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitesync/diffstore/pages"
	"sitesync/internal/document"
)

// The starts of three runs, each a day after the one before.
const (
	first  = 1_800_000_000
	second = first + 24*60*60
	third  = second + 24*60*60
)

func seq(all ...document.SitePage) iter.Seq2[document.SitePage, error] {
	return func(yield func(document.SitePage, error) bool) {
		for _, p := range all {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func page(url, title string) document.SitePage {
	return document.SitePage{
		URL: url, Seen: document.Read, Status: 200, Type: document.PageContent, Links: document.PackLinks([]uint64{7, 3, 7}),
		Says: document.Says{Title: title, Description: "about " + title, Text: uint64(len(title)), Length: 9},
	}
}

// update writes what a run saw of some pages.
func update(t *testing.T, path string, start int64, seen ...document.SitePage) error {
	t.Helper()
	return pages.Write(path, start, seq(seen...))
}

func all(t testing.TB, path string) (list []document.SitePage, err error) {
	t.Helper()
	for p, err := range pages.All(path) {
		if err != nil {
			return list, err
		}
		list = append(list, p)
	}
	return list, nil
}

// TestWrite: what a run saw takes the place of what was known, with since when it is so; the
// rest stays for 90 days.
func TestWrite(t *testing.T) {
	path := pages.Path(filepath.Join(t.TempDir(), "sitesync.db"))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(update(t, path, first, page("a", "A"), page("b", "B"), page("unknown", "U"), page("x", "X")))
	must(update(t, path, second, page("aa", "AA"), func() document.SitePage { p := page("b", "BB"); p.Says.Description = "about B"; return p }(),
		document.SitePage{URL: "x", Seen: document.Unread, Status: 503, Why: "busy"}))
	got, err := all(t, path)
	must(err)
	want := []document.SitePage{page("a", "A"), page("aa", "AA"), page("b", "BB"), page("unknown", "U"), page("x", "X")}
	for i := range want {
		want[i].Looked = first
	}
	aa, b, x := &want[1], &want[2], &want[4]
	aa.Looked, aa.Changed, aa.Since, aa.TitleSince, aa.DescriptionSince, aa.TextSince = second, second, second, second, second, second
	b.Looked, b.Changed, b.TitleSince, b.TextSince, b.Says.Description = second, second, second, second, "about B"
	x.Seen, x.Status, x.Why, x.Looked, x.Since = document.Unread, 503, "busy", second, second
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	before, err := os.ReadFile(path)
	must(err)
	must(update(t, path, third)) // a night in which nothing was read
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it was written anew: %v", err)
	}
	must(update(t, path, third, document.SitePage{URL: "new", Seen: document.Kept}, document.SitePage{URL: "x", Seen: document.Kept}))
	got, err = all(t, path)
	must(err)
	if last := got[len(got)-1]; len(got) != 5 || last.Seen != document.Read || last.Says.Title != "X" || last.Since != third || last.Looked != second {
		t.Errorf("a page that answers again: %+v", got)
	}
	left := func(url string) document.SitePage {
		return document.SitePage{URL: url, Seen: document.LeftOut, Why: "its type"}
	}
	must(update(t, path, third, left("l"), left("m"), document.SitePage{URL: "n", Seen: document.NoIndex}))
	leftOut := func(want ...string) {
		t.Helper()
		var got []string
		for p, err := range pages.LeftOut(path) {
			must(err)
			got = append(got, p.URL+": "+p.Why)
		}
		if !slices.Equal(got, want) {
			t.Errorf("left out: %q, want %q", got, want)
		}
	}
	leftOut("l: its type", "m: its type", "n: ")
	must(update(t, path, third, document.SitePage{URL: "l"}, page("n", "N"))) // which is forgotten, and makes a document now
	leftOut("m: its type")
	must(update(t, path, third+100*24*60*60, page("a", "A!")))
	if got, err = all(t, path); err != nil || len(got) != 1 {
		t.Errorf("what was not read again stays for longer than 90 days: %+v, %v", got, err)
	}
}

// TestDamaged: a file that is cut or altered anywhere is said to be damaged, and what stands
// before is read; the next update mends it. What is not there has no pages.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "site")
	if got, err := all(t, path); got != nil || err != nil {
		t.Errorf("no file: %v, %v", got, err)
	}
	var many []document.SitePage
	for i := range 8 {
		many = append(many, page(fmt.Sprintf("https://www.example.com/%03d", i), fmt.Sprint("Page ", i)))
	}
	if err := update(t, path, first, many...); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		altered := bytes.Clone(good)
		altered[n] ^= 0x55
		for what, bad := range map[string][]byte{"cut": good[:n], "altered": altered} {
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := all(t, path)
			if !errors.Is(err, pages.ErrDamaged) || !strings.Contains(err.Error(), path) {
				t.Fatalf("%s at %d: %d pages, %v", what, n, len(got), err)
			}
		}
	}
	if err := update(t, path, second, page("https://www.example.com/007", "Page 7"), page("https://www.example.com/008", "Page 8")); !errors.Is(err, pages.ErrDamaged) {
		t.Errorf("the damage is not told: %v", err)
	}
	got, err := all(t, path)
	if err != nil || len(got) < 2 || got[len(got)-1].Since != 0 {
		t.Errorf("after the damage: %d pages, %v", len(got), err)
	}
}

// TestWriteFails: an error of the plan leaves the file as it is, and nothing beside it.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "site")
	if err := update(t, path, first, page("a", "A")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := pages.Write(path, second, func(yield func(document.SitePage, error) bool) {
		_ = yield(page("b", "B"), nil) && yield(document.SitePage{}, broken)
	})
	got, readErr := all(t, path)
	entries, dirErr := os.ReadDir(dir)
	if !errors.Is(err, broken) || len(got) != 1 || len(entries) != 1 || errors.Join(readErr, dirErr) != nil {
		t.Errorf("%v; %d pages, %d files", err, len(got), len(entries))
	}
}

// FuzzAll: whatever the bytes, reading them ends without a panic and says what is wrong.
func FuzzAll(f *testing.F) {
	path := filepath.Join(f.TempDir(), "site")
	err := pages.Write(path, first, seq(page("a", "A"), page("b", "B")))
	good, readErr := os.ReadFile(path)
	if errors.Join(err, readErr) != nil {
		f.Fatal(err, readErr)
	}
	f.Add(good)
	f.Add([]byte("no such file"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, path); err != nil && !errors.Is(err, pages.ErrDamaged) {
			t.Error(err)
		}
	})
}
