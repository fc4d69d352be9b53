package dev_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/fleet/dev"
)

func TestServerSaysWhyItDoesNotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := dev.Start(filepath.Join(file, "below"))
	if err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got %v, want a reason", err)
	}
}
