package diffstore

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// keyToolPin is where the target of the tools is. It is no key of a tool: those hold a
// zero byte.
const keyToolPin = "target"

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
		if err := toolsOf(tx, target); err != nil {
			return err
		}
		if err := putIn(tx, bucketTools, keyToolPin, target); err != nil {
			return err
		}
		return putIn(tx, bucketTools, toolKey(tool.Kind, tool.Name), tool)
	})
}

// RenameTool keeps a search tool under another name, in one step. One that the ledger
// does not know stays unknown.
func (l *Ledger) RenameTool(kind, from, to string) error {
	return l.update(func(tx *bolt.Tx) error {
		var tool document.Tool
		found, err := getIn(tx, bucketTools, toolKey(kind, from), &tool)
		if err != nil || !found {
			return err
		}
		tool.Name = to
		if err := putIn(tx, bucketTools, toolKey(kind, to), tool); err != nil {
			return err
		}
		return tx.Bucket([]byte(bucketTools)).Delete([]byte(toolKey(kind, from)))
	})
}

// DropTool forgets a search tool.
func (l *Ledger) DropTool(kind, name string) error {
	return l.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(bucketTools)).Delete([]byte(toolKey(kind, name))) })
}
