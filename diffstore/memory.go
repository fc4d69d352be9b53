package diffstore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Host returns the memory of a host; the zero value if there is none.
func (l *Ledger) Host(origin string) (memory document.HostMemory, err error) {
	_, err = l.get(bucketHosts, origin, &memory)
	return memory, err
}

// Profile returns the learned sections; nil if there are none.
func (l *Ledger) Profile() (profile document.Profile, err error) {
	return values[document.Section](l, bucketProfile)
}

// Learn stores new and changed sections.
func (l *Ledger) Learn(profile document.Profile) error {
	if len(profile) == 0 {
		return nil
	}
	return l.update(func(tx *bolt.Tx) error { return putAll(tx, bucketProfile, profile) })
}

// Rules returns the rules that made all documents when a run was last complete; nil before that.
func (l *Ledger) Rules() (rules document.Rules, err error) {
	_, err = l.get(bucketMeta, keyRules, &rules)
	return rules, err
}

// Retention returns the retention rules, as configured, that have deleted something.
func (l *Ledger) Retention() (rules []string, err error) {
	_, err = l.get(bucketMeta, keyRetention, &rules)
	return rules, err
}

// Mode returns the push.mode of the last applied plan; by default "documents".
func (l *Ledger) Mode() (mode string, err error) {
	found, err := l.get(bucketMeta, keyMode, &mode)
	if err == nil && !found {
		mode = "documents"
	}
	return mode, err
}

// SetMode sets the push.mode. A change sets all documents to doubt.
func (l *Ledger) SetMode(mode string) error {
	reason, err := l.modeChange(mode)
	if reason == "" || err != nil {
		return err
	}
	if err := l.DoubtAll(reason); err != nil {
		return err
	}
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, keyMode, mode) })
}

// ReadAs shows all documents in doubt if mode is not the present push.mode, as SetMode would leave them.
func (l *Ledger) ReadAs(mode string) error {
	reason, err := l.modeChange(mode)
	l.doubt = cmp.Or(reason, l.doubt)
	return err
}

// modeChange returns the reason for the doubt if the mode changes; empty if it does not, or mode is empty.
func (l *Ledger) modeChange(mode string) (reason string, err error) {
	before, err := l.Mode()
	if err != nil || mode == "" || before == mode {
		return "", err
	}
	return fmt.Sprintf("push.mode was %s and is %s", before, mode), nil
}

// approval returns the key of an approved change: for a delete with its cause; for put and patch the same,
// because a run after a kill puts what was about to be patched.
func approval(e *document.Entry) string {
	op, cause := e.Op, e.Cause
	if op == document.Put || op == document.Patch {
		op, cause = "update", ""
	}
	return fmt.Sprintf("%s\x00%s\x00%s", op, cause, e.ID)
}

// Approve stores approvals of held changes. An approval counts for any brake. It ends when the change is
// sent, or when a complete run finds the change no longer due. withdraw removes the approvals instead.
func (l *Ledger) Approve(entries []document.Entry, withdraw bool) error {
	return l.update(func(tx *bolt.Tx) error {
		for _, e := range entries {
			err := putIn(tx, bucketApprovals, approval(&e), e.Print)
			if withdraw {
				err = tx.Bucket([]byte(bucketApprovals)).Delete([]byte(approval(&e)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Approved reports whether a change was approved. A put or patch needs nearly the text that was shown.
func (l *Ledger) Approved(e *document.Entry) (approved bool, err error) {
	err = l.view(func(tx *bolt.Tx) (err error) {
		var shown document.Print
		approved, err = getIn(tx, bucketApprovals, approval(e), &shown)
		approved = approved && (shown == e.Print || shown.Like(e.Print))
		return err
	})
	return approved, err
}

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// keyToolPin is the key of the ToolTarget. Keys of tools contain a zero byte, so they differ from it.
const keyToolPin = "target"

// ErrOtherTools means that the ledger's search tools belong to another engine.
var ErrOtherTools = errors.New("the ledger knows the search tools of another engine")

func toolKey(kind, name string) string { return kind + "\x00" + name }

// Tools returns all search tools. It errs with ErrOtherTools if they are pinned to another target.
func (l *Ledger) Tools(target document.ToolTarget) (all []document.Tool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		if err := toolsOf(tx, target); err != nil {
			return err
		}
		for key := range entriesFrom(tx, bucketTools, "") {
			if key == keyToolPin {
				continue
			}
			var tool document.Tool
			if _, err := getIn(tx, bucketTools, key, &tool); err != nil {
				return err
			}
			all = append(all, tool)
		}
		return nil
	})
	return all, err
}

func toolsOf(tx *bolt.Tx, target document.ToolTarget) error {
	var pinned document.ToolTarget
	if found, err := getIn(tx, bucketTools, keyToolPin, &pinned); err != nil || !found || pinned == target {
		return err
	}
	return fmt.Errorf("%w: %d of customer %d at %s, but the configuration names engine %d of customer %d at %s",
		ErrOtherTools, pinned.Engine, pinned.Customer, pinned.Base, target.Engine, target.Customer, target.Base)
}

// PutTool stores a search tool, and pins the ledger's tools to target. It errs as Tools does.
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

// DropTool removes a search tool.
func (l *Ledger) DropTool(kind, name string) error {
	key := []byte(toolKey(kind, name))
	return l.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(bucketTools)).Delete(key) })
}
