package service

import (
	"strconv"
	"testing"
)

func TestCompoundsAreBounded(t *testing.T) {
	l := open(t, Options{})
	var pages []string
	for n := range 100 {
		pages = append(pages, page(strconv.Itoa(n), "Title=Haus"+string(rune('a'+n%26))+string(rune('a'+n/26))+"versicherung", "Language=de"))
	}
	l.put(testCrawler, pages...)
	if got := l.search("Versicherung").TotalDocument; got != 60 {
		t.Errorf("want the pages of 60 compounds, got %d", got)
	}
}
