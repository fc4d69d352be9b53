package diffstore

import (
	"errors"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestCheckHead: whatever of a ledger's head is spoilt, a check finds it.
func TestCheckHead(t *testing.T) {
	for _, key := range []string{"target", "rules", "last", "mode", "generation", keyRetention, keyIdentity, keyBulk} {
		path := filepath.Join(t.TempDir(), "sitesync.db")
		db, err := openFile(path, false, lockWait)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bolt.Tx) error {
			return errors.Join(layOut(tx), tx.Bucket([]byte(bucketMeta)).Put([]byte(key), []byte{packed, 1, 2}))
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if err := Check(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want %v", key, err, ErrDamaged)
		}
	}
}
