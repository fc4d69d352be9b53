package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/wire"
)

// tools returns all search tools of one kind that a customer has, in order of their
// IDs. T is the kind's type in wire.
func tools[T any](s *Service, customer int64, kind wire.Kind) (all []T, err error) {
	err = s.eachTool(customer, kind, func(stored []byte) error {
		var tool T
		err := json.Unmarshal(stored, &tool)
		all = append(all, tool)
		return err
	})
	return all, err
}

// eachTool visits the stored tools of one kind in order of their IDs.
func (s *Service) eachTool(customer int64, kind wire.Kind, visit func(stored []byte) error) error {
	err := s.view(customer, string(kind), func(x *index) error {
		return x.keys("tools", func(_, stored []byte) error { return visit(stored) })
	})
	if err != nil {
		return fmt.Errorf("read the %s tools of customer %d: %w", kind, customer, err)
	}
	return nil
}

// listed returns the answer with the tools that are wanted.
func (s *Service) listed(customer int64, kind wire.Kind, wanted func(stored []byte) bool) (reply, error) {
	var list [][]byte
	err := s.eachTool(customer, kind, func(stored []byte) error {
		if wanted(stored) {
			list = append(list, bytes.Clone(stored))
		}
		return nil
	})
	return toolReply(slices.Concat([]byte("["), bytes.Join(list, []byte(",")), []byte("]")), err)
}

// tool returns the tool that the path names.
func (s *Service) tool(c *call, k toolKind) (stored []byte, err error) {
	err = s.view(c.customer, string(k.kind), func(x *index) error {
		if b := x.bucket("tools"); b != nil {
			stored = bytes.Clone(b.Get(toolKey(c.toolID())))
		}
		if stored == nil {
			return k.notThere(c, c.toolID())
		}
		return nil
	})
	return stored, err
}

// changeTools runs change on the tools of one kind in one transaction: all of it is on
// disk when changeTools returns nil, and none of it otherwise.
func (s *Service) changeTools(customer int64, k toolKind, change func(*bolt.Bucket) error) error {
	return s.update(customer, string(k.kind), func(x *index) error {
		b, err := x.tx.CreateBucketIfNotExists([]byte("tools" + x.name))
		if err != nil {
			return fmt.Errorf("make the bucket tools%s: %w", x.name, err)
		}
		return change(b)
	})
}

// addTool stores a new tool under an ID that no tool of its kind and customer ever had,
// and returns it as stored.
func (s *Service) addTool(customer int64, k toolKind, tool []byte) (stored []byte, err error) {
	err = s.changeTools(customer, k, func(b *bolt.Bucket) error {
		id, err := b.NextSequence()
		if err != nil {
			return fmt.Errorf("make an ID: %w", err)
		}
		stored = k.withID(int64(id), tool)
		return b.Put(toolKey(int64(id)), stored)
	})
	return stored, err
}

// setTool stores a tool in place of the one with an ID, and returns it as stored.
func (s *Service) setTool(c *call, k toolKind, id int64, tool []byte) (stored []byte, err error) {
	stored = k.withID(id, tool)
	err = s.changeTools(c.customer, k, func(b *bolt.Bucket) error {
		if b.Get(toolKey(id)) == nil {
			return k.notThere(c, id)
		}
		return b.Put(toolKey(id), stored)
	})
	return stored, err
}

// removeTools deletes the tools with these IDs, or none where one is not there.
func (s *Service) removeTools(c *call, k toolKind, ids ...int64) error {
	return s.changeTools(c.customer, k, func(b *bolt.Bucket) error {
		for _, id := range ids {
			if b.Get(toolKey(id)) == nil {
				return k.notThere(c, id)
			}
			if err := b.Delete(toolKey(id)); err != nil {
				return fmt.Errorf("delete the %s %d: %w", k.kind, id, err)
			}
		}
		return nil
	})
}
