//go:build unix

package plan_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	planfile "sitesync/diffstore/plan"
)

// TestPlanIsNoFile: what is no ordinary file is refused and not waited for, and where the disk
// does not give a file, the plan is not called damaged.
func TestPlanIsNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := planfile.Open(pipe); !errors.Is(err, planfile.ErrInvalid) || !strings.Contains(err.Error(), "no ordinary file") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "plan")
	plan, err := openBytes(t, path, smallPlan(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, err := range plan.Changes() {
		if errors.Is(err, planfile.ErrInvalid) || !errors.Is(err, syscall.EISDIR) || !strings.Contains(err.Error(), "the disk does not give it") {
			t.Error(err)
		}
	}
}
