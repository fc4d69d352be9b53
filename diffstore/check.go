package diffstore

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Check reads all that the ledger at path holds, but for texts, which nothing hangs
// on: 0.2 s for 100,000 documents. It errs with ErrDamaged where something can't be
// read, ErrNewer or ErrLocked; a missing ledger is sound. What bbolt makes of a bad
// page can end the process: CheckApart is for that.
func Check(path string) (err error) {
	l, err := OpenRead(path)
	if err != nil || l.db == nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	schema, err := l.number("schema")
	if err != nil {
		return err
	}
	return l.view(func(tx *bolt.Tx) (fault error) {
		for err := range tx.Check() { // the tree of pages and the list of free ones; bbolt waits until all faults are taken
			if fault == nil {
				fault = fmt.Errorf("%w: %w", ErrDamaged, err)
			}
		}
		if fault != nil {
			return fault
		}
		return l.checkAll(tx, schema)
	})
}

func (l *Ledger) checkAll(tx *bolt.Tx, schema uint64) error {
	if first, _ := tx.Cursor().First(); schema == 0 && first == nil {
		return nil // killed at birth
	}
	for _, name := range buckets {
		b := tx.Bucket([]byte(name))
		if b == nil {
			if schema < Schema { // it gets what is missing when it is written next
				continue
			}
			return fmt.Errorf("%w: its part %q is missing", ErrDamaged, name)
		}
		err := b.ForEach(func(k, v []byte) error {
			err := l.checkValue(name, string(k), v)
			if err != nil && !errors.Is(err, ErrDamaged) {
				err = fmt.Errorf("%w: %s of %q: %w", ErrDamaged, name, k, err)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkValue errs where a value is not what its bucket holds.
func (l *Ledger) checkValue(bucket, key string, value []byte) (err error) {
	switch bucket {
	case bucketRecords:
		_, err = decodeRecord(key, value, false)
	case bucketChanges:
		_, err = l.dec.DecodeAll(value, nil) // there is a checksum in it
	case bucketHosts:
		err = decodeValue(value, new(document.HostMemory))
	case bucketProfile:
		err = decodeValue(value, new(document.Section))
	case bucketRuns, bucketUnsent:
		err = decodeValue(value, new(document.Summary))
	case bucketTools:
		if key == keyToolPin {
			return decodeValue(value, new(document.ToolTarget))
		}
		err = decodeValue(value, new(document.Tool))
	case bucketMeta:
		switch key {
		case "target":
			err = decodeValue(value, new(document.Target))
		case keyRules:
			err = decodeValue(value, new(document.Rules))
		case keyRetention:
			err = decodeValue(value, new([]string))
		case keyLast, keyMode, keyIdentity, bulkKey:
			err = decodeValue(value, new(string))
		case "schema", "generation":
			if len(value) != 8 {
				err = fmt.Errorf("it has %d bytes", len(value))
			}
		}
	}
	return err
}
