package service

import (
	"strings"
	"testing"
)

// A document's language may be written out, too: its words find each other, synonyms reach it,
// and the words found are marked.
func TestSearchKnowsLanguages(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler,
		page("tag", "Title=Angebote", "Content=Alte Häuser", "Language=de-CH"), page("named", "Title=Alte Häuser", "Language=German"), page("self", "Title=Alte Häuser", "Language=Deutsch"),
		page("french", "Title=Nos chevaux", "Language=fr"))
	for query, want := range map[string]string{"Haus": "named self tag", "Haeuser": "named self tag", "cheval": "french"} {
		l.finds(query, want)
	}
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["Gebäude","Haus"],"language":"de"}`)
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["poney","cheval"],"language":"fr"}`)
	l.finds("Gebäude", "named self tag")
	l.finds("poney", "french")
	found := l.search(`{"query":"haus","fields":["Content"]}`)
	for _, result := range found.TypedDocuments {
		if marked := strings.Join(result.Fields["Content"].Highlights, ""); result.ID == "tag" && !strings.Contains(marked, "<b>Häuser</b>") {
			t.Errorf("want the word found marked, got %q", marked)
		}
	}
}
