package run

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"sitesync/diffstore"
)

// A run that is about to write waits for a backup to end, and no longer than it is let.
func TestPatiently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitesync.db")
	open := func() (*diffstore.Ledger, error) { return diffstore.Open(path, true) }
	ledger, err := open()
	if err := errors.Join(err, ledger.Close()); err != nil {
		t.Fatal(err)
	}
	reader, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := patiently(ctx, open); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	ledger, err = patiently(t.Context(), func() (*diffstore.Ledger, error) {
		ledger, err := open()
		if errors.Is(err, diffstore.ErrLocked) {
			err = errors.Join(err, reader.Close())
		}
		return ledger, err
	})
	if err := errors.Join(err, ledger.Close()); err != nil {
		t.Error(err)
	}
}
