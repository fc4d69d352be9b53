package fleet

import (
	"bytes"
	"errors"
	"testing"

	"sitesync/internal/cli/app"
	"sitesync/internal/fleet/site"
)

// Where a later site fails, the command says what it did before.
func TestEachSaysWhatWasDone(t *testing.T) {
	var out bytes.Buffer
	f := &fleet{a: &app.App{Stdout: &out}}
	full := errors.New("c: the disk is full")
	err := f.each([]site.Site{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}, "added", func(s *site.Site) error {
		if s.Name == "c" {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || err.Error() != "c: the disk is full; added before that: a, b" || out.Len() > 0 {
		t.Errorf("%v, and printed %q", err, out.String())
	}
}
