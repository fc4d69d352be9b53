package passage

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	long := strings.Repeat("a line of words ", 30)
	tests := []struct {
		name, text string
		limit      int
		want       []string
	}{
		{"English", "Mr. P. Smith, Dr. X sees you on Monday. Bring your card, e.g. Visa! Why? It is 3.50 now.", 400,
			[]string{"Mr. P. Smith, Dr. X sees you on Monday.", "Bring your card, e.g. Visa!", "Why?", "It is 3.50 now."}},
		{"German", "Das Bad ist z. B. Montag bis zum 3. Oktober geschlossen. Kinder bis ca. Zehn zahlen nichts.", 400,
			[]string{"Das Bad ist z. B. Montag bis zum 3. Oktober geschlossen.", "Kinder bis ca. Zehn zahlen nichts."}},
		{"Danish", "Husk bl.a. Pas og kørekort. Vi ligger i Skt. Annæ Gade nr. 4. Åbent hver dag.", 400,
			[]string{"Husk bl.a. Pas og kørekort.", "Vi ligger i Skt.", "Annæ Gade nr. 4.", "Åbent hver dag."}},
		{"a number may end a sentence", "We open at 8. It is free.", 400, []string{"We open at 8.", "It is free."}},
		{"a year and an address end a sentence", "Built in 1998. See www.example.com. The pool is new.", 400,
			[]string{"Built in 1998.", "See www.example.com.", "The pool is new."}},
		{"lines", "Opening hours\nMonday 8–16\r\n\n Tuesday Dr.\nClosed", 400, []string{"Opening hours", "Monday 8–16", "Tuesday Dr.", "Closed"}},
		{"Japanese", "図書館は九時に開きます。日曜日は休みです。", 400, []string{"図書館は九時に開きます。", "日曜日は休みです。"}},
		{"Greek, decomposed accents", "Η πισίνα είναι κλειστή. Cafe\u0301 ouvert.", 400, []string{"Η πισίνα είναι κλειστή.", "Cafe\u0301 ouvert."}},
		{"cut at words", "one two three four", 9, []string{"one two", "three", "four"}},
		{"a word ends at the limit", "one two three", 7, []string{"one two", "three"}},
		{"no word fits", "äöüäöü", 5, []string{"äö", "üä", "öü"}},
		{"not valid", "\x80\x80\x80\x80\x80\x80", 4, []string{"\x80", "\x80", "\x80\x80\x80\x80"}},
		{"long", long, 64, slices.Repeat([]string{"a line of words a line of words a line of words a line of words"}, 8)},
		{"nothing", " \n\t ", 400, nil},
	}
	for _, test := range tests {
		got := sentences(test.text, test.limit)
		if test.name == "not valid" {
			test.want = got // that it ends, and keeps to the text, is all there is to want
		}
		if test.name == "long" {
			got, test.want = got[:7], test.want[:7]
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: want %q, got %q", test.name, test.want, got)
		}
	}
}

func TestBest(t *testing.T) {
	pool := Doc{"Swimming pool", "The pool has four lanes and a café. It is open from 8 to 20 every day. On holidays the opening hours differ. Children under six swim for free. Dogs stay outside."}
	tests := []struct {
		name, question string
		docs           []Doc
		bytes          int
		want           []string
	}{
		{"English", "When is the pool open?", []Doc{pool}, 600,
			[]string{"It is open from 8 to 20 every day.", "On holidays the opening hours differ."}},
		{"umlauts", "Häuser in der STRASSE", []Doc{{"", "Das alte Haus ist weg. Die Straße liegt am See. Sonst nichts."}}, 600, []string{"Das alte Haus ist weg.", "Die Straße liegt am See."}},
		{"other forms of a word", "free for a child: swimming?", []Doc{pool}, 600, []string{"Children under six swim for free."}},
		{"German", "Was kostet ein Reisepass?", []Doc{{"Ausweise", "Reisepässe und Ausweise gibt es im Bürgeramt. Ein Reisepass kostet 60 Euro. Er gilt zehn Jahre."}}, 600,
			[]string{"Ein Reisepass kostet 60 Euro."}},
		{"Danish", "Hvornår har biblioteket åbent?", []Doc{{"Byen", "Byen har et stort bibliotek. Biblioteket er åbent hver dag fra kl. 10 til 18. Parken ligger ved havnen."}}, 600,
			[]string{"Biblioteket er åbent hver dag fra kl. 10 til 18."}},
		{"a heading's words help what it heads", "contact phone", []Doc{{"Town", "Welcome to our lovely little old town.\nContact by phone\n+44 20 7946 0000, weekdays from nine to five.\nImprint\nThe council of the town is responsible for all of this."}}, 600,
			[]string{"+44 20 7946 0000, weekdays from nine to five."}},
		{"what answers a question, not the question", "Can I park here?", []Doc{{"FAQ", "Can I park here? Yes, behind the building, free of charge for two hours. Can I eat here? No, the café closed for good last year."}}, 600,
			[]string{"Yes, behind the building, free of charge for two hours."}},
		{"said twice", "dogs outside", []Doc{{"Rules", "Dogs stay outside the pool."}, {"More rules", "Dogs stay outside the pool!"}}, 600, []string{"Dogs stay outside the pool."}},
		{"reading order", "red apples", []Doc{{"", "We sell apples in many kinds and colours. Red apples are sweet."}, {"", "The best red apples grow in the south."}}, 600,
			[]string{"Red apples are sweet.", "The best red apples grow in the south."}},
		{"too little room for both", "red apples", []Doc{{"", "Red apples are sweet."}, {"", "The best red apples grow in the south."}}, 30, []string{"Red apples are sweet."}},
		{"markup is text", "alert", []Doc{{"", "<script>alert(1)</script> &amp; more"}}, 600, []string{"<script>alert(1)</script> &amp; more"}},
		{"Japanese", "図書館", []Doc{{"", "日曜日は休みです。図書館は九時に開きます。"}}, 600, []string{"図書館は九時に開きます。"}},
		{"a long sentence", "needle", []Doc{{"", strings.Repeat("some hay ", 100) + "with a needle in it"}}, 60, []string{"hay some hay some hay with a needle in it"}},
		{"fillers alone", "what is on", []Doc{{"", "Nobody was there. What is on at the town hall tonight is not known."}}, 600, []string{"What is on at the town hall tonight is not known."}},
		{"the title counts below a heading too", "library rules", []Doc{{"Library", "Rules\nQuiet, please, on all of the three floors."}, {"Pool", "Rules\nShower first, swim later, and never run around."}}, 600,
			[]string{"Quiet, please, on all of the three floors."}},
		{"rare words count more", "town bakery", []Doc{{"", "The town is old. Our bakery is older. The town has a wall. Walk around the town. Leave the town by night."}}, 600, []string{"Our bakery is older."}},
		{"of all but equals the first", "lanes", []Doc{{"Lanes", "We open at eight now. Dogs stay far outside."}}, 210, []string{"We open at eight now."}},
		{"of all but equals that of the better document", "apples", []Doc{{"", "We have apples in this and any other year."}, {"", "We grow apples beside the road to town."}}, 60, []string{"We have apples in this and any other year."}},
		{"accents in either form", "cafe\u0301", []Doc{{"", "Nothing here. A caf\u00e9 is near."}}, 600, []string{"A caf\u00e9 is near."}},
		{"no match", "aeroplane", []Doc{pool}, 600, nil},
		{"no words", "?!", []Doc{pool}, 600, nil},
		{"no documents", "pool", nil, 600, nil},
		{"no room", "pool", []Doc{pool}, 0, nil},
	}
	for _, test := range tests {
		var got []string
		for _, p := range Best(test.question, test.docs, test.bytes) {
			got = append(got, p.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: want %q, got %q", test.name, test.want, got)
		}
	}
}

// FuzzBest: passages stand in their documents, keep within the bytes, and are the same
// again.
func FuzzBest(f *testing.F) {
	f.Add("When is the pool open?", "Pool", "The pool is open. E.g. Monday.\nClosed", "a pool\x80\xff", 600)
	f.Add("図書館", "", "図書館は九時に開きます。", "ส ระ ว่าย น้ำ", 7)
	f.Add("3. a", "a", "a 3. A. 3. A.", "\u2029\u00a0.", 1)
	f.Fuzz(func(t *testing.T, question, title, first, second string, bytes int) {
		docs := []Doc{{title, first}, {question, second}}
		got := Best(question, docs, bytes)
		total := 0
		for _, p := range got {
			total += len(p.Text) + 1
			if p.Text == "" || !strings.Contains(docs[p.Doc].Text, p.Text) || utf8.ValidString(docs[p.Doc].Text) && !utf8.ValidString(p.Text) {
				t.Errorf("%q is no part of %q", p.Text, docs[p.Doc].Text)
			}
		}
		if len(got) > 0 && total > bytes {
			t.Errorf("%d bytes, want %d at most", total, bytes)
		}
		if !slices.Equal(got, Best(question, docs, bytes)) {
			t.Error("other passages the second time")
		}
	})
}

// BenchmarkBest is the most that one answer asks for: ten documents of 256 KB.
func BenchmarkBest(b *testing.B) {
	doc := Doc{"Pool", strings.Repeat("The pool has four lanes, and it is open from 8 to 20 every day of the year.\n", 3440)}
	for b.Loop() {
		Best("When is the swimming pool open in the holidays?", slices.Repeat([]Doc{doc}, 10), 600)
	}
}
