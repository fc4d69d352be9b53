package store

import (
	"encoding/json"
	"errors"
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

// spoken are the documents of a customer in a language.
type spoken struct {
	customer int64
	language string
}

// Back returns a word from its end.
func Back(word string) string {
	letters := []rune(word)
	slices.Reverse(letters)
	return string(letters)
}

// enter makes a document found that was stored with a number.
func (x *crawler) enter(number int64, doc wire.Document, t *text) error {
	x.count(t, 1)
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

// count takes down that so many more documents have the words of a text.
func (x *crawler) count(t *text, more int) {
	of := spoken{x.customer, t.language}
	if x.tx.counts[of] == nil {
		x.tx.counts[of] = map[string]int{}
	}
	for word := range t.seen {
		x.tx.counts[of][word] += more
	}
}

// count brings the words up to date that were counted in a transaction.
func (tx *Tx) count() (err error) {
	for of, words := range tx.counts {
		encoded, _ := json.Marshal(words) // which sorts them; strings and numbers always encode
		err = errors.Join(err, tx.Do(`INSERT INTO word SELECT ?, ?, key, value FROM json_each(?) WHERE value <> 0
			ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`, of.customer, of.language, string(encoded)))
	}
	if len(tx.counts) > 0 {
		err = errors.Join(err, tx.Do("DELETE FROM word WHERE documents <= 0"))
	}
	return err
}

// text is what the index has of a document: the tokens of its title, description and content,
// and of its other fields.
type text struct {
	columns       [4]strings.Builder
	language      string
	seen          map[string]bool // words, in it
	titles, words int             // in the title, and in all; those that tell nothing don't count
}

// read reads a document's fields.
func (x *crawler) read(doc wire.Document) *text {
	t := &text{language: words.Of(Text(doc, "Language")), seen: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		column := slices.Index([]string{"Title", "Description", "Content"}, name)
		if name == "Language" {
			continue
		}
		if column < 0 {
			column = 3
			t.columns[3].WriteString("| ") // no phrase goes on from the field before
		}
		n := x.write(t, &t.columns[column], Text(doc, name))
		if t.words += n; column == 0 {
			t.titles = n
		}
	}
	return t
}

// write writes the tokens of a value: each word as it stands, and what its forms have in common;
// those that may be written as one, as one as well. It returns how many tell something.
func (x *crawler) write(t *text, to *strings.Builder, value string) (telling int) {
	n, of := 0, strconv.FormatInt(x.customer, 36)
	token := func(parts ...string) {
		for _, part := range parts {
			to.WriteString(part)
		}
	}
	for run := range words.Runs(words.Lower(value)) {
		if n += len(run); n > maxWords {
			break
		}
		for _, word := range run {
			w := x.store.Words.Read(t.language, word)
			if w.Exact == "" {
				continue
			}
			token(of, "=", w.Exact, " ")
			if !w.Stop {
				telling++
				token("~", of, ":", w.Term, " ")
				t.seen[word] = true
			}
		}
		if len(run) > 1 {
			if w := x.store.Words.Read(t.language, strings.Join(run, "")); w.Exact != "" {
				token("~", of, "=", w.Exact, " ~", of, ":", w.Term, " ")
			}
		}
	}
	return telling
}
