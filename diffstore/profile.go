package diffstore

import (
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Profile returns what was learned of the site, by section; nil when nothing was.
func (l *Ledger) Profile() (profile document.Profile, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucketProfile))
		if b == nil {
			return nil
		}
		return b.ForEach(func(k, v []byte) error {
			var section document.Section
			if err := decodeValue(v, &section); err != nil {
				return fmt.Errorf("decode profile of %s: %w: %w", k, ErrDamaged, err)
			}
			if profile == nil {
				profile = document.Profile{}
			}
			profile[string(k)] = section
			return nil
		})
	})
	return profile, err
}

// Learn keeps the sections of profile, which are new or changed.
func (l *Ledger) Learn(profile document.Profile) error {
	if len(profile) == 0 {
		return nil
	}
	return l.update(func(tx *bolt.Tx) error {
		for key, section := range profile {
			if err := putIn(tx, bucketProfile, key, section); err != nil {
				return err
			}
		}
		return nil
	})
}
