package plan

import (
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestBrakeOrigin: what is new on an origin that the ledger is not pinned to is
// held, but for the files of a host that the configuration names for them.
func TestBrakeOrigin(t *testing.T) {
	ledger, err := diffstore.OpenRead(filepath.Join(t.TempDir(), "none.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	for name, c := range map[string]struct {
		pinned, files []string
		want          document.Brake
	}{
		"a ledger that is not pinned yet": {nil, nil, document.BrakeNone},
		"a pinned origin":                 {[]string{"https://a.test", "https://b.test"}, nil, document.BrakeNone},
		"another origin":                  {[]string{"https://b.test"}, []string{"http://a.test"}, document.BrakeOrigin},
		"a host of files":                 {[]string{"https://b.test"}, []string{"https://a.test"}, document.BrakeNone},
	} {
		s := &site{options: &Options{Origins: c.pinned, FileOrigins: c.files}, ledger: ledger}
		b := &braking{site: s, verdicts: &verdicts{site: s}, origins: c.pinned}
		if got, err := b.holds(&dueChange{Change: document.Change{Op: document.Put, ID: "https://a.test/x.pdf"}}); got.Brake != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got.Brake, err, c.want)
		}
		if len(b.origins) != len(c.pinned) {
			t.Errorf("%s: now pinned to %q", name, b.origins)
		}
	}
}

// TestRememberFolded: what stood for a host is remembered, but not by a part of a run.
func TestRememberFolded(t *testing.T) {
	const host = "https://a.test"
	for _, only := range []bool{false, true} {
		s := &site{options: &Options{Only: only}, memories: map[string]document.HostMemory{host: {Folded: []string{"old"}}}}
		s.survey.Hosts = []document.Host{{Host: host, Folded: []string{"new"}}}
		if got := s.remember()[host].Folded[0]; (got == "old") != only {
			t.Errorf("a part: %t, remembered: %s", only, got)
		}
	}
}

// TestRememberFollowed: links cross hosts, so one that was not covered makes the next
// night read the pages of all. A host of files does that for itself alone.
func TestRememberFollowed(t *testing.T) {
	const a, b, files = "https://a.test", "https://b.test", "https://files.test"
	for _, c := range []struct {
		state    document.HostState
		covered  bool // b
		files    bool
		followed string
	}{
		{document.HostOK, true, true, "a b files"},
		{document.HostOK, false, true, ""},
		{document.HostSoft404, true, true, ""},
		{document.HostOK, true, false, "a b"},
	} {
		s := &site{options: &Options{FileOrigins: []string{files}}, memories: map[string]document.HostMemory{}}
		s.survey.Hosts = []document.Host{
			{Host: a, State: document.HostOK, Covered: true, Followed: "a"},
			{Host: b, State: c.state, Covered: c.covered, Followed: "b"},
			{Host: files, State: document.HostOK, Covered: c.files, Followed: "files"},
		}
		kept := s.remember()
		got := strings.Join(strings.Fields(kept[a].Followed+" "+kept[b].Followed+" "+kept[files].Followed), " ")
		if got != c.followed {
			t.Errorf("%+v: followed %q", c, got)
		}
	}
}
