package store

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"sitesync/internal/service/words"
	"sitesync/internal/wire"
)

const (
	// maxValue is the size limit, in bytes, of values for filters, facets and sorting.
	maxValue = 256
	maxWords = 100_000 // further words of a field are not indexed
)

// Term returns the index token for the stem of a word. The token starts with the customer's number, so
// a search matches only documents of its own customer.
func Term(customer int64, w words.Word) string { return strconv.FormatInt(customer, 36) + ":" + w.Term }

// Exact returns the index token for the exact form of a word, with the customer's number.
func Exact(customer int64, w words.Word) string {
	return strconv.FormatInt(customer, 36) + "=" + w.Exact
}

// spoken is the key of word counts: words are counted for each customer and language.
type spoken struct {
	customer int64
	language string
}

// Back returns a word spelled backwards.
func Back(word string) string {
	letters := []rune(word)
	slices.Reverse(letters)
	return string(letters)
}

// count changes, by delta (1 or -1), the number of documents that contain each word of a text. The
// transaction writes the new numbers at its end.
func (x *crawler) count(t *text, delta int) {
	of := spoken{x.customer, t.language}
	if x.tx.counts[of] == nil {
		x.tx.counts[of] = map[string]int{}
	}
	for word := range t.seen {
		x.tx.counts[of][word] += delta
	}
}

func (tx *Tx) count() (err error) {
	for of, words := range tx.counts {
		// JSON encoding sorts the words, so rows are inserted in the order of the primary key.
		err = errors.Join(err, tx.Do(`INSERT INTO word SELECT ?, ?, key, value FROM json_each(?) WHERE value <> 0
			ON CONFLICT DO UPDATE SET documents = documents + excluded.documents`,
			of.customer, of.language, sqlite3.JSON(words)))
	}
	if len(tx.counts) > 0 {
		err = errors.Join(err, tx.Do("DELETE FROM word WHERE documents <= 0"))
	}
	return err
}

// text holds a document's index tokens, in four columns: title, description, content, and all other fields.
type text struct {
	columns  [4]strings.Builder
	language string
	seen     map[string]bool // words of the document, without stop words
}

func (x *crawler) textOf(doc wire.Document) *text {
	t := &text{language: words.Of(Text(doc, "Language")), seen: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		column := slices.Index([]string{"Title", "Description", "Content"}, name)
		if name == "Language" {
			continue
		}
		if column < 0 {
			column = 3
			t.columns[3].WriteString("| ") // keeps phrases from matching across two fields
		}
		x.writeTokens(t, &t.columns[column], Text(doc, name))
	}
	return t
}

// writeTokens writes the tokens of a value: the exact form and the stem of each word. Words that may be joined,
// such as "e-mail", also get tokens for the joined word.
func (x *crawler) writeTokens(t *text, to *strings.Builder, value string) {
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
}
