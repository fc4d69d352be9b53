package diffstore

import bolt "go.etcd.io/bbolt"

// Shared returns the first ID that is a document's in both ledgers; empty when there is
// none, or none was found in so many steps. A step passes over all that one ledger has
// before the other's next ID.
func Shared(a, b *Ledger, steps int) (shared string, err error) {
	err = a.view(func(mine *bolt.Tx) error {
		return b.view(func(theirs *bolt.Tx) error {
			shared, err = sharedIn(mine.Bucket([]byte(bucketRecords)), theirs.Bucket([]byte(bucketRecords)), steps)
			return err
		})
	})
	return shared, err
}

func sharedIn(a, b *bolt.Bucket, steps int) (string, error) {
	if a == nil || b == nil {
		return "", nil
	}
	one, other := a.Cursor(), b.Cursor()
	k, v := one.First()
	for ; k != nil && steps > 0; steps-- {
		k2, v2 := other.Seek(k)
		if string(k2) != string(k) { // it is the other's turn to catch up
			one, other, k, v = other, one, k2, v2
			continue
		}
		both, err := bothDocuments(string(k), v, v2)
		if both || err != nil {
			return string(k), err
		}
		k, v = one.Next()
	}
	return "", nil
}

func bothDocuments(id string, a, b []byte) (bool, error) {
	for _, data := range [...][]byte{a, b} {
		rec, err := decodeRecord(id, data, true)
		if err != nil || !rec.IsDocument() {
			return false, err
		}
	}
	return true, nil
}
