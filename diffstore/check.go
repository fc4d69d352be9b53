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
	return l.view(func(tx *bolt.Tx) error {
		if err := checkTree(tx); err != nil {
			return err
		}
		return l.checkAll(tx, schema)
	})
}

// checkTree errs with the first fault of the tree of pages and the list of free
// ones. bbolt looks on while it tells, so all faults are taken.
func checkTree(tx *bolt.Tx) (first error) {
	for err := range tx.Check() {
		if first == nil {
			first = fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	return first
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
	case bucketMeta:
		err = checkHead(key, value)
	case bucketTools:
		if key == keyToolPin {
			return decodeValue(value, new(document.ToolTarget))
		}
		err = decodeValue(value, new(document.Tool))
	}
	return err
}

// checkHead errs where a value of the ledger's head is not what its readers expect.
func checkHead(key string, value []byte) error {
	switch key {
	case "target":
		return decodeValue(value, new(document.Target))
	case "rules":
		return decodeValue(value, new(document.Rules))
	case keyRetention:
		return decodeValue(value, new([]string))
	case "last", "mode", keyIdentity, bulkKey:
		return decodeValue(value, new(string))
	case "schema", "generation":
		if len(value) != 8 {
			return fmt.Errorf("it has %d bytes", len(value))
		}
	}
	return nil
}
