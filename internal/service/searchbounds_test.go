package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSearchWithoutIndex: writes are stored while the index can't be made, and found once it
// can.
func TestSearchWithoutIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	l := open(t, Options{Path: path, Search: true})
	l.put(testCrawler, page("a", "Title=first"))
	l.finds("*", "a")
	l.end()
	if err := errors.Join(os.Rename(path+".search", path+".aside"), os.WriteFile(path+".search", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	l = open(t, Options{Path: path, Search: true})
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

// TestSearchLongWords: runs of letters without spaces, in a query or a document, take no
// more time than other text; without a bound this takes minutes.
func TestSearchLongWords(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler, page("fr", "Title=bonjour", "Language=fr", "Content=la fin "+strings.Repeat("w", 1_000_000)), page("ja", "Title=日本語"), page("de", "Title=Wort", "Language=de"))
	l.finds("日本", "ja")
	l.finds("fin", "fr")
	l.finds(strings.Repeat("w", 8000)+" bonjour", "fr")
	l.finds(strings.Repeat("日本", 1300), "ja")
}
