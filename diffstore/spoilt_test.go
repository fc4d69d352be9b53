package diffstore

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
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
			return errors.Join(layOut(tx), tx.Bucket([]byte(bucketMeta)).Put([]byte(key), []byte{0xff, 1, 2}))
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if err := Check(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want %v", key, err, ErrDamaged)
		}
	}
}

// An acknowledged text that can't be read is as good as none, and so is one that is longer
// than is read: no run ends for it, and the next patch or put of that document is recorded.
func TestDamagedText(t *testing.T) {
	ledger, err := Open(filepath.Join(t.TempDir(), "sitesync.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	for id, stored := range map[string][]byte{
		"no Zstandard": []byte("rubbish"),
		"no JSON":      ledger.enc.EncodeAll([]byte("rubbish"), nil),
		"null":         ledger.enc.EncodeAll([]byte("null"), nil),
		"too long":     ledger.enc.EncodeAll(bytes.Repeat([]byte(" "), unpackMost+1), nil),
	} {
		if err := ledger.update(func(tx *bolt.Tx) error { return putRaw(tx, bucketText, id, stored) }); err != nil {
			t.Fatal(err)
		}
		if _, found, err := ledger.Text(id); err != nil || found {
			t.Errorf("%s: found %t, %v", id, found, err)
		}
		doc := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": "new"}}
		patch := document.Change{Op: document.Patch, ID: id, Doc: doc.Wire(), Next: &document.Record{ID: id}}
		batch := document.Batch{Settled: []document.Settled{{Change: patch, Outcome: document.Outcome{ID: id, State: document.Acknowledged}}}}
		if err := ledger.Step("run", batch); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}
