package plan

import (
	"context"
	"errors"
	"testing"

	"sitesync/internal/document"
)

// What a page can't be read for because the run ends is not held against the page.
func TestEndOfRunIsNoFault(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := func(*document.Page) (document.Draft, error) {
		cancel()
		return document.Draft{}, errors.New("the reader is closed")
	}
	s := sink{stages: Stages{Read: read}}
	if err := s.Page(ctx, &document.Page{Seen: document.Read}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
