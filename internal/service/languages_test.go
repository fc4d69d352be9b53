package service

import (
	"strings"
	"testing"
)

// A document that names no language, or writes its name out, is read by the rules of the
// language that its text is in: its words find each other, synonyms reach it, and the
// words found are marked.
func TestSearchDetectsLanguages(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler,
		page("bare", "Title=Angebote", "Content=Wir bauen für Sie alte Häuser um, und das ist nicht so teuer, wie man es sich oft denkt."),
		page("named", "Title=Alte Häuser", "Language=German"), page("self", "Title=Alte Häuser", "Language=Deutsch"),
		page("french", "Title=Nos chevaux", "Description=Les chevaux de la ferme sont dans le pré, et vous pouvez les voir tous les jours."),
		page("finnish", "Content=Kirjat voi lainata neljäksi viikoksi, jos niitä ei ole varattu muille, ja ne on tuotava takaisin.", "Language="),
		page("wrong", "Content=Las canciones antiguas de los pueblos no se cantan en las ciudades, pero hay quien las recuerda.", "Language=klingon"))
	for query, want := range map[string]string{
		"Haus": "bare named self", "Haeuser": "bare named self", "cheval": "french", "kirjassa": "finnish", "canción": "wrong",
	} {
		l.finds(query, want)
	}
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["Gebäude","Haus"],"language":"de"}`)
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["poney","cheval"],"language":"fr"}`)
	l.finds("Gebäude", "bare named self")
	l.finds("poney", "french")
	found := l.search(`{"query":"haus","fields":["Content"]}`)
	for _, result := range found.TypedDocuments {
		if marked := strings.Join(result.Fields["Content"].Highlights, ""); result.ID == "bare" && !strings.Contains(marked, "<b>Häuser</b>") {
			t.Errorf("want the word found marked, got %q", marked)
		}
	}
}

// Letters that tell words apart in a language are found where they can't be typed, after
// the words that are spelled so.
func TestSearchWithoutTheKeyboard(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler,
		page("malmö", "Title=Malmö och Göteborg", "Language=sv"), page("tåg", "Title=Tåg", "Language=sv"), page("tag", "Title=Tag", "Language=sv"),
		page("smörgås", "Title=Räksmörgås", "Language=sv"), page("århus", "Title=Århus", "Language=da"), page("päivä", "Title=Päiväkoti", "Language=fi"), page("łódź", "Title=Łódź", "Language=pl"))
	for query, want := range map[string]string{
		"malmo": "malmö", "Malmoe": "malmö", "goteborg": "malmö", "raksmorgas": "smörgås", "raeksmoergaas": "smörgås", "arhus": "århus", "aarhus": "århus",
		"paivakoti": "päivä", "tag": "tag", "tåg": "tåg", "lodz": "łódź",
	} {
		l.finds(query, want)
	}
}
