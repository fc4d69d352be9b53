package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

const customer = 5

func open(t *testing.T, path string, logged *strings.Builder) *Store {
	t.Helper()
	s, err := Open(Options{Path: path, Logger: slog.New(slog.NewTextHandler(logged, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (s *Store) fill(t *testing.T, content string, ids ...string) {
	t.Helper()
	err := s.update(customer, "c", func(x *crawler) error {
		for _, id := range ids {
			text, _ := json.Marshal(content)
			if err := x.put(wire.Document{ID: id, Fields: map[string]json.RawMessage{"Content": text}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *Store) count(t *testing.T) int {
	t.Helper()
	index, err := s.Searched(t.Context(), customer)
	if err != nil {
		t.Fatal(err)
	}
	found, err := index.Search(t.Context(), search.Query{Text: search.Everything})
	if err != nil {
		t.Fatal(err)
	}
	return found.Total
}

// TestIndexStays: an index in the state of the store is opened as it is, one in another
// state is made anew.
func TestIndexStays(t *testing.T) {
	path, made := filepath.Join(t.TempDir(), "s.db"), 0
	for round, want := range []int{2, 2, 2, 0, 3} {
		var logged strings.Builder
		s := open(t, path, &logged)
		switch round {
		case 0:
			s.fill(t, "x", "a", "b")
		case 3: // nobody searches: the index falls behind
			s.fill(t, "x", "c")
		}
		if want > 0 {
			if got := s.count(t); got != want {
				t.Errorf("round %d: want %d found, got %d", round, want, got)
			}
			s.fill(t, "x", "a")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		made += strings.Count(logged.String(), "made anew")
	}
	if made != 2 {
		t.Errorf("want the index made at first and after it fell behind, it was made %d times", made)
	}
}

// TestIndexingEndsAtOnce: a step whose service closes is broken off, and what it left is
// found by the next search.
func TestIndexingEndsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path, &strings.Builder{})
	s.fill(t, "x", "a")
	x, last := s.of(customer), search.Key{}
	var err error
	if x.index, err = search.Create(filepath.Join(t.TempDir(), "index")); err != nil {
		t.Fatal(err)
	}
	s.cancel()
	if _, err := x.fillStep(&last); !errors.Is(err, context.Canceled) {
		t.Errorf("a step that was broken off: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path, &strings.Builder{}).count(t); got != 1 {
		t.Errorf("%d found", got)
	}
}

// TestStepSize: when the index is made anew, what is indexed at once stays small however
// large documents are.
func TestStepSize(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"), &strings.Builder{})
	for i := range 8 {
		s.fill(t, strings.Repeat("x", stepBytes/2), fmt.Sprint(i))
	}
	x, last := s.of(customer), search.Key{}
	var err error
	if x.index, err = search.Create(filepath.Join(t.TempDir(), "index")); err != nil {
		t.Fatal(err)
	}
	if more, err := x.fillStep(&last); err != nil || !more || last.ID != "1" {
		t.Errorf("indexed up to %q at once, more: %v, %v", last.ID, more, err)
	}
}

// TestIndexIsWaitedFor: who searches while the index is made learns that it is.
func TestIndexIsWaitedFor(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), "service"), &strings.Builder{}).of(customer)
	x.index = &search.Index{}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := x.ready(ctx); err == nil || !strings.Contains(fmt.Sprintf("%+v", err), "the search index is being made") {
		t.Errorf("want to be told that the index is being made, got %v", err)
	}
	x.index = nil
}
