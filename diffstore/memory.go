package diffstore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Host returns what is remembered of a host; zero when nothing is.
func (l *Ledger) Host(origin string) (memory document.HostMemory, err error) {
	_, err = l.get(bucketHosts, origin, &memory)
	return memory, err
}

// Profile returns what was learned of the site, by section; nil when nothing was.
func (l *Ledger) Profile() (profile document.Profile, err error) {
	return values[document.Section](l, bucketProfile)
}

// Learn keeps the sections of profile, which are new or changed.
func (l *Ledger) Learn(profile document.Profile) error {
	if len(profile) == 0 {
		return nil
	}
	return l.update(func(tx *bolt.Tx) error { return putAll(tx, bucketProfile, profile) })
}

// Rules returns the rules by which every document was made when a run was last complete; nil
// if none was.
func (l *Ledger) Rules() (rules document.Rules, err error) {
	_, err = l.get(bucketMeta, keyRules, &rules)
	return rules, err
}

// Retention returns the retention rules, as written, that had an effect before.
func (l *Ledger) Retention() (rules []string, err error) {
	_, err = l.get(bucketMeta, keyRetention, &rules)
	return rules, err
}

// Mode returns the push.mode of the last apply; "documents" if none was set.
func (l *Ledger) Mode() (mode string, err error) {
	found, err := l.get(bucketMeta, keyMode, &mode)
	if err == nil && !found {
		mode = "documents"
	}
	return mode, err
}

// SetMode changes the mode. Every document is in doubt then: neither mode knows what the other
// left in the index.
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

// ReadAs makes this Ledger show every document in doubt if the mode is another one: SetMode
// will write the same.
func (l *Ledger) ReadAs(mode string) error {
	reason, err := l.modeChange(mode)
	l.doubt = cmp.Or(reason, l.doubt)
	return err
}

// modeChange returns why every document is in doubt once the mode is set; empty when
// it is that already, or none is given.
func (l *Ledger) modeChange(mode string) (reason string, err error) {
	before, err := l.Mode()
	if err != nil || mode == "" || before == mode {
		return "", err
	}
	return fmt.Sprintf("push.mode was %s and is %s", before, mode), nil
}

// approval is the key of one approved change. The cause of a delete belongs to it: an
// approval for one cause does not cover another. An update keeps its approval whatever
// call it takes: after a kill, the next run puts what this one was about to patch.
func approval(e *document.Entry) string {
	op, cause := e.Op, e.Cause
	if op == document.Put || op == document.Patch {
		op, cause = "update", ""
	}
	return fmt.Sprintf("%s\x00%s\x00%s", op, cause, e.ID)
}

// Approve stores approvals for exactly the given held changes. Each is good for any brake that
// would hold the change next, until the change is sent, or a complete run finds it no longer
// due. withdraw takes the approvals back.
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

// Approved reports whether a change was approved. An update whose text is unlike the one that
// was shown is another change.
func (l *Ledger) Approved(e *document.Entry) (approved bool, err error) {
	err = l.view(func(tx *bolt.Tx) (err error) {
		var shown document.Print
		approved, err = getIn(tx, bucketApprovals, approval(e), &shown)
		approved = approved && (shown == e.Print || shown.Like(e.Print))
		return err
	})
	return approved, err
}

// union returns the strings of both lists, in order, each once.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// keyToolPin is the key of the tools' target. The keys of tools hold a zero byte, this does not.
const keyToolPin = "target"

// ErrOtherTools is returned when the ledger's search tools are those of another engine.
var ErrOtherTools = errors.New("the ledger knows the search tools of another engine")

func toolKey(kind, name string) string { return kind + "\x00" + name }

// Tools returns the search tools that the ledger knows, by kind and name. It errs with
// ErrOtherTools when they are pinned to another target.
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

// DropTool forgets a search tool.
func (l *Ledger) DropTool(kind, name string) error {
	return l.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(bucketTools)).Delete([]byte(toolKey(kind, name))) })
}
