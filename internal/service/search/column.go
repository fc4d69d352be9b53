package search

import (
	"encoding/binary"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// A column is the values of one field, one of each document at most, for sorting and counting,
// read as they are needed.
type column struct {
	prefix string  // before each value
	read   []bool  // by document: its value is in
	of     []int32 // by document: its value; -1: it has none
	values []string
	at     map[string]int32 // in values

	plain, dates []float64 // values as numbers, those that were asked for
}

// maxColumns is of how many fields a view keeps the values.
const maxColumns = 20

// use lends the values of a field, those of the documents among them.
func (v *view) use(name string, docs []uint32, look func(*column)) error {
	v.mu.Lock() // others fill it, too
	defer v.mu.Unlock()
	c := v.columns[name]
	if c == nil {
		if len(v.columns) == maxColumns {
			clear(v.columns)
		}
		c = &column{prefix: valueTerm(name, ""), read: make([]bool, v.size), of: make([]int32, v.size), at: map[string]int32{}}
		v.columns[name] = c
	}
	var values index.DocValueReader
	for _, doc := range docs {
		if c.read[doc] {
			continue
		}
		if values == nil {
			var err error
			values, err = v.reader.DocValueReader([]string{shelf(name)})
			if err != nil {
				return err
			}
		}
		c.read[doc], c.of[doc] = true, -1
		err := values.VisitDocValues(binary.BigEndian.AppendUint64(nil, uint64(doc)), func(_ string, term []byte) { c.add(doc, term) })
		if err != nil {
			return err
		}
	}
	look(c)
	return nil
}

func (c *column) add(doc uint32, term []byte) {
	if !strings.HasPrefix(string(term), c.prefix) {
		return
	}
	value := string(term[len(c.prefix):])
	at, there := c.at[value]
	if !there {
		at = int32(len(c.values)) //nolint:gosec // there are fewer documents
		c.at[value] = at
		c.values = append(c.values, value)
	}
	c.of[doc] = at
}
