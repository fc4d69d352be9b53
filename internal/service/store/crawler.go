package store

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/ncruces/go-sqlite3"

	"sitesync/internal/wire"
)

func (s *Store) update(customer int64, id string, change func(*crawler) error) error {
	return s.Update(func(tx *Tx) error { return change(&crawler{s, tx, customer, id}) })
}

// crawler reads and writes the documents of one crawler (a content source of the index) in a transaction.
// Documents can be written to a crawler that was never created.
type crawler struct {
	store    *Store
	tx       *Tx
	customer int64
	id       string
}

const named = "FROM document JOIN body USING(id) WHERE customer = ? AND crawler = ? AND name "

// get returns the document with this ID, and its row number. The number is 0 if there is no such document.
func (x *crawler) get(id string) (doc wire.Document, number int64, err error) {
	into := func(*int64) []any { return []any{sqlite3.JSON(&doc), &number} }
	_, err = Rows(x.tx, into, "SELECT json, id "+named+"= ?", x.customer, x.id, id)
	return doc, number, err
}

// put stores a document, its text in the index, and its field values. An existing document with the same ID
// is replaced. If put errs, the caller must roll back the transaction.
func (x *crawler) put(doc *wire.Document, t *text) error {
	doc.Type = cmp.Or(doc.Type, new(pageContent))
	value, _ := json.Marshal(doc) // a document that was decoded from JSON always encodes
	number, err := x.remove(doc.ID)
	if err != nil {
		return err
	}
	x.count(t, 1)
	number, err = x.tx.Insert("INSERT INTO document VALUES(nullif(?, 0), ?, ?, ?, ?)",
		number, x.customer, x.id, doc.ID, TypeNumber(*doc))
	return errors.Join(err,
		x.tx.Do("INSERT INTO body VALUES(?, ?)", number, value),
		x.tx.Do("INSERT INTO find(rowid, title, description, content, rest) VALUES(?, ?, ?, ?, ?)",
			number, t.columns[0].String(), t.columns[1].String(), t.columns[2].String(), t.columns[3].String()),
		x.tx.Do("INSERT OR IGNORE INTO field SELECT key, ?, value FROM json_each(?)",
			number, sqlite3.JSON(values(*doc))))
}

// values returns a document's values for filters, facets and sorting: all values of at most maxValue bytes,
// except Content and Description.
func values(doc wire.Document) map[string]string {
	short := map[string]string{}
	if day := day(Text(doc, dateField)); day != "" {
		short[dateKey] = day
	}
	for name := range doc.Fields {
		if value := Text(doc, name); name != "Content" && name != "Description" && len(value) <= maxValue {
			short[name] = value
		}
	}
	return short
}

// remove deletes the document with this ID, and returns its row number, or 0 if there was no such document.
func (x *crawler) remove(id string) (int64, error) {
	have, number, err := x.get(id)
	if err != nil || number == 0 {
		return 0, err
	}
	x.count(x.textOf(have), -1)
	return number, x.tx.Do("DELETE FROM document WHERE id = ?", number)
}

// Documents returns the documents of one crawler, sorted by the bytes of their IDs.
func (s *Store) Documents(customer int64, id string) ([]wire.Document, error) {
	return All[wire.Document](s, "SELECT json "+named+"> '' ORDER BY name", customer, id)
}
