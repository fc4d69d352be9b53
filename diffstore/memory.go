package diffstore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Host returns what the ledger (the record of earlier runs) keeps of a host; the zero value if it has
// nothing.
func (l *Ledger) Host(origin string) (memory document.HostMemory, err error) {
	_, err = l.get(bucketHosts, origin, &memory)
	return memory, err
}

// Profile returns the text that the pages of each section (origin or top folder) share, or nil if none is
// stored.
func (l *Ledger) Profile() (profile document.Profile, err error) {
	return values[document.Section](l, bucketProfile)
}

// Learn stores the sections in profile, which are new or changed. Other stored sections stay.
func (l *Ledger) Learn(profile document.Profile) error {
	if len(profile) == 0 {
		return nil
	}
	return l.update(func(tx *bolt.Tx) error { return putAll(tx, bucketProfile, profile) })
}

// Rules returns hashes of the rules by which the last complete run made documents; nil before the first
// complete run.
func (l *Ledger) Rules() (rules document.Rules, err error) {
	_, err = l.get(bucketMeta, keyRules, &rules)
	return rules, err
}

// Retention returns the retention rules that have deleted something, as written in the configuration.
func (l *Ledger) Retention() (rules []string, err error) {
	_, err = l.get(bucketMeta, keyRetention, &rules)
	return rules, err
}

// Mode returns the setting push.mode of the last sending run; "documents" if the ledger has none.
func (l *Ledger) Mode() (mode string, err error) {
	found, err := l.get(bucketMeta, keyMode, &mode)
	if err == nil && !found {
		mode = "documents"
	}
	return mode, err
}

// SetMode stores the setting push.mode. If the mode changes, SetMode marks every document as "doubt": the
// service may or may not hold the document.
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

// ReadAs makes l return all documents as "doubt" if mode differs from the stored mode. It writes nothing.
func (l *Ledger) ReadAs(mode string) error {
	reason, err := l.modeChange(mode)
	l.doubt = cmp.Or(reason, l.doubt)
	return err
}

func (l *Ledger) modeChange(mode string) (reason string, err error) {
	before, err := l.Mode()
	if err != nil || mode == "" || before == mode {
		return "", err
	}
	return fmt.Sprintf("push.mode was %s and is %s", before, mode), nil
}

// approval returns the key under which the approval of the change e is stored. A put and a patch share a key:
// after a killed run, a put may replace an approved patch. The keys of other changes contain the cause.
func approval(e *document.Entry) string {
	op, cause := e.Op, e.Cause
	if op == document.Put || op == document.Patch {
		op, cause = "update", ""
	}
	return fmt.Sprintf("%s\x00%s\x00%s", op, cause, e.ID)
}

// Approve stores approvals of held changes (changes that a limit stopped). An approved change passes every
// limit that an approval can release. Its approval ends when the change is sent, or when a complete run finds
// that it is no longer due. If withdraw is true, Approve removes the approvals instead.
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

// Approved reports whether the change e was approved while its document had the same or nearly the same text.
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

// keyToolPin is the key under which the search engine of the search tools (such as rankings) is stored. The
// keys of the tools contain a zero byte, so none of them equals keyToolPin.
const keyToolPin = "target"

// ErrOtherTools means that the ledger's search tools belong to another search engine.
var ErrOtherTools = errors.New("the ledger knows the search tools of another engine")

func toolKey(kind, name string) string { return kind + "\x00" + name }

// Tools returns all search tools. It errs with ErrOtherTools if they belong to another engine than target.
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

// PutTool stores a search tool, and notes that the ledger's tools belong to target. It errs as Tools does.
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
