package words_test

import (
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/search/words"
)

func TestTags(t *testing.T) {
	for tag, want := range map[string]string{
		"de-CH": "de", "DE": "de", "de_AT": "de", " sv ": "sv", "nb-NO": "no", "nn": "no", "pt-BR": "pt", "deu": "de", "German": "de", "Deutsch": "de",
		"Norwegian Bokmål": "no", "français": "fr", "Français (Suisse)": "fr", "ESPAÑOL": "es", "Dutch": "nl", "suomi": "fi", "Polish": "pl",
		"": "xx", "xx": "xx", "klingon": "xx", "-": "xx", "\xff": "xx", "el": "xx",
	} {
		if got := words.Of(tag); got != want {
			t.Errorf("Of(%q) is %q, want %q", tag, got, want)
		}
	}
}

// terms returns the terms of a text in one string.
func terms(r *words.Reader, language, text string) string {
	var all []string
	text = words.Lower(text)
	for start, end := range words.Each(text) {
		found, _ := r.Terms(language, text[start:end])
		all = append(all, found...)
	}
	return strings.Join(all, " ")
}

// TestFormsFindEachOther holds the words of a line against the first of them.
func TestFormsFindEachOther(t *testing.T) {
	r := words.NewReader()
	for language, lines := range map[string][]string{
		"en": {"library libraries", "opening opened", "Müller Müller's Müller’s", "cafe café", "o'brien o’brien obrien"},
		"de": {"Haus Häuser Haeuser Hauses", "Straße Strasse straßen STRASSEN", "München Muenchen Munchen", "Tür Türen Tueren", "Müller's Mueller",
			"Größe groesse grösse", "Café Cafe", "übung uebung"},
		"da": {"bog bogen", "Århus Aarhus århus", "smørrebrød smoerrebroed smörrebröd", "kirke kirken kirker", "skole skolen skoler skolerne", "ægteskab aegteskab"},
		"no": {"skole skolen skoler skolene", "gård gaard gården", "kjøre kjoere", "Ålesund Aalesund"},
		"sv": {"skola skolan skolor skolorna", "Malmö Malmoe Malmø", "gård gaard gården gårdar", "tidning tidningar", "hus huset husen", "budget budgeten", "universitet universitetet"},
		"fi": {"kirja kirjan kirjat kirjoja kirjassa", "talo talot talossa taloja", "päivä päivät päivän päivässä"},
		"nl": {"boek boeken", "huis huizen", "opleiding opleidingen", "coördinatie coordinatie", "foto's foto’s foto", "België Belgie"},
		"fr": {"cheval chevaux", "école écoles l'école l’école d'école ecole", "amitié l'amitié amitie", "troisième troisieme", "bibliothèque bibliothèques"},
		"it": {"libro libri", "orario orari", "casa case", "città citta", "Italia d'Italia d’Italia", "università universita dell'università", "biblioteca biblioteche"},
		"es": {"casa casas", "libro libros", "hora horas", "canción canciones cancion", "año años ano", "luz luces", "niño niños", "mes meses", "biblioteca bibliotecas"},
		"pt": {"casa casas", "livro livros", "estação estações estacao", "animal animais", "avião aviões", "biblioteca bibliotecas", "jardim jardins", "água d'água"},
		"pl": {"książka książki książkę książek", "szkoła szkoły szkole szkół", "biblioteka biblioteki bibliotece", "miasto miasta miastem"},
		"xx": {"Québec Quebec", "L'amitié amitie", "Ελλάδα ελλαδα", "ёлка елка", "ﬁnal final", "ＡＢＣ abc"},
	} {
		for _, line := range lines {
			forms := strings.Fields(line)
			want := terms(r, language, forms[0])
			for _, form := range forms[1:] {
				if got := terms(r, language, form); got != want {
					t.Errorf("%s: %q has the terms %q, %q has %q", language, form, got, forms[0], want)
				}
			}
		}
	}
}

// TestOtherWordsStayApart: letters that tell words apart, and substitutes that are none.
func TestOtherWordsStayApart(t *testing.T) {
	r := words.NewReader()
	for language, lines := range map[string][]string{
		"sv": {"boende bonde bönde", "tåg tag", "lån lan", "råd rad", "höst host"},
		"da": {"boende bønder", "år ar", "kø ko"},
		"no": {"boende bønder", "mål mal", "før for"},
		"fi": {"talli tälli", "hän han"},
		"de": {"Bauer Bur", "neue Nu", "Boeing Bing", "Poet Pete"},
	} {
		for _, line := range lines {
			var all []string
			for _, form := range strings.Fields(line) {
				all = append(all, terms(r, language, form))
			}
			if slices.Sort(all); len(slices.Compact(all)) != len(strings.Fields(line)) {
				t.Errorf("%s: the terms of %q are %q", language, line, all)
			}
		}
	}
}

func TestStopWords(t *testing.T) {
	r := words.NewReader()
	for language, word := range map[string]string{"en": "the", "de": "über", "fr": "à", "pl": "jest", "en-GB": "", "xx": ""} {
		got, stop := r.Terms(language, word)
		if stop != (word != "") || word != "" && !slices.Equal(got, []string{word}) {
			t.Errorf("Terms(%q, %q) are %q, %v", language, word, got, stop)
		}
	}
	if got, stop := r.Terms("fr", words.Lower("l’ami")); stop || len(got) != 1 {
		t.Errorf("l’ami: %q, %v", got, stop)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("de", "Die Straße, l’amitié d'Italia — Müller's")
	f.Add("pl", "książkami najniebezpieczniejszych")
	f.Add("fi", strings.Repeat("äiti", 200))
	f.Add("xx", "図書館は\xff月曜日を")
	f.Add("", "\u0301\u0301")
	r := words.NewReader()
	f.Fuzz(func(t *testing.T, tag, text string) {
		text = words.Normal(text)
		for _, one := range []string{words.Of(tag), tag, "da", "fi", "fr", "it", "nl", "pl", "pt"} {
			last := 0
			for start, end := range words.Each(text) {
				if start < last || end <= start || end > len(text) {
					t.Fatalf("a word from %d to %d after %d", start, end, last)
				}
				last = end
				word := words.Lower(text[start:end])
				first, stop := r.Terms(one, word)
				for _, term := range first {
					if term == "" || len(term) > words.MaxTerm {
						t.Errorf("%q has the term %q", word, term)
					}
				}
				if again, same := r.Terms(one, word); same != stop || !slices.Equal(first, again) {
					t.Errorf("%q has the terms %q, then %q", word, first, again)
				}
			}
			_, _ = r.Terms(one, text)
		}
	})
}
