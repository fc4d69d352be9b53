package search

import (
	"encoding/binary"
	"strings"

	index "github.com/blevesearch/bleve_index_api"
)

// A column is the values of one field, for sorting and counting, read as they are needed.
type column struct {
	prefix string // before each value
	read   []bool // by document: its values are in
	first  []int32
	more   map[uint32][]int32 // those behind the first
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
		c = &column{prefix: valueTerm(name, ""), read: make([]bool, v.size), first: make([]int32, v.size), more: map[uint32][]int32{}, at: map[string]int32{}}
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
		c.read[doc], c.first[doc] = true, -1
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
	if c.first[doc] < 0 {
		c.first[doc] = at
	} else {
		c.more[doc] = append(c.more[doc], at)
	}
}

// each visits the values of a document.
func (c *column) each(doc uint32, visit func(value int32)) {
	if c.first[doc] >= 0 {
		visit(c.first[doc])
	}
	for _, value := range c.more[doc] {
		visit(value)
	}
}
