package diffstore

import (
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// firstMode is the mode of a ledger that was never told one.
const firstMode = "documents"

// Mode returns how the service was told of changes: a word of the caller's, "documents"
// where none was set.
func (l *Ledger) Mode() (mode string, err error) {
	found, err := l.get(bucketMeta, "mode", &mode)
	if err == nil && !found {
		mode = firstMode
	}
	return mode, err
}

// SetMode changes the mode. Every document is in doubt then, as ModeChange says: what
// one way of telling left in the index is nothing that the other knows.
func (l *Ledger) SetMode(mode string) error {
	reason, err := l.ModeChange(mode)
	if reason == "" || err != nil {
		return err
	}
	if err := l.DoubtAll(reason); err != nil {
		return err
	}
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, "mode", mode) })
}

// ModeChange returns why every document is in doubt once the mode is set; empty when
// it is that already, or none is given.
func (l *Ledger) ModeChange(mode string) (reason string, err error) {
	before, err := l.Mode()
	if err != nil || mode == "" || before == mode {
		return "", err
	}
	return fmt.Sprintf("push.mode was %s and is %s", before, mode), nil
}
