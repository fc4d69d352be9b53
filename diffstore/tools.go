package diffstore

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// bucketTools holds search tools by kind and name, and what they are pinned to. It is
// new in ledgers of schema 2, so that one without it is whole, and gets it with the first write.
const (
	bucketTools = "tools"
	keyToolPin  = "target" // no key of a tool: those hold a zero byte
)

// ErrOtherTools tells that the ledger's search tools are those of another engine.
var ErrOtherTools = errors.New("the ledger knows the search tools of another engine")

func toolKey(kind, name string) string { return kind + "\x00" + name }

// Tools returns the search tools that the ledger knows, by kind and name. It errs with
// ErrOtherTools when they are pinned to another target.
func (l *Ledger) Tools(target document.ToolTarget) (all []document.Tool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucketTools))
		if b == nil {
			return nil
		}
		if err := toolsOf(tx, target); err != nil {
			return err
		}
		return b.ForEach(func(k, _ []byte) error {
			if string(k) == keyToolPin {
				return nil
			}
			var tool document.Tool
			_, err := getIn(tx, bucketTools, string(k), &tool)
			all = append(all, tool)
			return err
		})
	})
	return all, err
}

func toolsOf(tx *bolt.Tx, target document.ToolTarget) error {
	var pinned document.ToolTarget
	if found, err := getIn(tx, bucketTools, keyToolPin, &pinned); err != nil || !found || pinned == target {
		return err
	}
	return fmt.Errorf("%w: %d of customer %d at %s", ErrOtherTools, pinned.Engine, pinned.Customer, pinned.Base)
}

// PutTool keeps a search tool, and pins the tools of the ledger to target unless they
// are pinned already. It errs as Tools does.
func (l *Ledger) PutTool(target document.ToolTarget, tool document.Tool) error {
	return l.update(func(tx *bolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists([]byte(bucketTools)); err != nil {
			return err
		}
		if err := toolsOf(tx, target); err != nil {
			return err
		}
		return errors.Join(putIn(tx, bucketTools, keyToolPin, target), putIn(tx, bucketTools, toolKey(tool.Kind, tool.Name), tool))
	})
}

// RenameTool keeps a search tool under another name, in one step. One that the ledger
// does not know stays unknown.
func (l *Ledger) RenameTool(kind, from, to string) error {
	return l.update(func(tx *bolt.Tx) error {
		var tool document.Tool
		if tx.Bucket([]byte(bucketTools)) == nil {
			return nil
		}
		found, err := getIn(tx, bucketTools, toolKey(kind, from), &tool)
		if err != nil || !found {
			return err
		}
		tool.Name = to
		return errors.Join(putIn(tx, bucketTools, toolKey(kind, to), tool), deleteIn(tx, bucketTools, toolKey(kind, from)))
	})
}

// DropTool forgets a search tool.
func (l *Ledger) DropTool(kind, name string) error {
	return l.update(func(tx *bolt.Tx) error {
		if tx.Bucket([]byte(bucketTools)) == nil {
			return nil
		}
		return deleteIn(tx, bucketTools, toolKey(kind, name))
	})
}
