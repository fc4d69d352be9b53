package service

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
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
		"not a store":  {Options{Path: file("text.db", bytes.Repeat([]byte("text"), 5000)), APIKey: "k"}, "damaged or something else"},
		"newer schema": {Options{Path: boltFile(t, dir, "newer.db", "3"), APIKey: "k"}, `schema is "3" and this program reads "2"`},
		"foreign":      {Options{Path: boltFile(t, dir, "foreign.db", ""), APIKey: "k"}, "database of something else"},
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

// boltFile makes a bbolt file that says it has a schema, or that is foreign.
func boltFile(t *testing.T, dir, name, schema string) string {
	path := filepath.Join(dir, name)
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	bucket := "foreign"
	if schema != "" {
		bucket = "meta"
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte(bucket))
		if err != nil {
			return err
		}
		return b.Put([]byte("schema"), []byte(schema))
	})
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
	var buckets []string
	err := l.DB.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bolt.Bucket) error { buckets = append(buckets, string(name)); return nil })
	})
	if err != nil || len(buckets) != 1 {
		t.Errorf("want no crawler yet, got %v (%v)", buckets, err)
	}
}
