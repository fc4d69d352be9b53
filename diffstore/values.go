package diffstore

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/s2"
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
	if err := decodeValue(raw, v); err != nil {
		return false, fmt.Errorf("decode %s of %s: %w: %w", bucket, key, ErrDamaged, err)
	}
	return true, nil
}

// valuesIn returns all values of a bucket by their keys.
func valuesIn[T any](tx *bolt.Tx, bucket string) (map[string]T, error) {
	values := map[string]T{}
	b := tx.Bucket([]byte(bucket))
	if b == nil {
		return values, nil
	}
	err := b.ForEach(func(k, raw []byte) error {
		var v T
		if err := decodeValue(raw, &v); err != nil {
			return fmt.Errorf("decode %s of %s: %w: %w", bucket, k, ErrDamaged, err)
		}
		values[string(k)] = v
		return nil
	})
	return values, err
}

// putAll puts values by their keys, in order: equal ledgers have equal files.
func putAll[T any](tx *bolt.Tx, bucket string, values map[string]T) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := putIn(tx, bucket, key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

// decodeValue reads a value as putIn writes it.
func decodeValue(raw []byte, v any) error {
	if len(raw) > 0 && raw[0] == packed {
		n, err := s2.DecodedLen(raw[1:])
		if err != nil || n > unpackMost {
			return fmt.Errorf("unpack %d bytes: %w", n, s2.ErrCorrupt)
		}
		if raw, err = s2.Decode(nil, raw[1:]); err != nil {
			return err
		}
	}
	return cbor.Unmarshal(raw, v)
}

func putIn(tx *bolt.Tx, bucket, key string, v any) error {
	raw, err := cbor.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", bucket, key, err)
	}
	if len(raw) >= packFrom {
		raw = append([]byte{packed}, s2.EncodeBest(nil, raw)...)
	}
	b := tx.Bucket([]byte(bucket))
	b.FillPercent = fill
	return b.Put([]byte(key), raw)
}

// fill is how full pages of the file are left: most keys are written in order.
const fill = 0.9

// A value of some size, such as the summary of a run with the health of many groups, is
// compressed behind packed, which begins no CBOR item (RFC 8949, section 3.2.1).
const (
	packed     = 0xff
	packFrom   = 512      // bytes
	unpackMost = 64 << 20 // bytes
)
