package service

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/store"
)

// TestOpenRefuses tells, for each file that can't be opened, what is wrong.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	held := open(t, Options{Path: filepath.Join(dir, "held.db")})
	tests := map[string]struct {
		options Options
		want    string
	}{
		"no path":      {Options{APIKey: "k"}, "path"},
		"no key":       {Options{Path: "x.db"}, "API key is missing"},
		"held":         {Options{Path: filepath.Join(dir, "held.db"), APIKey: "k"}, "another process holds it"},
		"no folder":    {Options{Path: filepath.Join(dir, "none", "x.db"), APIKey: "k"}, filepath.Join("none", "x.db")},
		"not a store":  {Options{Path: file("text.db", bytes.Repeat([]byte("text"), 5000)), APIKey: "k"}, "damaged, something else"},
		"before":       {Options{Path: boltFile(t, filepath.Join(dir, "before.db")), APIKey: "k"}, "of a version that kept it otherwise; name another file"},
		"newer schema": {Options{Path: database(t, filepath.Join(dir, "newer.db"), "PRAGMA user_version=7"), APIKey: "k"}, `schema is 7 and this program reads 6`},
		"foreign":      {Options{Path: database(t, filepath.Join(dir, "foreign.db"), "PRAGMA application_id=1"), APIKey: "k"}, "database of something else"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := Open(test.options)
			if err == nil {
				t.Fatal(s.Close(), "it was opened")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %q in the error, got: %v", test.want, err)
			}
		})
	}
	held.holds()
}

// database makes a store and changes it.
func database(t *testing.T, path, change string) string {
	s, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Update(func(tx *store.Tx) error { return tx.Do(change) }), s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// boltFile makes a store as it was before.
func boltFile(t *testing.T, path string) string {
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReopen finds documents, queue and activity again.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	t.Run("write", func(t *testing.T) {
		l := open(t, Options{Path: path})
		l.want(http.StatusOK, http.MethodPut, documents, `[{"id":"a","type":"FileContent","fields":{"T":"<&>"}}]`)
		l.want(200, "POST", paths, `["https://x.example/"]`)
		if err := l.SetActive(testCustomer, "other", true); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("read", func(t *testing.T) {
		l := open(t, Options{Path: path})
		l.holds(`a FileContent {"T":"\u003c\u0026\u003e"}`)
		queue, err := l.Queue(testCustomer, testCrawler)
		other, err2 := l.Queue(testCustomer, "other")
		if err != nil || err2 != nil || len(queue.URLs) != 1 || queue.Active || !other.Active {
			t.Errorf("want one URL and an active other crawler, got %v, %v, %v, %v", queue, other, err, err2)
		}
	})
}

// TestFirstWriteMakesCrawler: reads and writes that store nothing leave no trace.
func TestFirstWriteMakesCrawler(t *testing.T) {
	l := open(t, Options{})
	l.want(http.StatusOK, http.MethodPatch, documents, `[{"id":"a","fields":{}}]`)
	l.want(http.StatusOK, http.MethodPut, documents, `[{"id":"a"}]`)
	l.want(200, "DELETE", documents+"?documentId=a", ``)
	l.want(200, "POST", bulk, `{"Title":{"operator":"Eq","values":["x"]}}`)
	l.want(200, "POST", paths, `["nonsense"]`)
	for _, table := range []string{"document", "body", "field", "word", "queue", "active"} {
		err := l.View(t.Context(), func(tx *store.Tx) error {
			rows, err := store.Column[int](tx, "SELECT count(*) FROM "+table)
			if rows[0] != 0 {
				t.Errorf("want no crawler yet, %s has %d rows", table, rows[0])
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestPatchesOfABatch: each is laid over its own document, and nothing reads it meanwhile; the race
// detector sees whoever does.
func TestPatchesOfABatch(t *testing.T) {
	l := open(t, Options{})
	var puts, patches, want []string
	for i := range 50 {
		puts = append(puts, fmt.Sprintf(`{"id":"d%02d","fields":{"Title":"zebra","N":"%d"}}`, i, i))
		patches = append(patches, fmt.Sprintf(`{"id":"d%02d","fields":{"Title":"okapi %d"}}`, i, i))
		want = append(want, fmt.Sprintf(`d%02d PageContent {"N":"%d","Title":"okapi %d"}`, i, i, i))
	}
	l.want(http.StatusOK, http.MethodPut, documents, "["+strings.Join(puts, ",")+"]")
	l.want(http.StatusOK, http.MethodPatch, documents, "["+strings.Join(patches, ",")+"]")
	l.holds(want...)
}

// TestFullDisk: what no longer fits is refused whole, with a reference; searches go on, and so
// do writes when there is room again.
func TestFullDisk(t *testing.T) {
	l := open(t, Options{})
	room := func(pages string) {
		if err := l.Update(func(tx *store.Tx) error { return tx.Do("PRAGMA max_page_count=" + pages) }); err != nil {
			t.Fatal(err)
		}
	}
	l.put(testCrawler, page("a", "Title=first zebra"))
	room("1") // which stands for as many as there are
	large := `[{"id":"b","fields":{"Title":"second zebra"}},{"id":"c","fields":{"Content":"` + strings.Repeat("zebra ", 50_000) + `"}}]`
	for range 2 {
		if got := l.call(http.MethodPut, documents, large); got.status != http.StatusInternalServerError || !strings.Contains(got.body, "Support reference ID: ") {
			t.Errorf("want 500 with a reference, got %d %.200s", got.status, got.body)
		}
		if got := l.search("zebra"); got.ids() != "a" {
			t.Errorf("want the first alone, got %s", got.ids())
		}
	}
	room("1000000")
	l.want(http.StatusOK, http.MethodPut, documents, large)
	if got := l.search("zebra"); got.TotalDocument != 3 {
		t.Errorf("want all three, got %s", got.ids())
	}
}
