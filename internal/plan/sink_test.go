package plan

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/work"
)

// noRecords is an empty ledger.
type noRecords struct{ Ledger }

func (noRecords) Get(string) (*document.Record, error) { return nil, nil }

// What a page can't be read for because the run ends is not held against the page.
func TestEndOfRunIsNoFault(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := func(*document.Page) (document.Draft, error) {
		cancel()
		return document.Draft{}, errors.New("the reader is closed")
	}
	s := sink{pages: pages{stages: Stages{Read: read}, ledger: noRecords{}}}
	if err := s.Page(ctx, &document.Page{Seen: document.Read}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A draft that can't be read any more makes its page unread; the page that leads there, or
// is compared with it, is judged as beside any unread page.
func TestLostDraft(t *testing.T) {
	folder, err := work.Temporary(filepath.Join(t.TempDir(), "work"), work.State{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	s := &pages{folder: folder, log: folder, table: folder.Table, ledger: noRecords{}}
	seen := document.Sighting{URL: "http://a.test/", Seen: document.Read, Draft: 1000, Content: document.HashOf("x")}
	draft, doc, err := s.finish(&seen)
	if err != nil || seen.Seen != document.Unread || len(draft.Blocks) > 0 || doc.ID != "" || s.unreadable != 1 {
		t.Errorf("%+v, %+v, %v", seen, doc, err)
	}
	now, err := s.sighting(seen.URL)
	if err != nil || now.Seen != document.Unread || !strings.Contains(now.Why, "drafts.log") {
		t.Errorf("from then on: %+v, %v", now, err)
	}
}
