package diffstore_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// left returns how many files the folder of a ledger holds: none is left of a copy that failed.
func left(t *testing.T, path string) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// TestKeepCopy: the copy is the ledger as it stands, whole. It takes the place of an earlier
// one, never that of anything else.
func TestKeepCopy(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	bak := diffstore.CopyPath(path)
	for range 2 {
		if err := errors.Join(diffstore.KeepCopy(t.Context(), path), diffstore.CheckApart(t.Context(), bak)); err != nil {
			t.Fatal(err)
		}
		copied := open(t, bak, true)
		if rec := get(t, copied, pageID(5)); rec.Push != document.PushOK || left(t, path) != 2 {
			t.Errorf("%+v, %d files", rec, left(t, path))
		}
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(bak); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	done, end := context.WithCancel(t.Context())
	end()
	if err := diffstore.KeepCopy(done, path); err == nil || left(t, path) != 2 {
		t.Errorf("interrupted: %v, %d files", err, left(t, path))
	}
	notes := bytes.Repeat([]byte("my notes\n"), 2000)
	if err := os.WriteFile(bak, notes, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := diffstore.KeepCopy(t.Context(), path); err == nil || !strings.Contains(err.Error(), bak+" is not a sound ledger and was left as it is") {
		t.Errorf("a text in its place: %v", err)
	}
	if is, err := os.ReadFile(bak); err != nil || !bytes.Equal(is, notes) || left(t, path) != 2 {
		t.Errorf("it was replaced (%v); %d files", err, left(t, path))
	}
	if err := errors.Join(os.Remove(bak), os.Symlink(path, bak)); err != nil {
		t.Skip(err) // Windows asks for a right
	}
	if err := diffstore.KeepCopy(t.Context(), path); err == nil {
		t.Error("a link was replaced")
	}
}

// TestKeepCopyOfDamage: damage of the ledger is not copied over a sound copy.
func TestKeepCopyOfDamage(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	if err := diffstore.KeepCopy(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(diffstore.CopyPath(path))
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := bytes.Replace(ledger, []byte("/page/0007"), []byte("/page/0006"), -1)
	if err := os.WriteFile(path, spoilt, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := diffstore.KeepCopy(t.Context(), path); !errors.Is(err, diffstore.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if is, err := os.ReadFile(diffstore.CopyPath(path)); err != nil || !bytes.Equal(is, want) || left(t, path) != 2 {
		t.Errorf("the copy was replaced (%v); %d files", err, left(t, path))
	}
}

// TestRenew: a renewed ledger is another one that holds the same, in doubt: it has no
// approvals, and no plan of before fits.
func TestRenew(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	ledger := open(t, path, true)
	identity, err := ledger.Identity()
	generation, genErr := ledger.Generation()
	if err := errors.Join(err, genErr, ledger.BulkBegun("a bulk delete was under way"), ledger.Renew("restored")); err != nil {
		t.Fatal(err)
	}
	now, err := ledger.Identity()
	if at, genErr := ledger.Generation(); err != nil || genErr != nil || now == identity || at <= generation {
		t.Errorf("identity %q, was %q; generation %d, was %d", now, identity, at, generation)
	}
	if rec := get(t, ledger, pageID(5)); rec.Push != document.PushDoubt || rec.Reason != "restored" || len(inDoubt(t, ledger)) != filled-1 {
		t.Errorf("%+v; %d in doubt", rec, len(inDoubt(t, ledger)))
	}
	if doc, found, err := ledger.Text(pageID(5)); err != nil || !found || doc.Fields["Title"] != "Page 5" {
		t.Errorf("text: %+v, %v, %v", doc, found, err)
	}
	if run, found, err := ledger.Run("run-1"); err != nil || !found || run.Start != 1_700_000_000 {
		t.Errorf("run: %+v, %v, %v", run, found, err)
	}
	if memory, err := ledger.Host("https://www.example.com"); err != nil || memory.Sitemap != 60 || memory.Followed != "" {
		t.Errorf("host: %+v, %v", memory, err)
	}
	held := document.Entry{Op: document.Delete, ID: pageID(3), Cause: document.CauseGone}
	if approved, err := ledger.Approved(&held); err != nil || approved {
		t.Errorf("an approval of before stands: %v", err)
	}
}
