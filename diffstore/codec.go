package diffstore

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
	bolt "go.etcd.io/bbolt"
)

// get decodes the value under key into v and reports whether there is one.
func (l *Ledger) get(bucket, key string, v any) (found bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		found, err = getIn(tx, bucket, key, v)
		return err
	})
	return found, err
}

func getIn(tx *bolt.Tx, bucket, key string, v any) (bool, error) {
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return false, nil
	}
	raw := b.Get([]byte(key))
	if raw == nil {
		return false, nil
	}
	if err := cbor.Unmarshal(raw, v); err != nil {
		return false, fmt.Errorf("decode %s of %s: %w: %w", bucket, key, ErrDamaged, err)
	}
	return true, nil
}

func putIn(tx *bolt.Tx, bucket, key string, v any) error {
	raw, err := cbor.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", bucket, key, err)
	}
	return tx.Bucket([]byte(bucket)).Put([]byte(key), raw)
}

func deleteIn(tx *bolt.Tx, bucket, key string) error {
	return tx.Bucket([]byte(bucket)).Delete([]byte(key))
}
