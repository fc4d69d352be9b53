package service

import (
	"errors"
	"net/url"
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

// FuzzSearch: any body is refused as the client's fault or answered.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{`{"query":"x y","page":2}`, `{"query":"*","sort":{"a_date":"asc"},"facets":{"a":[]}}`, `{"query":"\u0000\"ü’s","filters":{"a":["b"]},"operator":"and"}`, `{"query":"日本語","fields":["a"]}`, `{"sort":{"a":{}}}`} {
		f.Add(seed)
	}
	l := open(f, Options{})
	l.put(testCrawler, page("a", "Title=x y", "Language=de", "a_date=2024/01/01"), page("b", "Content=日本語 text", "a=b"))
	f.Fuzz(func(t *testing.T, body string) {
		l := &local{t: t, url: l.url}
		if got := l.call(t.Context(), "POST", searchPath, body); got.err != nil || got.status != 200 && got.status != 400 {
			t.Fatalf("%q: %d %s %v", body, got.status, got.body, got.err)
		}
		query := completePath + "?query=" + url.QueryEscape(body)
		if got := l.call(t.Context(), "GET", query, ""); got.err != nil || got.status != 200 && got.status != 400 {
			t.Fatalf("%q: %d %s %v", query, got.status, got.body, got.err)
		}
	})
}
