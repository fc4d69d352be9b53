package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// TestSearchWithoutIndex: writes are stored while the index can't be made, and found once it
// can.
func TestSearchWithoutIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	l := open(t, Options{Path: path, Search: true})
	l.put(testCrawler, page("a", "Title=first"))
	l.finds("*", "a")
	k, err := l.Service.finds.of(testCustomer)
	if err != nil {
		t.Fatal(err)
	}
	k.move(func() { k.err = os.ErrClosed })
	if err := errors.Join(os.Rename(path+".search", path+".aside"), os.WriteFile(path+".search", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"b", "c"} {
		l.want(500, "POST", searchPath, `{"query":"*"}`)
		l.put(testCrawler, page(id, "Title=more"))
	}
	l.end()
	l = open(t, Options{Path: path, Search: true})
	l.put(testCrawler, page("d", "Title=more"))
	if err := os.Remove(path + ".search"); err != nil {
		t.Fatal(err)
	}
	l.finds("*", "a b c d")
}

// TestIndexingEndsAtOnce: a step whose service closes is broken off, and what it left is
// found by the next search.
func TestIndexingEndsAtOnce(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler, page("a", "Title=first"))
	index, err := l.Service.finds.openIndex(testCustomer)
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{s: l.Service, customer: testCustomer, index: index, moved: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.step(ctx); !errors.Is(err, context.Canceled) || k.found != 0 {
		t.Errorf("a step that was broken off: %v, found up to %d", err, k.found)
	}
	if err := index.Close(); err != nil {
		t.Fatal(err)
	}
	l.finds("first", "a")
}

// TestSearchDeletedWords: the words of deleted documents are neither completed nor proposed.
func TestSearchDeletedWords(t *testing.T) {
	l := open(t, Options{})
	docs := []string{page("gone", "Title=zanzibar"), page("other", "Title=zanzicar")}
	for i := range 20 {
		docs = append(docs, page(fmt.Sprint(i), "Title=zander"))
	}
	l.put(testCrawler, docs...)
	l.finds("zanzibar", "gone")
	l.want(200, "DELETE", documents+"?documentId=gone", "")
	if got := l.want(200, "GET", completePath+"?query=zan", ""); !strings.Contains(got, `"suggestions":["zander","zanzicar"]`) || !strings.Contains(got, `"totalSuggestions":2`) {
		t.Error(got)
	}
	if got := l.search("zanzibr").FixedQuery; got != "zanzicar" {
		t.Errorf("want zanzicar, got %q", got)
	}
}

// TestBacklogSize: when the index is made anew, what is indexed at once stays small however
// large documents are.
func TestBacklogSize(t *testing.T) {
	l := open(t, Options{})
	for i := range 8 {
		l.put(testCrawler, page(fmt.Sprint(i), "Content="+strings.Repeat("x", stepBytes/2)))
	}
	err := l.db.Update(func(tx *bolt.Tx) error {
		if err := beginAnew(tx, testCustomer, "m", time.Now()); err != nil {
			return err
		}
		s, err := nextStep(tx, testCustomer, 0, time.Now().Add(time.Hour))
		if len(s.puts) != 2 || !s.full {
			t.Errorf("%d documents are indexed at once, more: %v", len(s.puts), s.full)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSearchLongWords: runs of letters without spaces, in a query or a document, take no
// more time than other text; without a bound this takes minutes.
func TestSearchLongWords(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler, page("fr", "Title=bonjour", "Language=fr", "Content=la fin "+strings.Repeat("w", 1_000_000)), page("ja", "Title=日本語"), page("de", "Title=Wort", "Language=de"))
	l.finds("日本", "ja")
	l.finds("fin", "fr")
	l.finds(strings.Repeat("w", 1_000_000)+" bonjour", "fr")
	l.finds(strings.Repeat("日本", 200_000), "ja")
}
