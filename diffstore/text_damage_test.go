package diffstore_test

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// An acknowledged text that can't be read is as good as none, and so is one that is longer
// than is read: no run ends for it, and the next patch or put of that document is recorded.
func TestDamagedText(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, stored := range map[string][]byte{
		"no Zstandard": []byte("rubbish"),
		"no JSON":      enc.EncodeAll([]byte("rubbish"), nil),
		"null":         enc.EncodeAll([]byte("null"), nil),
		"too long":     enc.EncodeAll(bytes.Repeat([]byte(" "), 64<<20+1), nil),
	} {
		path := newPath(t)
		ledger := open(t, path, true)
		step(t, ledger, "run-1", acknowledged(change(document.Put, url, titled("old"))))
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("text")).Put([]byte(url), stored) }); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		ledger = open(t, path, true)
		if _, found, err := ledger.Text(url); err != nil || found {
			t.Errorf("%s: found %t, %v", name, found, err)
		}
		step(t, ledger, "run-2", acknowledged(change(document.Patch, url, titled("new"))))
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
