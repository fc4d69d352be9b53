package diffstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestLend: while a run waits for the service, others read what it wrote so far. It goes on
// once they are done, gives up on them only when it is interrupted, and never writes to
// another file.
func TestLend(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	ledger := open(t, path, true)
	if err := beginIn(ledger, 0, testTarget()); err != nil {
		t.Fatal(err)
	}
	send(t, ledger, "1", document.Acknowledged, "", change(document.Put, pageID(1), titled("One")))
	var readers []*diffstore.Ledger
	reads := func() error {
		reader, err := diffstore.OpenRead(path)
		if err != nil {
			t.Fatal(err)
		}
		get(t, reader, pageID(1))
		readers = append(readers, reader)
		return nil
	}
	failed := errors.New("no answer")
	err := ledger.Lend(t.Context(), func() error { return errors.Join(reads(), readers[0].Close(), failed) })
	if !errors.Is(err, failed) || errors.Is(err, diffstore.ErrLocked) {
		t.Errorf("lent: %v", err)
	}
	waited := make(chan error)
	if err := ledger.Lend(t.Context(), func() error {
		err := reads()
		go func() { waited <- readers[1].Close() }() // about when the run wants it back
		return err
	}); err != nil {
		t.Errorf("beside a reader that ends: %v", err)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
	send(t, ledger, "1", document.Acknowledged, "", change(document.Put, pageID(2), titled("Two")))
}

// TestLendInterrupted: an interrupted run waits for no reader, and what it can't record is
// an error, never a panic.
func TestLendInterrupted(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	fill(t, path)
	ledger := open(t, path, true)
	ctx, cancel := context.WithCancel(t.Context())
	if err := ledger.Lend(ctx, func() error {
		reader, err := diffstore.OpenRead(path)
		t.Cleanup(func() { _ = reader.Close() })
		cancel()
		return err
	}); !errors.Is(err, diffstore.ErrLocked) {
		t.Errorf("lent: %v", err)
	}
	if err := ledger.Step("2", document.Batch{Observed: []document.Observation{{ID: pageID(1)}}}); err == nil {
		t.Error("a ledger that was not given back is written")
	}
}

// TestLendElsewhere: what is put in the ledger's place meanwhile is left alone.
func TestLendElsewhere(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"nothing":        func(string) error { return nil },
		"another ledger": func(path string) error { fill(t, path); return nil },
	} {
		path := newPath(t)
		fill(t, path)
		ledger := open(t, path, true)
		err := ledger.Lend(t.Context(), func() error { return errors.Join(os.Rename(path, path+".away"), put(path)) })
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if err := ledger.Step("2", document.Batch{Observed: []document.Observation{{ID: pageID(1)}}}); err == nil {
			t.Errorf("%s is written", name)
		}
		if _, err := os.Stat(path); name == "nothing" && err == nil {
			t.Error("a new ledger was made")
		}
	}
}

// TestDetach: who reads a copy sees what was there, and keeps nobody from writing.
func TestDetach(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	fill(t, path)
	reader, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "ledger")
	if err := reader.Detach(copied); err != nil {
		t.Fatal(err)
	}
	writer := open(t, path, true)
	send(t, writer, "2", document.Acknowledged, "", change(document.Delete, pageID(1), nil))
	get(t, reader, pageID(1))
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info, err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	none, err := diffstore.OpenRead(path + ".none")
	if err := errors.Join(err, none.Detach(fmt.Sprint(copied, 2)), none.Close()); err != nil {
		t.Errorf("a missing ledger: %v", err)
	}
}
