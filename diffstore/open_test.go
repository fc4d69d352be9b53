package diffstore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestOpenReadMissing: a missing ledger is an empty one and stays missing, folder
// and all.
func TestOpenReadMissing(t *testing.T) {
	path := newPath(t)
	ledger, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := readEverything(ledger); err != nil {
		t.Error(err)
	}
	if rec, err := ledger.Get(url); rec != nil || err != nil {
		t.Errorf("Get = %v, %v", rec, err)
	}
	if _, found, err := ledger.Target(); found || err != nil {
		t.Errorf("Target: %v, %v", found, err)
	}
	if run, found, err := ledger.Run(""); found || err != nil {
		t.Errorf("Run = %v, %v, %v", run, found, err)
	}
	refusesWrites(t, ledger)
	if err := ledger.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was created: %v", err)
	}
}

func TestOpenReadCannotWrite(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	was, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v, %v", info.Mode(), err, statErr)
	}
	ledger, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	refusesWrites(t, ledger)
	if err := errors.Join(readEverything(ledger), ledger.Close()); err != nil {
		t.Error(err)
	}
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, was) {
		t.Errorf("the file was changed (%v)", err)
	}
}

func refusesWrites(t *testing.T, ledger *diffstore.Ledger) {
	t.Helper()
	for name, err := range map[string]error{
		"Begin":     ledger.Begin(document.PlanHeader{Target: testTarget()}),
		"Step":      ledger.Step("run", acknowledged(change(document.Put, url, titled("x")))),
		"Finish":    ledger.Finish(document.PlanTrailer{}),
		"Approve":   ledger.Approve([]document.Entry{{ID: url}}, false),
		"MarkDoubt": ledger.MarkDoubt([]string{url}, "x", true),
		"Adopt":     ledger.Adopt(testTarget()),
	} {
		if err == nil {
			t.Errorf("%s wrote a ledger that is open for reading", name)
		}
	}
}

// TestOpenReadUnborn: a kill between the creation of the file and its first page
// leaves an empty file, and so an empty ledger.
func TestOpenReadUnborn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitesync.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ledger, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(readEverything(ledger), ledger.Close()); err != nil {
		t.Error(err)
	}
	if generation, err := open(t, path, true).Generation(); generation != 0 || err != nil {
		t.Errorf("opened for writing: generation %d, %v", generation, err)
	}
}

func TestOpenLocked(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	writer := open(t, path, true)
	opens := map[string]func(string) (*diffstore.Ledger, error){
		"read":  diffstore.OpenRead,
		"write": func(path string) (*diffstore.Ledger, error) { return diffstore.Open(path, true) },
	}
	for name, open := range opens {
		if _, err := open(path); !errors.Is(err, diffstore.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s beside a writer: %v", name, err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // readers share
		reader, err := diffstore.OpenRead(path)
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
	}
	if _, err := opens["write"](path); !errors.Is(err, diffstore.ErrLocked) {
		t.Errorf("write beside readers: %v", err)
	}
}

// TestOpenOtherSchema: a ledger of another schema is refused with a line that says what to
// do, and left as it is.
func TestOpenOtherSchema(t *testing.T) {
	for schema, next := range map[uint64]string{diffstore.Schema + 1: "install a newer sitesync", diffstore.Schema - 1: "sitesync adopt", 1: "sitesync adopt"} {
		path := newPath(t)
		fill(t, path)
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("meta")).Put([]byte("schema"), binary.BigEndian.AppendUint64(nil, schema))
		})
		was, readErr := os.ReadFile(path)
		if err := errors.Join(err, readErr, db.Close()); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first refusal must not hold the file
			_, readErr := diffstore.OpenRead(path)
			_, writeErr := diffstore.Open(path, true)
			for _, err := range []error{readErr, writeErr, diffstore.CheckApart(t.Context(), path)} {
				if !errors.Is(err, diffstore.ErrVersion) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), next) {
					t.Errorf("schema %d: got %v", schema, err)
				}
			}
		}
		if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, was) {
			t.Errorf("schema %d: the file was changed (%v)", schema, err)
		}
	}
}

// TestOpenOther: what is no ledger is refused with a line that names it, and left
// as it is.
func TestOpenOther(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	text := bytes.Repeat([]byte("<p>Not a ledger.</p>\n"), 2000)
	if err := os.WriteFile(page, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, page} {
		_, readErr := diffstore.OpenRead(path)
		_, writeErr := diffstore.Open(path, true)
		for _, err := range []error{readErr, writeErr} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", path, err)
			}
			if errors.Is(err, diffstore.ErrDamaged) != (path == page) { // a folder is what the system does not read
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if got, err := os.ReadFile(page); err != nil || !bytes.Equal(got, text) {
		t.Errorf("the file was changed (%v)", err)
	}
}
