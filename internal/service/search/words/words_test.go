package words_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/search/words"
)

func TestTags(t *testing.T) {
	for tag, want := range map[string]string{
		"de-CH": "de", "DE": "de", "de_AT": "de", " sv ": "sv", "nb-NO": "no", "nn": "no", "pt-BR": "pt", "deu": "de", "German": "de", "Deutsch": "de",
		"Norwegian Bokmål": "no", "français": "fr", "Français (Suisse)": "fr", "ESPAÑOL": "es", "Dutch": "nl", "suomi": "fi",
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
	for language, line := range map[string]string{
		"en": "library libraries", "de": "Häuser Haus Haeuser Hauses", "da": "kirke kirken kirker", "no": "skole skolen skoler",
		"sv": "tidning tidningar", "fi": "talo talot talossa taloja", "nl": "boek boeken", "fr": "école écoles l'école l’école ecole",
		"it": "biblioteca biblioteche", "es": "canción canciones cancion", "pt": "livro livros", "xx": "Québec Quebec",
	} {
		forms := strings.Fields(line)
		want := terms(r, language, forms[0])
		for _, form := range forms[1:] {
			if got := terms(r, language, form); got != want {
				t.Errorf("%s: %q has the terms %q, %q has %q", language, form, got, forms[0], want)
			}
		}
	}
}

func TestStopWords(t *testing.T) {
	r := words.NewReader()
	for language, word := range map[string]string{"en": "the", "de": "über", "fr": "à", "xx": ""} {
		got, stop := r.Terms(language, cmp.Or(word, "the"))
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
	f.Add("fi", strings.Repeat("äiti", 200))
	f.Add("xx", "図書館は\xff月曜日を")
	f.Add("", "\u0301\u0301")
	r := words.NewReader()
	f.Fuzz(func(t *testing.T, tag, text string) {
		text = words.Normal(text)
		for _, one := range []string{words.Of(tag), tag, "da", "fi", "fr", "it", "nl", "pt"} {
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
