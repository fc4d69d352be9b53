package diffstore

import (
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
		profile = document.Profile{}
		return b.ForEach(func(k, _ []byte) error {
			var section document.Section
			_, err := getIn(tx, bucketProfile, string(k), &section)
			profile[string(k)] = section
			return err
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
		if _, err := tx.CreateBucketIfNotExists([]byte(bucketProfile)); err != nil { // ledgers of schema 1 are older than it
			return err
		}
		for key, section := range profile {
			if err := putIn(tx, bucketProfile, key, section); err != nil {
				return err
			}
		}
		return nil
	})
}
