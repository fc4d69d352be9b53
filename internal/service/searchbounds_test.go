package service

import (
	"fmt"
	"strings"
	"testing"
)

// TestSearchDeletedWords: the words of deleted documents are neither completed nor proposed, nor
// is one of a single document proposed among many.
func TestSearchDeletedWords(t *testing.T) {
	l := open(t, Options{})
	docs := []string{page("gone", "Title=zanzibar"), page("other", "Title=zanzicar"), page("another", "Title=zanzicar"), page("once", "Title=quagga")}
	for i := range 20 {
		docs = append(docs, page(fmt.Sprint(i), "Title=zander"))
	}
	l.put(testCrawler, docs...)
	l.finds("zanzibar", "gone")
	l.want(200, "DELETE", documents+"?documentId=gone", "")
	if got := l.want(200, "GET", completePath+"?query=zan", ""); !strings.Contains(got, `"suggestions":["zander","zanzicar"]`) || !strings.Contains(got, `"totalSuggestions":2`) {
		t.Error(got)
	}
	for text, want := range map[string]string{"zanzibr": "zanzicar", "quaga": "", "quag": "quagga"} {
		if got := l.search(text).FixedQuery; got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
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
