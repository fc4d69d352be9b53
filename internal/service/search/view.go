package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	index "github.com/blevesearch/bleve_index_api"
)

// A view is the index as it stood at one time, with what ranking needs of every document,
// by its number. Documents have other numbers in other views.
type view struct {
	reader    index.IndexReader
	languages map[string]int // how many documents each has
	size      int            // numbers that documents have, deleted ones among them
	docs      []uint32       // in the order of their numbers
	title     measure
	text      measure
	columns   map[string]*column // by field's name, made when they are asked for
	ids       []string           // by document, read when they are asked for
	mu        sync.Mutex         // of columns and ids
	users     int                // and the index, while it is the latest
}

// A measure is how long one field of the documents is, in words.
type measure struct {
	length []float32
	mean   float32
}

// view returns the index as it stands now, to be given back with release.
func (x *Index) view() (*view, error) {
	x.viewing.Lock()
	defer x.viewing.Unlock()
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, fmt.Errorf("read the search index: %w", err)
	}
	if x.latest != nil && x.latest.reader == reader {
		_ = reader.Close() // it has one already
		x.latest.users++
		return x.latest, nil
	}
	v := &view{reader: reader, columns: map[string]*column{}, users: 2}
	if err := v.measure(); err != nil {
		_ = reader.Close()
		return nil, fmt.Errorf("read the search index: %w", err)
	}
	x.forget()
	x.latest = v
	return v, nil
}

// forget gives back the latest view. x.viewing is held.
func (x *Index) forget() {
	if x.latest != nil {
		x.latest.release()
	}
	x.latest = nil
}

func (x *Index) release(v *view) {
	x.viewing.Lock()
	defer x.viewing.Unlock()
	v.release()
}

func (v *view) release() {
	if v.users--; v.users == 0 {
		_ = v.reader.Close() // of files that are open
	}
}

// measure reads the documents' languages and lengths.
func (v *view) measure() error {
	fields, err := v.reader.Fields()
	if err != nil {
		return err
	}
	v.languages = map[string]int{}
	for _, field := range fields {
		if language, ok := strings.CutPrefix(field, fieldText); ok {
			v.languages[language], err = v.have(fieldLength, language, nil)
			if err != nil {
				return err
			}
		}
	}
	count, err := v.reader.DocCount()
	if err != nil {
		return err
	}
	v.docs = make([]uint32, 0, count)
	for _, m := range []struct {
		term string
		into *measure
	}{{"text", &v.text}, {"title", &v.title}} {
		var lengths []float32
		var sum, many float64
		err := v.rows(fieldLength, m.term, func(doc, times uint32) {
			for int(doc) >= len(lengths) {
				lengths = append(lengths, make([]float32, 1+len(lengths))...)
			}
			lengths[doc] = float32(times - 1)
			sum, many = sum+float64(times-1), many+1
			if m.into == &v.text {
				v.docs = append(v.docs, doc)
			}
		})
		if err != nil {
			return err
		}
		m.into.length, m.into.mean = lengths, float32(max(1, sum)/max(1, many))
		v.size = max(v.size, len(lengths))
	}
	v.ids = make([]string, v.size)
	return nil
}

// rows visits the documents that have a term in a field, and how often.
func (v *view) rows(field, term string, visit func(doc, times uint32)) error {
	rows, err := v.reader.TermFieldReader(context.Background(), []byte(term), field, true, false, false)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var row index.TermFieldDoc
	for {
		next, err := rows.Next(&row)
		if err != nil || next == nil {
			return err
		}
		visit(uint32(binary.BigEndian.Uint64(next.ID)), uint32(next.Freq)) //nolint:gosec // a folder holds fewer, and a text
		row.ID = row.ID[:0]
	}
}

// have returns how many documents have a word in a field, of those in mine; nil: of all.
func (v *view) have(field, word string, mine []bool) (count int, err error) {
	err = v.rows(field, word, func(doc, _ uint32) {
		if mine == nil || mine[doc] {
			count++
		}
	})
	return count, err
}

// id returns a document's key as the index knows it. Scorch's internal IDs are the documents'
// numbers in eight bytes.
func (v *view) id(doc uint32) (id string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ids[doc] == "" {
		v.ids[doc], err = v.reader.ExternalID(binary.BigEndian.AppendUint64(nil, uint64(doc)))
	}
	return v.ids[doc], err
}
