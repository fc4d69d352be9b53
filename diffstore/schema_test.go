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
		err := (&Ledger{}).layOut(tx)
		rec := fullRecord(t)
		rec.Push = document.PushOK
		return errors.Join(err, tx.DeleteBucket([]byte(bucketProfile)), tx.DeleteBucket([]byte(bucketUnsent)), tx.Bucket([]byte(bucketMeta)).Delete([]byte(keyIdentity)), putNumber(tx, "schema", 1), putNumber(tx, "generation", 7),
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
	want := older(fullRecord(t))
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

// TestMigrateFile: a ledger that schema 2 wrote holds the same after its migration, has
// an identity that stays, and is left as a copy.
func TestMigrateFile(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("testdata", "schema-2.ledger"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sitesync.db")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	before := everything(t, path)
	if len(before["records"].(map[string]document.Record)) != 23 || before["schema"] != uint64(2) || before["identity"] != "" {
		t.Fatalf("%+v", before)
	}
	for range 2 {
		l, err := Open(path, true)
		if err := errors.Join(err, l.Close(), Check(path)); err != nil {
			t.Fatal(err)
		}
		after := everything(t, path)
		if after["schema"] != uint64(Schema) || len(after["identity"].(string)) < 20 {
			t.Errorf("schema %v, identity %v", after["schema"], after["identity"])
		}
		if before["identity"] == "" {
			before["schema"], before["identity"] = after["schema"], after["identity"]
		}
		for what := range before {
			if !reflect.DeepEqual(after[what], before[what]) {
				t.Errorf("%s: %+v, was %+v", what, after[what], before[what])
			}
		}
	}
	if is, err := os.ReadFile(path + ".schema-2"); err != nil || !bytes.Equal(is, old) {
		t.Errorf("the copy is not what was there: %v", err)
	}
}

// everything reads all that a ledger holds.
func everything(t *testing.T, path string) map[string]any {
	t.Helper()
	l, err := OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	records, texts := map[string]document.Record{}, map[string]document.Document{}
	errs := []error{l.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		rec, err := decode(false)
		if err == nil {
			records[id] = *rec
		}
		doc, found, textErr := l.Text(id)
		if found {
			texts[id] = doc
		}
		return errors.Join(err, textErr)
	})}
	var runs []document.Summary
	for run, err := range l.History() {
		runs, errs = append(runs, run), append(errs, err)
	}
	var entries []document.Entry
	for entry, err := range l.Entries("run-1") {
		entries, errs = append(entries, entry), append(errs, err)
	}
	all := map[string]any{"records": records, "texts": texts, "runs": runs, "entries": entries}
	add := func(what string, v any, err error) { all[what], errs = v, append(errs, err) }
	generation, err := l.Generation()
	add("generation", generation, err)
	schema, err := l.number("schema")
	add("schema", schema, err)
	target, _, err := l.Target()
	add("target", target, err)
	hosts, err := l.Hosts()
	add("hosts", hosts, err)
	profile, err := l.Profile()
	add("profile", profile, err)
	rules, err := l.Rules()
	add("rules", rules, err)
	retention, err := l.Retention()
	add("retention", retention, err)
	mode, err := l.Mode()
	add("mode", mode, err)
	tools, err := l.Tools(document.ToolTarget{Base: "https://api.example.com", Customer: 10000001})
	add("tools", tools, err)
	approved, err := l.Approved(&document.Change{Op: document.Delete, ID: "https://www.example.com/page/0003", Cause: document.CauseGone})
	add("approved", approved, err)
	var identity string
	_, err = l.get(bucketMeta, keyIdentity, &identity)
	add("identity", identity, err)
	if err := errors.Join(errs...); err != nil || len(texts) != 20 || len(runs) != 2 || len(entries) == 0 || len(hosts) == 0 || profile == nil || rules == nil || len(retention) == 0 || mode != "queue" || len(tools) != 1 || !approved {
		t.Fatalf("%+v, %v", all, err)
	}
	return all
}
