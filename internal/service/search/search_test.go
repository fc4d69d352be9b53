package search

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sitesync/internal/service/store"
	"sitesync/internal/wire"
)

const customer = 5

// An opened is a store with documents, by their IDs.
type opened struct {
	*store.Store
	t    testing.TB
	docs map[store.Key]map[string]string
}

func open(t testing.TB, dir string) *opened {
	s, err := store.Open(filepath.Join(dir, "service.db"))
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{s, t, map[store.Key]map[string]string{}}
	t.Cleanup(func() { _ = s.Close() })
	return o
}

// put writes documents in one batch, given as ID|Title|Content|Language.
func (o *opened) put(all ...string) {
	o.t.Helper()
	var changes []store.Change
	for _, one := range all {
		p := strings.Split(one+"|||", "|")
		doc := wire.Document{ID: p[0], Fields: map[string]json.RawMessage{}}
		o.docs[store.Key{Crawler: "c", ID: p[0]}] = map[string]string{"Title": p[1], "Content": p[2]}
		for i, name := range []string{"Title", "Content", "Language"} {
			doc.Fields[name], _ = json.Marshal(p[i+1])
		}
		changes = append(changes, store.Change{Document: doc})
	}
	if err := o.Write(customer, "c", changes); err != nil {
		o.t.Fatal(err)
	}
}

func (o *opened) find(q Query) Result {
	o.t.Helper()
	q.Size = max(q.Size, 100)
	found, err := Search(o.t.Context(), o.Store, customer, q)
	if err != nil {
		o.t.Fatal(err)
	}
	return found
}

func ids(keys []store.Key) string {
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
		`opening hours`:             "a b c",
		`"opening hours"`:           "a",
		`“opening hours”`:           "a",
		`„OPENING hours“`:           "a",
		`"hours opening"`:           "",
		`"hours" opening`:           "a b",
		`hours -library`:            "b c",
		`hours -libraries`:          "b c",
		`-hours`:                    "d e f g",
		`* -york -hour`:             "f g",
		`office -"new york"`:        "e",
		`"new york" -office`:        "",
		`"the who"`:                 "g",
		`"who the"`:                 "",
		`band -"the who"`:           "",
		`- office`:                  "d e",
		`new-york`:                  "d e",
		`"new york`:                 "d e", // still being typed
		`"" office`:                 "d e",
		`"the new york"`:            "d",
		`"ne pas être"`:             "f",
		`"l'heure d'été"`:           "f",
		`"東京タワー"`:                   "f",
		`"`:                         "",
		`-`:                         "",
		`hours AND open`:            "a b c",
		`+office +york -new`:        "",
		`office NOT the`:            "e",
		`office AND (band OR york)`: "d e",
		`(office OR band) AND new`:  "d e",
		`title:office content:day`:  "a d e",
		`title:"opening hours"`:     "a",
		`descr:office`:              "d e",
		`hours Language:en`:         "a b c",
		`hours -Language:en`:        "",
		`Language:fr`:               "f",
		`office language:fr`:        "d e",
		`lib*`:                      "a",
		`band) york ((`:             "d e g",
		`york^2 office~`:            "d e",
		`band AND`:                  "g",
		`OR`:                        "",
		`"opening hours" OR band`:   "a g",
	} {
		found := o.find(Query{Text: text})
		got := strings.Fields(ids(found.Hits))
		slices.Sort(got)
		if strings.Join(got, " ") != want || found.Total != len(got) {
			t.Errorf("%s: want %q, got %q of %d", text, want, got, found.Total)
		}
	}
}

// TestJoined: what is written as one or with a hyphen finds each other, groups of digits too;
// emoji are words.
func TestJoined(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("part|Part AB-1234|e-mail us|en", "one|Part AB1234|email us|en", "call|Call 33 92 52 00|today 🚲|en", "number|Call 33925200|🚲 & 🛴|de", "other|1234 AB|33 92|en")
	for text, want := range map[string]string{
		"ab1234": "one part", "AB-1234": "one other part", "e-mail": "one part", "email": "one part", "33925200": "call number", "33 92 52 00": "call number",
		"33.92.52.00": "call number", "🚲": "call number", "+🛴": "number",
	} {
		got := strings.Fields(ids(o.find(Query{Text: text, All: true}).Hits))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
	if notes := o.find(Query{Text: "email^3"}).Notes; len(notes) != 1 || !strings.Contains(notes[0], "email^3") {
		t.Errorf("notes: %q", notes)
	}
}

// TestStopWords: titles of nothing but stop words are found; elsewhere stop words find
// nothing, but tell titles apart.
func TestStopWords(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("it|IT|services for staff|en", "who|The Who|A band|en", "be|To be or not to be|A soliloquy|en", "other|Services|it is what the staff of it want to be|en", "it2|IT services||en")
	for text, want := range map[string]string{"IT": "it2 it", "the who": "who", "to be or not to be": "be", `"to be or not to be"`: "be", `"who the"`: "", "IT services": "it2 other it", "services": "it2 other it"} {
		if got := ids(o.find(Query{Text: text}).Hits); got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
	if got := ids(o.find(Query{Text: "it staff", All: true}).Hits); got != "it other" && got != "other it" {
		t.Errorf("a stop word need not be there, got %q", got)
	}
	if done, err := Search(t.Context(), o.Store, customer, Query{Text: "the who", All: true, Size: 10, Completions: 5}); err != nil || ids(done.Hits) != "who" || len(done.Texts) > 0 {
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
		"pedestrains zebraa": {"zebra", "pedestrians zebra"},
	} {
		found := o.find(Query{Text: text})
		if ids(found.Hits) != want[0] || found.Fixed != want[1] {
			t.Errorf("%s: want %q, got %q and %q", text, want, ids(found.Hits), found.Fixed)
		}
		if text == "zebar crossing" && !found.Typed || text == "zbra" && found.Typed {
			t.Errorf("%s: has words as typed: %v", text, found.Typed)
		}
	}
	for text, want := range map[string]string{"zeb": "zebra", "zebra cro": "zebra", "zbera cros": "zebra", "municipla swimm": "text", "swimmign ba": "text"} {
		done, err := Search(t.Context(), o.Store, customer, Query{Text: text, All: true, Size: 10, Completions: 5})
		if err != nil || ids(done.Hits) != want {
			t.Errorf("completing %s: want %q, got %q, %v", text, want, ids(done.Hits), err)
		}
	}
	done, err := Search(t.Context(), o.Store, customer, Query{Text: "munici -cros", All: true, Size: 10, Completions: 5})
	if err != nil || !slices.Equal(done.Texts, []string{"municipal"}) {
		t.Errorf("a word with a minus is completed: %q, %v", done.Texts, err)
	}
}

// TestCompounds: a word that no document has finds the two that it is made of.
func TestCompounds(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("a|Der Platz am Rathaus||de", "b|Das Rathaus||de", "c|Ämter für Arbeit||de", "d|Pladsen ved rådhuset||da", "e|Pladsen||da")
	for text, want := range map[string]string{"Rathausplatz": "a", "Arbeitsämter": "c", "Rådhuspladsen": "d", "Rathausbau": ""} {
		if got := ids(o.find(Query{Text: text}).Hits); got != want {
			t.Errorf("%s: want %q, got %q", text, want, got)
		}
	}
	if fixed := o.find(Query{Text: "alter Rathausplatz"}).Fixed; fixed != "alter rathaus platz" {
		t.Errorf("searched for %q", fixed)
	}
}

// TestTypingErrorsWithin: words that only other documents have than those that a search is
// about are typing errors, too.
func TestTypingErrorsWithin(t *testing.T) {
	o := open(t, t.TempDir())
	o.put("zebra|Zebra||en", "road|Road crossing||en", "zebar|Zebar||en")
	for text, want := range map[string]string{"zebar": "zebra|zebra", "zebar crossing": "zebra road|"} {
		got := o.find(Query{Text: text, NotFilters: []Condition{Named(customer, []string{"zebar"})}})
		have := strings.Fields(ids(got.Hits))
		slices.Sort(have)
		slices.Reverse(have)
		if have := strings.Join(have, " ") + "|" + map[bool]string{false: got.Fixed}[got.Typed]; have != want {
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
	o := open(t, t.TempDir())
	var many strings.Builder
	for i := range 1000 {
		many.WriteString(strings.Map(func(c rune) rune { return c - '0' + 'a' }, fmt.Sprintf("%07d", i)) + " ")
	}
	o.put("many||" + many.String() + "|en")
	err := o.View(t.Context(), func(tx *store.Tx) error {
		s := &scan{store: o.Store, tx: tx, customer: customer, languages: []string{"en"}}
		if ends := s.beginning("aaaaa", maxSearchedCompletions); len(ends) != maxSearchedCompletions {
			t.Errorf("%d words begin with aaaaa", len(ends))
		}
		all := s.near("aaaabbb")
		if got := s.present(all, 1); len(all) <= maxWordCorrections || len(got) != maxWordCorrections {
			t.Errorf("%d of %d near words are there", len(got), len(all))
		}
		return s.err
	})
	if err != nil {
		t.Error(err)
	}
	if n := len(typed((&parser{unparsed: parts.FindAllString(strings.Repeat("a ", 300), -1), wordsLeft: maxQueryWords}).clauses(0))); n != maxQueryWords {
		t.Errorf("%d words of a text are read", n)
	}
}

// FuzzQuery: any text is answered, within its bounds, and marks no other text.
func FuzzQuery(f *testing.F) {
	o := open(f, f.TempDir())
	o.put("a|Zebra crossing|by the road|en", "b|Straßenbahn|Die Bahn fährt|de", "c|日本語|テキスト|", "d|42 is 4.2|x1|")
	for _, text := range []string{`zebra "by the road" -bahn`, `-"die bahn"`, "Strassenbhan", "日本", "«»“”„", "--- \"", "the", "0(", "(zebra OR (crossing AND -bahn)) NOT \"by the\"", "title:(zebra) zeb* e-mail 33 92", strings.Repeat("a ", 300), "\xff -\xff"} {
		f.Add(text, true, uint8(0))
	}
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "(+w%d -x%d ", i, i)
	}
	f.Add(many.String(), true, uint8(5))
	f.Add(strings.NewReplacer("(", "", "-", "", "+", "").Replace(many.String()), true, uint8(0))
	f.Fuzz(func(t *testing.T, text string, all bool, completions uint8) {
		if len(text) > 2000 {
			return
		}
		found, err := Search(t.Context(), o.Store, customer, Query{Text: text, All: all, Completions: int(completions), Size: 10})
		if err != nil || found.Total > 4 || len(found.Hits) != found.Total {
			t.Fatalf("%q: %v, %v", text, found, err)
		}
		for _, hit := range found.Hits {
			for _, marked := range found.Marker.Mark("", o.docs[hit]["Title"]) {
				if !utf8.ValidString(marked) || !strings.Contains(marked, "<b>") {
					t.Fatalf("%q marks %q", text, marked)
				}
			}
		}
	})
}
