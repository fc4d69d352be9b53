package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// An opened is an index with documents, by their IDs.
type opened struct {
	*Index
	t    testing.TB
	docs map[Key]Document
}

func open(t testing.TB, dir string) *opened {
	x, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{x, t, map[Key]Document{}}
	t.Cleanup(func() { _ = o.Index.Close() })
	return o
}

// put writes documents in one batch, given as ID|Title|Content|Language.
func (o *opened) put(all ...string) {
	o.t.Helper()
	var docs []Document
	for _, one := range all {
		p := strings.Split(one+"|||", "|")
		doc := Document{Key: Key{"c", p[0]}, Language: p[3], Fields: map[string]string{"Title": p[1], "Content": p[2]}}
		docs, o.docs[doc.Key] = append(docs, doc), doc
	}
	if err := o.Write(o.t.Context(), docs, nil, "m"); err != nil {
		o.t.Fatal(err)
	}
}

func (o *opened) texts(_ context.Context, keys []Key, visit func(Key, []string)) error {
	for _, key := range keys {
		visit(key, []string{o.docs[key].Fields["Title"], o.docs[key].Fields["Content"]})
	}
	return nil
}

func (o *opened) find(q Query) Result {
	o.t.Helper()
	q.Size, q.Texts = max(q.Size, 100), o.texts
	found, err := o.Search(o.t.Context(), q)
	if err != nil {
		o.t.Fatal(err)
	}
	return found
}

func ids(keys []Key) string {
	var all []string
	for _, key := range keys {
		all = append(all, key.ID)
	}
	return strings.Join(all, " ")
}

// TestSyntax: phrases stand as they are typed, and what has a minus must not be there.
func TestSyntax(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("a|Opening hours|The library is open all day|en", "b|Hours|of opening it|en", "c|Open hour|closed|en", "d|The New York office|||en", "e|A new office in York||en", "f|Être ou ne pas être|l’heure d’été 東京タワーの営業時間|fr", "g|The Who|A band|en")
	for text, want := range map[string]string{
		`opening hours`:      "a b c",
		`"opening hours"`:    "a",
		`“opening hours”`:    "a",
		`„OPENING hours“`:    "a",
		`"hours opening"`:    "",
		`"hours" opening`:    "a b",
		`hours -library`:     "b c",
		`hours -libraries`:   "b c",
		`-hours`:             "d e f g",
		`* -york -hour`:      "f g",
		`office -"new york"`: "e",
		`"new york" -office`: "",
		`"the who"`:          "g",
		`"who the"`:          "",
		`band -"the who"`:    "",
		`- office`:           "d e",
		`new-york`:           "d e",
		`"new york`:          "d e", // still being typed
		`"" office`:          "d e",
		`"the new york"`:     "d",
		`"ne pas être"`:      "f",
		`"l'heure d'été"`:    "f",
		`"東京タワー"`:            "f",
		`"`:                  "",
		`-`:                  "",
	} {
		found := o.find(Query{Text: text})
		got := strings.Fields(ids(found.Hits))
		slices.Sort(got)
		if strings.Join(got, " ") != want || found.Total != len(got) {
			t.Errorf("%s: want %q, got %q of %d", text, want, got, found.Total)
		}
	}
}

// TestStopWords: titles of nothing but stop words are found; elsewhere stop words find
// nothing, but tell titles apart.
func TestStopWords(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("it|IT|services for staff|en", "who|The Who|A band|en", "be|To be or not to be|A soliloquy|en", "other|Services|it is what the staff of it want to be|en", "it2|IT services||en")
	for text, want := range map[string]string{"IT": "it it2", "the who": "who", "to be or not to be": "be", `"to be or not to be"`: "be", `"who the"`: "", "IT services": "it2 other it", "services": "it2 other it"} {
		if got := ids(o.find(Query{Text: text}).Hits); got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
	if got := ids(o.find(Query{Text: "it staff", All: true}).Hits); got != "it other" && got != "other it" {
		t.Errorf("a stop word need not be there, got %q", got)
	}
	if done, err := o.Complete(t.Context(), Query{Text: "the who", Size: 10}, 5); err != nil || ids(done.Hits) != "who" || len(done.Texts) > 0 {
		t.Errorf("small words that are there are not corrected, got %v, %v", done, err)
	}
}

// TestTypingErrors: any word of a query may be mistyped, or be the beginning of one; what has
// the words as typed stands first.
func TestTypingErrors(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("zebra|Zebra crossing|for pedestrians|en", "road|Road|crossing and rosing|en", "cebra|Cebra||en", "form|Application form||en", "from|Application from abroad|abroad|en", "text|Reports|The municipal swimming bath|en")
	for text, want := range map[string][2]string{
		"zebar crossing":     {"zebra road", "zebra crossing"},
		"zebra crosing":      {"zebra road", "zebra crossing"},
		"zbra":               {"zebra", "zebra"},
		"zebra":              {"zebra", ""}, // cebra is near, but not asked for
		"cebra":              {"cebra", ""},
		"municpal swiming":   {"text", "municipal swimming"},
		"municipal swim":     {"text", ""},
		"munici":             {"text", "municipal"},
		"application fromm":  {"form from", ""},
		"qqqqqqqqqq":         {"", ""},
		"pedestrains zebraa": {"zebra cebra", "pedestrians zebra"},
	} {
		found := o.find(Query{Text: text})
		if ids(found.Hits) != want[0] || found.Fixed != want[1] {
			t.Errorf("%s: want %q, got %q and %q", text, want, ids(found.Hits), found.Fixed)
		}
		if text == "zebar crossing" && found.Typed != 2 || text == "zbra" && found.Typed != 0 {
			t.Errorf("%s: %d documents have words as typed", text, found.Typed)
		}
	}
	for text, want := range map[string]string{"zeb": "zebra", "zebra cro": "zebra", "zbera cros": "zebra", "municipla swimm": "text", "swimmign ba": "text"} {
		done, err := o.Complete(t.Context(), Query{Text: text, Size: 10}, 5)
		if err != nil || ids(done.Hits) != want {
			t.Errorf("completing %s: want %q, got %q, %v", text, want, ids(done.Hits), err)
		}
	}
	done, err := o.Complete(t.Context(), Query{Text: "munici -cros", Size: 10}, 5)
	if err != nil || !slices.Equal(done.Texts, []string{"municipal"}) {
		t.Errorf("a word with a minus is completed: %q, %v", done.Texts, err)
	}
}

// TestTypingErrorsWithin: words that only other documents have than those that a search is
// about are typing errors, too.
func TestTypingErrorsWithin(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("zebra|Zebra||en", "road|Road crossing||en", "zebar|Zebar||en")
	for text, want := range map[string]string{"zebar": "zebra|zebra", "zebar crossing": "zebra road|"} {
		got := o.find(Query{Text: text, Without: []string{"zebar"}})
		have := strings.Fields(ids(got.Hits))
		slices.Sort(have)
		slices.Reverse(have)
		if have := strings.Join(have, " ") + "|" + map[bool]string{true: got.Fixed}[got.Typed == 0]; have != want {
			t.Errorf("%s: want %q, got %q", text, want, have)
		}
	}
}

// TestExactFirst: where a document has all words as typed, none is found for near ones; else
// those that have more of them nearly stand first.
func TestExactFirst(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("near|Martin Martin|martin martin martin|en", "both|Martin house||en", "house|Notes|a house|en")
	if got := ids(o.find(Query{Text: "marten house"}).Hits); got != "both near house" {
		t.Errorf("no document has both words as typed, got %q", got)
	}
	o.put("whole|Notes|" + strings.Repeat("filler ", 300) + "marten " + strings.Repeat("filler ", 300) + "house|en")
	for text, want := range map[string]string{"marten": "whole", "marten house": "whole both house"} {
		got := strings.Fields(ids(o.find(Query{Text: text}).Hits))
		slices.Sort(got)
		if strings.Join(got, " ") != strings.Join(slices.Sorted(slices.Values(strings.Fields(want))), " ") {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
}

// TestRanking: of documents that have a word as often the shorter one stands first, and of
// thousands that are alike the one whose ID does.
func TestRanking(t *testing.T) {
	o := open(t, t.TempDir())
	all := []string{"a|Notes|a zebra among many other animals of the plains|en", "b|Notes|a zebra|en"}
	for i := range 1200 {
		all = append(all, fmt.Sprintf("%04d|Roads||en", i*7%1200))
	}
	o.put(all...)
	if got := ids(o.find(Query{Text: "zebra"}).Hits); got != "b a" {
		t.Errorf("zebra finds %s", got)
	}
	for _, q := range []Query{{Text: "roads"}, {Text: "*"}, {Text: "roads", Sort: []Order{{Field: "Title"}}}} {
		q.From, q.Size = 1010, 100
		if got := ids(o.find(q).Hits); !strings.HasPrefix(got, "1010 1011 1012 ") {
			t.Errorf("%v finds %s", q, got)
		}
	}
}

// TestBounds: what is looked at for one search is bounded, however many documents there are.
func TestBounds(t *testing.T) {
	words := open(t, t.TempDir())
	var many strings.Builder
	for i := range 1000 {
		many.WriteString(strings.Map(func(c rune) rune { return c - '0' + 'a' }, fmt.Sprintf("%07d", i)) + " ")
	}
	words.put("many||" + many.String() + "|en")
	v, err := words.view()
	if err != nil {
		t.Fatal(err)
	}
	defer words.release(v)
	if ends, total, err := v.beginning("en", "aaaaa", maxEnds); len(ends) != maxEnds || total != 100 || err != nil {
		t.Errorf("%d of %d words begin with aaaaa, %v", len(ends), total, err)
	}
	if got, err := v.near("en", "aaaabbb"); len(got) != maxNear || err != nil {
		t.Errorf("%d near words, %v", len(got), err)
	}

	o := open(t, t.TempDir())
	o.put("a|one two two||en", "b|one two||en", "c|one two||en")
	o.phrases = 2
	if got := ids(o.find(Query{Text: `"one two"`}).Hits); len(strings.Fields(got)) != 2 {
		t.Errorf("a phrase is found in %s", got)
	}
}

// FuzzQuery: any text is answered, within its bounds, and marks no other text.
func FuzzQuery(f *testing.F) {
	o := open(f, f.TempDir())
	o.put("a|Zebra crossing|by the road|en", "b|Straßenbahn|Die Bahn fährt|de", "c|日本語|テキスト|", "d|42 is 4.2|x1|")
	for _, text := range []string{`zebra "by the road" -bahn`, `-"die bahn"`, "Strassenbhan", "日本", "«»“”„", "--- \"", "the", strings.Repeat("a ", 300), "\xff -\xff"} {
		f.Add(text, true, false)
	}
	f.Fuzz(func(t *testing.T, text string, all, begin bool) {
		if len(text) > 2000 {
			return
		}
		a := parse(text)
		if len(a.words) > maxQueryWords || len(a.without) > maxQueryWords || slices.ContainsFunc(a.words, func(word string) bool { return word == "" }) {
			t.Fatalf("%q is read as %v", text, a)
		}
		found, err := o.Search(t.Context(), Query{Text: text, All: all, begin: begin, Size: 10, Texts: o.texts})
		if err != nil || found.Total > 4 || len(found.Hits) != found.Total || found.Typed > found.Total {
			t.Fatalf("%q: %v, %v", text, found, err)
		}
		for _, hit := range found.Hits {
			for _, marked := range found.Marker.Mark("", o.docs[hit].Fields["Title"]) {
				if !utf8.ValidString(marked) || !strings.Contains(marked, "<b>") {
					t.Fatalf("%q marks %q", text, marked)
				}
			}
		}
	})
}
