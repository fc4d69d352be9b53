package spool

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpenLog: of any file, what is opened can be read to its end and goes on; all else is
// damage.
func FuzzOpenLog(f *testing.F) {
	log, err := OpenLog(filepath.Join(f.TempDir(), "x.log"))
	if err != nil {
		f.Fatal(err)
	}
	log.Append([]byte("one"))
	log.Append(nil)
	log.Append([]byte("three"))
	if err := log.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(log.file.Name())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(append(make([]byte, headerSize), whole...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "x.log")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := OpenLog(path)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Error(err)
			}
			return
		}
		before := len(records(log))
		log.Append([]byte("more"))
		if err := log.Flush(); err != nil || log.Err() != nil {
			t.Fatal(err)
		}
		if got := records(log); len(got) != before+1 || got[before] != "more" || log.Err() != nil {
			t.Errorf("%d records became %q, %v", before, got, log.Err())
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
}
