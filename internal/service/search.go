package service

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// searchRoutes are search and autocomplete, whose paths alone the specification gives
// (sections 4.5 and 9).
func (s *Service) searchRoutes() []route { return nil }

// hit is one document that a search found.
type hit struct {
	id     string
	fields map[string]string // as stored; of several values the first
}

// find returns the best documents of an engine for a text, size at most, best first.
func (s *Service) find(_ context.Context, customer, _ int64, text string, size int) ([]hit, error) {
	words := strings.Fields(strings.ToLower(text))
	type scored struct {
		hit
		n int
	}
	var found []scored
	err := s.db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if parts := strings.SplitN(string(name), "/", 3); parts[0] != "documents" || parts[1] != strconv.FormatInt(customer, 10) {
				return nil
			}
			return b.ForEach(func(_, value []byte) error {
				doc, err := decodeStored(value)
				h, n := hit{doc.ID, map[string]string{}}, 0
				for name, raw := range doc.Fields {
					var text string
					_ = json.Unmarshal(raw, &text)
					h.fields[name] = text
					for _, word := range words {
						n += strings.Count(strings.ToLower(text), word)
					}
				}
				if n > 0 {
					found = append(found, scored{h, n})
				}
				return err
			})
		})
	})
	slices.SortFunc(found, func(a, b scored) int { return cmp.Or(b.n-a.n, strings.Compare(a.id, b.id)) })
	hits := []hit{}
	for _, f := range found[:min(len(found), size)] {
		hits = append(hits, f.hit)
	}
	return hits, err
}
