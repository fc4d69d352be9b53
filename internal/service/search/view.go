package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	index "github.com/blevesearch/bleve_index_api"
)

// A view is the index as it stood at one time. Documents have other numbers in other views.
type view struct {
	reader    index.IndexReader
	languages []string
	size      int                // numbers that documents have, deleted ones among them
	docs      []uint32           // in the order of their numbers
	columns   map[string]*column // by field's name, made when they are asked for
	ids       []string           // by document, read when they are asked for
	mu        sync.Mutex         // of columns and ids
	users     int                // and the index, while it is the latest
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
	if err := v.read(); err != nil {
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

// read reads which languages and documents there are.
func (v *view) read() error {
	fields, err := v.reader.Fields()
	if err != nil {
		return err
	}
	for _, field := range fields {
		if language, ok := strings.CutPrefix(field, fieldText); ok {
			v.languages = append(v.languages, language)
		}
	}
	slices.Sort(v.languages)
	all, err := v.reader.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer func() { _ = all.Close() }()
	for {
		id, err := all.Next()
		if err != nil || id == nil {
			v.ids = make([]string, v.size)
			return err
		}
		v.docs = append(v.docs, number(id))
		v.size = int(number(id)) + 1
	}
}

// number returns that of a document: Scorch's internal IDs are numbers in eight bytes.
func number(id index.IndexInternalID) uint32 {
	return uint32(binary.BigEndian.Uint64(id)) //nolint:gosec // a folder holds fewer
}

// rows visits the documents that have a term in a field, with what it counts for in each: the
// oftener, and the shorter the field, the more, as the engine's own queries have it.
func (v *view) rows(field, term string, visit func(doc uint32, part float32)) error {
	rows, err := v.reader.TermFieldReader(context.Background(), []byte(term), field, true, true, false)
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
		visit(number(next.ID), float32(math.Sqrt(float64(next.Freq))*next.Norm))
		row.ID = row.ID[:0]
	}
}

// have returns how many documents have a word in a field.
func (v *view) have(field, word string) (count int, err error) {
	err = v.rows(field, word, func(uint32, float32) { count++ })
	return count, err
}

// id returns a document's key as the index knows it.
func (v *view) id(doc uint32) (id string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ids[doc] == "" {
		v.ids[doc], err = v.reader.ExternalID(binary.BigEndian.AppendUint64(nil, uint64(doc)))
	}
	return v.ids[doc], err
}
