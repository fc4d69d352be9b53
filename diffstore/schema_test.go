package diffstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// oldLedger writes a ledger as schema 1 had it, and returns the file.
func oldLedger(t *testing.T, path string) []byte {
	t.Helper()
	db, err := openFile(path, false, lockWait)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		err := beginLedger(tx)
		rec := fullRecord(t)
		rec.Push = document.PushOK
		return errors.Join(err, tx.DeleteBucket([]byte(bucketProfile)), tx.DeleteBucket([]byte(bucketUnsent)), putNumber(tx, "schema", 1), putNumber(tx, "generation", 7),
			tx.Bucket([]byte(bucketRecords)).Put([]byte("id"), plain(rec)))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestMigrate: an older ledger is read as it is, and migrated when it is to be
// written, after it was copied; where it can't be copied, it stays as it was.
func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitesync.db")
	old := oldLedger(t, path)
	want := fullRecord(t)
	want.ID, want.Push = "id", document.PushOK
	sound := func(schema uint64) {
		t.Helper()
		if err := Check(path); err != nil {
			t.Error(err)
		}
		l, err := OpenRead(path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		rec, recErr := l.Get("id")
		profile, profileErr := l.Profile()
		generation, _ := l.Generation()
		is, schemaErr := l.number("schema")
		if err := errors.Join(recErr, profileErr, schemaErr); err != nil || !reflect.DeepEqual(rec, want) || profile != nil || generation != 7 || is != schema {
			t.Errorf("schema %d: %+v, generation %d, %v", is, rec, generation, err)
		}
	}
	sound(1)

	if err := os.MkdirAll(filepath.Join(path+".schema-1", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if l, err := Open(path, true); err == nil {
		l.Close()
		t.Fatal("migrated without a copy")
	}
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, old) {
		t.Errorf("the ledger was changed: %v", err)
	}
	if err := os.RemoveAll(path + ".schema-1"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".schema-1", old[:100], 0o600); err != nil { // a kill before the migration
		t.Fatal(err)
	}
	for range 2 {
		l, err := Open(path, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		sound(Schema)
	}
	if is, err := os.ReadFile(path + ".schema-1"); err != nil || !bytes.Equal(is, old) {
		t.Errorf("the copy is not what was there: %v", err)
	}
	if err := os.Rename(path+".schema-1", path); err != nil {
		t.Fatal(err)
	}
	sound(1)
}

// FuzzPages: no file makes the reader of pages panic, or read without end.
func FuzzPages(f *testing.F) {
	path := filepath.Join(f.TempDir(), "sitesync.db")
	l, err := Open(path, true)
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(l.MarkDoubt([]string{"https://a.example/1", "https://a.example/2"}, "x"), l.Close()); err != nil {
		f.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[4096:])
	f.Add(bytes.Repeat([]byte{2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 255, 255, 1, 0, 0, 0}, 1000))
	f.Fuzz(func(t *testing.T, raw []byte) {
		pages := openPages(bytes.NewReader(raw), int64(len(raw)))
		visits := 0
		pages.buckets(func(string) bool { return true }, func(string, string, []byte) { visits++ })
		pages.strays(func(string, []byte) { visits++ })
		if visits > len(raw)/8 {
			t.Errorf("%d visits of %d bytes", visits, len(raw))
		}
	})
}
