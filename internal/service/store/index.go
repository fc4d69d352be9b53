package store

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/service/words"
	"sitesync/internal/wire"
)

const (
	// maxValue is how long a value may be that is filtered by, counted or sorted by, in bytes.
	maxValue = 256
	maxWords = 100_000 // of one field that are indexed
)

// Term returns the token that all forms of a word have, of a customer's documents.
func Term(customer int64, w words.Word) string { return strconv.FormatInt(customer, 36) + ":" + w.Term }

// Exact returns the token of a word as it stands.
func Exact(customer int64, w words.Word) string {
	return strconv.FormatInt(customer, 36) + "=" + w.Exact
}

// counted is a word of a customer's documents in a language.
type counted struct {
	customer       int64
	language, word string
}

// Back returns a word from its end.
func Back(word string) string {
	letters := []rune(word)
	slices.Reverse(letters)
	return string(letters)
}

// enter makes a document found that was stored with a number.
func (x *crawler) enter(number int64, doc wire.Document, t *text) error {
	for word := range t.seen {
		x.tx.counts[word]++
	}
	values := map[string]string{}
	if day := day(Text(doc, dateField)); day != "" {
		values[dateKey] = day
	}
	for name := range doc.Fields {
		if value := Text(doc, name); name != "Content" && name != "Description" && len(value) <= maxValue {
			values[name] = value
		}
	}
	encoded, _ := json.Marshal(values) // strings always encode
	err := x.tx.Do("INSERT INTO find(rowid, title, description, content, rest) VALUES(?, ?, ?, ?, ?)", number, t.columns[0].String(), t.columns[1].String(), t.columns[2].String(), t.columns[3].String())
	if err == nil {
		err = x.tx.Do("INSERT OR IGNORE INTO field SELECT key, ?, value FROM json_each(?)", number, string(encoded))
	}
	return err
}

// leave takes back what enter did.
func (x *crawler) leave(number int64, doc wire.Document) error {
	for word := range x.read(doc).seen {
		x.tx.counts[word]--
	}
	err := x.tx.Do("DELETE FROM find WHERE rowid = ?", number)
	if err == nil {
		err = x.tx.Do("DELETE FROM field WHERE id = ?", number)
	}
	return err
}

// count brings the words up to date that were counted in a transaction.
func (tx *Tx) count() error {
	inOrder := slices.SortedFunc(maps.Keys(tx.counts), func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.language, b.language), cmp.Compare(a.word, b.word))
	})
	for _, w := range inOrder {
		n := tx.counts[w]
		if n == 0 {
			continue
		}
		err := tx.Do("INSERT INTO word VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET documents = documents + excluded.documents", w.customer, w.language, w.word, Back(w.word), n)
		if err == nil && n < 0 {
			err = tx.Do("DELETE FROM word WHERE customer = ? AND language = ? AND word = ? AND documents <= 0", w.customer, w.language, w.word)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// text is what the index has of a document: the tokens of its title, description and content,
// and of its other fields.
type text struct {
	columns       [4]strings.Builder
	seen          map[counted]bool
	titles, words int // in the title, and in all; those that tell nothing don't count
}

// read reads a document's fields.
func (x *crawler) read(doc wire.Document) *text {
	t := &text{seen: map[counted]bool{}}
	language := words.Of(Text(doc, "Language"))
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		column := slices.Index([]string{"Title", "Description", "Content"}, name)
		if name == "Language" {
			continue
		}
		if column < 0 {
			column = 3
			t.columns[3].WriteString("| ") // no phrase goes on from the field before
		}
		n := x.write(t, &t.columns[column], language, Text(doc, name))
		if t.words += n; column == 0 {
			t.titles = n
		}
	}
	return t
}

// write writes the tokens of a value: each word as it stands, and what its forms have in common;
// those that may be written as one, as one as well. It returns how many tell something.
func (x *crawler) write(t *text, to *strings.Builder, language, value string) (telling int) {
	n := 0
	for run := range words.Runs(words.Lower(value)) {
		if n += len(run); n > maxWords {
			break
		}
		for _, word := range run {
			w := x.store.Words.Read(language, word)
			if w.Exact == "" {
				continue
			}
			to.WriteString(Exact(x.customer, w) + " ")
			if !w.Stop {
				telling++
				to.WriteString("~" + Term(x.customer, w) + " ")
				t.seen[counted{x.customer, language, word}] = true
			}
		}
		if len(run) > 1 {
			if w := x.store.Words.Read(language, strings.Join(run, "")); w.Exact != "" {
				to.WriteString("~" + Exact(x.customer, w) + " ~" + Term(x.customer, w) + " ")
			}
		}
	}
	return telling
}
