package service

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compoundPages are pages of a town, by ID, and compoundQueries what is asked of them, with
// the pages that answer it.
func compoundPages() map[string]string {
	return map[string]string{
		"kranken":   "Krankenversicherung | Jeder Einwohner braucht eine Krankenversicherung. Melden Sie sich bei der Kasse an.",
		"unfall":    "Unfallversicherung für Angestellte | Wer arbeitet, ist gegen Unfälle versichert. Die Prämie bezahlt der Betrieb.",
		"police":    "Versicherung wechseln | Eine Versicherung kann man jedes Jahr kündigen. Die Frist steht im Vertrag.",
		"ferien":    "Ferien der Schule | Die Ferien beginnen im Juli. Der Unterricht fällt in dieser Zeit aus.",
		"plan":      "Ferienplan | Alle freien Tage des Jahres in einer Liste zum Ausdrucken.",
		"schule":    "Schule am See | Unsere Schule hat acht Klassen und einen Garten.",
		"haustuer":  "Neue Haustüren | Eine alte Haustür lässt viel Wärme hinaus. Die Gemeinde zahlt einen Beitrag.",
		"haus":      "Haus kaufen | Wer ein Haus kauft, zahlt eine Steuer.",
		"parkplatz": "Parkplätze im Zentrum | Ein Parkplatz kostet einen Franken je Stunde.",
		"spielen":   "Spielplatz am Bach | Der Spielplatz hat eine Rutsche und eine Schaukel. Er liegt im Park am Platz der Linden.",
		"park":      "Der Park | Im Park stehen alte Bäume.",
		"rat":       "Gemeinderat | Der Gemeinderat tagt am Montag.",
		"literatur": "Literatur und Format | In der Literatur gibt es kein Format für alles. Der Apparat der Heirat ist ein Vorrat.",
		"wasser":    "Trinkwasser | Das Trinkwasser kommt aus dem Berg und ist weich.",
		"muell":     "Müllabfuhr | Die Abfuhr holt den Müll am Dienstag.",
		"antwort":   "Antworten | Wir geben Antwort auf Ihre Fragen.",
		"ort":       "Standorte | Unser Standort am Bahnhof hat neue Zeiten.",
		"bahn":      "Bahnhof | Der Bahnhof wird umgebaut. Am Stand gibt es Kaffee.",
		"reisen":    "Reisende | Wer auf eine Reise geht, kauft hier ein. Reisende mit Koffern nehmen den Lift.",
		"ende":      "Wochenende | Am Wochenende ist das Bad offen. Jede Woche gibt es Kurse.",
	}
}

var compoundQueries = map[string]string{
	"Versicherung": "kranken police unfall", "Schulferien": "ferien", "Tür": "haustuer", "Türen": "haustuer", "Haustür": "haustuer", "Haus": "haus", "Platz": "parkplatz spielen",
	"Parkplatz": "parkplatz spielen", "Rat": "rat", "Gemeinderat": "rat", "Wasser": "wasser", "Abfuhr": "muell", "Müllabfuhr": "muell", "Ort": "ort", "Plan": "plan", "Ende": "ende",
	"Bahnhof": "bahn ort", "Park": "park spielen", "Krankenversicherungen": "kranken", "Antwort": "antwort",
}

func TestCompounds(t *testing.T) {
	l := open(t, Options{})
	var pages []string
	for id, text := range compoundPages() {
		title, body, _ := strings.Cut(text, " | ")
		pages = append(pages, page(id, "Title="+title, "Content="+body, "Language=de"))
	}
	l.put(testCrawler, pages...)
	l.put(testCrawler, page("da", "Title=Sygeforsikring", "Language=da"), page("sv", "Title=Sjukförsäkringar", "Language=sv"), page("no", "Title=Barnehageplasser", "Content=Barnehage", "Language=no"),
		page("nl", "Title=Zorgverzekering", "Language=nl"), page("fi", "Title=Kirjastokortit", "Content=Kirjasto antaa sinulle kortin.", "Language=fi"), page("ferie", "Title=Skolens ferie", "Language=da"), page("en", "Title=Password", "Content=pass", "Language=en"))
	for query, want := range map[string]string{"forsikring": "da", "försäkring": "sv", "plass": "no", "verzekeringen": "nl", "kortti": "fi", "word": "wort", "skoleferie": "ferie"} {
		l.finds(query, strings.TrimPrefix(want, "wort"))
	}
	found, right, wanted := 0, 0, 0
	for query, want := range compoundQueries {
		got := strings.Fields(l.search(query).ids())
		for _, id := range got {
			found++
			if slices.Contains(strings.Fields(want), id) {
				right++
			}
		}
		wanted += len(strings.Fields(want))
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: want %q, got %q", query, want, got)
		}
	}
	t.Logf("%d of %d pages found are right, and %d were wanted", right, found, wanted)
	if got := l.search("Versicherung").ids(); !strings.HasPrefix(got, "police ") {
		t.Errorf("want the word itself before compounds, got %q", got)
	}
}

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
