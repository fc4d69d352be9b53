package service

import (
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/wire"
)

// toolRoutes are those of specification section 4.2.
func (s *Service) toolRoutes() []route { return nil }

// tools returns all search tools of one kind that a customer has, in order of their
// IDs. T is the kind's type in wire.
func tools[T any](s *Service, customer int64, kind wire.Kind) (all []T, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(fmt.Appendf(nil, "tools/%d/%s", customer, kind))
		if b == nil {
			return nil
		}
		return b.ForEach(func(_, value []byte) error {
			var tool T
			err := json.Unmarshal(value, &tool)
			all = append(all, tool)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the %s tools of customer %d: %w", kind, customer, err)
	}
	return all, nil
}
