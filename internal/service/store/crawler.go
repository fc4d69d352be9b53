package store

import (
	"cmp"
	"encoding/json"
	"fmt"

	"sitesync/internal/wire"
)

func (s *Store) update(customer int64, id string, change func(*crawler) error) error {
	return s.Update(func(tx *Tx) error { return change(&crawler{s, tx, customer, id}) })
}

// crawler is one crawler within a transaction. A crawler exists from its first document on.
type crawler struct {
	store    *Store
	tx       *Tx
	customer int64
	id       string
}

const named = "FROM document JOIN body USING(id) WHERE customer = ? AND crawler = ? AND name "

// get returns the document with an ID and its row number; 0 if there is no such document.
func (x *crawler) get(id string) (doc wire.Document, number int64, err error) {
	for rows, err := range x.tx.Each("SELECT json, id "+named+"= ?", x.customer, x.id, id) {
		var stored []byte
		if err == nil {
			err = rows.Scan(&stored, &number)
		}
		if err == nil {
			err = json.Unmarshal(stored, &doc)
		}
		if err != nil {
			return doc, 0, err
		}
	}
	return doc, number, nil
}

// put stores a document and its text in the index. It replaces the document with the same ID.
func (x *crawler) put(doc *wire.Document, text *text) error {
	doc.Type = cmp.Or(doc.Type, new(pageContent))
	value, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode document %s: %w", doc.ID, err)
	}
	number, err := x.remove(doc.ID)
	if err != nil {
		return err
	}
	number, err = x.tx.Insert("INSERT INTO document VALUES(nullif(?, 0), ?, ?, ?, ?)", number, x.customer, x.id, doc.ID, TypeNumber(*doc))
	if err == nil {
		err = x.tx.Do("INSERT INTO body VALUES(?, ?)", number, value)
	}
	if err == nil {
		err = x.enter(number, *doc, text)
	}
	if err != nil {
		return fmt.Errorf("store document %s: %w", doc.ID, err)
	}
	return nil
}

// remove deletes the document with an ID, and returns its row number; 0 if there was no such document.
func (x *crawler) remove(id string) (int64, error) {
	have, number, err := x.get(id)
	if err != nil || number == 0 {
		return 0, err
	}
	x.count(x.read(have), -1)
	if err := x.tx.Do("DELETE FROM document WHERE id = ?", number); err != nil {
		return 0, fmt.Errorf("delete document %s: %w", id, err)
	}
	return number, nil
}

// Documents returns the documents of one crawler, sorted by the bytes of their IDs.
func (s *Store) Documents(customer int64, id string) ([]wire.Document, error) {
	return All[wire.Document](s, "SELECT json "+named+"> '' ORDER BY name", customer, id)
}
