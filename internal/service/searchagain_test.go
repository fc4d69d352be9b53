package service

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestSearchAgain opens a store whose index is as it was, missing, damaged or of another
// time, and finds the same.
func TestSearchAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	folder := filepath.Join(path+".search", "10000001")
	each := func(pattern string, change func(string) error) func() error {
		return func() error {
			files, err := filepath.Glob(filepath.Join(folder, pattern))
			if len(files) == 0 {
				t.Fatalf("no file is %s", pattern)
			}
			for _, file := range files {
				err = errors.Join(err, change(file))
			}
			return err
		}
	}
	first := true
	for _, damage := range []struct {
		name   string
		change func() error
	}{
		{"none", func() error { return nil }},
		{"as it was", func() error { return nil }},
		{"removed", func() error { return os.RemoveAll(folder) }},
		{"cut segments", each("store/*.zap", func(file string) error { return os.Truncate(file, 100) })},
		{"empty segments", each("store/*.zap", func(file string) error { return os.Truncate(file, 0) })},
		{"a wrong byte", each("store/*.zap", func(file string) error { return flip(file, 200) })},
		{"no segments", each("store/*.zap", os.Remove)},
		{"cut roots", each("store/root.bolt", func(file string) error { return os.Truncate(file, 5000) })},
		{"wrong roots", each("store/root.bolt", func(file string) error { return flip(file, 4096*2+20) })},
		{"no roots", each("store/root.bolt", os.Remove)},
		{"another version", each("version", func(file string) error { return os.WriteFile(file, []byte("0"), 0o600) })},
	} {
		t.Run(damage.name, func(t *testing.T) {
			if err := damage.change(); err != nil {
				t.Fatal(err)
			}
			l := open(t, Options{Path: path})
			if first {
				l.put(testCrawler, page("a", "Title=first"), page("b", "Title=second"))
				first = false
			}
			l.finds("*", "a b")
			l.put(testCrawler, page("c", "Title=third"))
			l.finds("third first", "a c")
			l.want(200, "DELETE", documents+"?documentId=c", "")
			l.finds("*", "a b")
		})
	}
}

// TestForeignIndexStays: where the index belongs lies what the service did not make. It is
// not removed, and only searches fail.
func TestForeignIndexStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	notes := filepath.Join(path+".search", "10000001", "notes.txt")
	err := errors.Join(os.MkdirAll(filepath.Dir(notes), 0o700), os.WriteFile(notes, []byte("mine"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	l := open(t, Options{Path: path})
	l.put(testCrawler, page("a", "Title=first"))
	l.want(500, "POST", searchPath, `{"query":"first"}`)
	if raw, err := os.ReadFile(notes); string(raw) != "mine" {
		t.Errorf("the notes are %q, %v", raw, err)
	}
}

// flip changes one byte of a file.
func flip(path string, at int) error {
	content, err := os.ReadFile(path)
	if err == nil {
		content[min(at, len(content)-1)] ^= 0xff
		err = os.WriteFile(path, content, 0o600)
	}
	return err
}
