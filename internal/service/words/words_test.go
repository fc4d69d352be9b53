package words_test

import (
	"cmp"
	"strings"
	"testing"

	"sitesync/internal/service/words"
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
		all = append(all, r.Read(language, text[start:end]).Term)
	}
	return strings.Join(all, " ")
}

// TestFormsFindEachOther holds the words of a line against the first of them.
func TestFormsFindEachOther(t *testing.T) {
	r := words.NewReader()
	for language, line := range map[string]string{
		"en": "library libraries library's", "de": "Häuser Haus Hauses", "da": "kirke kirken kirker", "no": "skole skolen skoler",
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
		if got := r.Read(language, cmp.Or(word, "the")); got.Stop != (word != "") || got.Exact == "" {
			t.Errorf("Read(%q, %q) is %+v", language, word, got)
		}
	}
}

// TestRuns: words that may be written as one stand together; letters of scripts without spaces
// and emoji stand alone.
func TestRuns(t *testing.T) {
	for text, want := range map[string]string{
		"the e-mail of AB-1234": "the|e-mail|of|AB-1234", "33 92 52 00 call": "33-92-52-00|call", "33.92.52.00": "33-92-52-00", "in 2024 we": "in|2024|we",
		"1234567 8901234": "1234567|8901234", "a-b-c-d-e-f-g": "a-b-c-d-e-f|g", "東京タワー🚲 go": "東|京|タワー|🚲|go", "a - b": "a|b", "soft\u00adware": "soft-ware",
	} {
		var got []string
		for run := range words.Runs(text) {
			got = append(got, strings.Join(run, "-"))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has the runs %q, want %q", text, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("de", "Die Straße, l’amitié d'Italia — Müller's")
	f.Add("fi", strings.Repeat("äiti", 200))
	f.Add("xx", "図書館は\xff月曜日を")
	f.Add("", "\u0301\u0301")
	f.Add("ar", "\ufdfa \u00bd") // which are several words in one letter
	r := words.NewReader()
	f.Fuzz(func(t *testing.T, tag, text string) {
		text = words.Normal(text)
		for _, one := range []string{words.Of(tag), "da", "fi", "fr", "it", "nl", "pt"} {
			last := 0
			for start, end := range words.Each(text) {
				if start < last || end <= start || end > len(text) {
					t.Fatalf("a word from %d to %d after %d", start, end, last)
				}
				last = end
				word := words.Lower(text[start:end])
				first := r.Read(one, word)
				if len(first.Exact) > words.MaxTerm || strings.ContainsAny(first.Exact+first.Term, " \"~") {
					t.Errorf("%q is %+v", word, first)
				}
				if again := r.Read(one, word); again != first {
					t.Errorf("%q is %+v, then %+v", word, first, again)
				}
			}
			_ = r.Read(one, text)
		}
	})
}
