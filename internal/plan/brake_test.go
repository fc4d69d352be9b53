package plan

import (
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
)

// TestBrakeOrigin: what is new on an origin that the ledger is not pinned to is
// held, except the files of a host that the configuration names for them.
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
		s := &site{past: &past.Past{}, pages: pages{table: spool.NewTable(), ledger: ledger}, options: &Options{Origins: c.pinned, FileOrigins: c.files}}
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
		s := &site{options: &Options{Only: only}, origins: origins{memories: map[string]document.HostMemory{host: {Folded: []string{"old"}}}}}
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
		{document.HostIll, true, true, ""},
		{document.HostOK, true, false, "a b"},
	} {
		s := &site{options: &Options{FileOrigins: []string{files}}, origins: origins{memories: map[string]document.HostMemory{}}}
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

// TestRememberSitemaps: night by night, what the sitemaps list and what is remembered.
func TestRememberSitemaps(t *testing.T) {
	const ok, collapsed, outage = document.HostOK, document.HostSitemapCollapse, document.HostRobotsOutage
	var memory document.HostMemory
	for _, night := range []struct {
		state        document.HostState
		listed, want int
	}{
		{ok, 100, 100}, {ok, 1000, 200}, {ok, 100, 100}, {ok, 60, 60}, {collapsed, 20, 40}, {ok, 20, 20},
		{outage, 0, 20}, {collapsed, 0, 10}, {collapsed, 0, 5}, {collapsed, 0, 2}, {collapsed, 0, 1}, {collapsed, 0, 0}, {ok, 0, 0}, {ok, 70, 70},
	} {
		s := &site{options: &Options{}, origins: origins{memories: map[string]document.HostMemory{"": memory}}}
		s.survey.Hosts = []document.Host{{State: night.state, Sitemap: night.listed, Unlisted: night.state == collapsed}}
		memory = s.remember()[""]
		if memory.Sitemap != night.want {
			t.Errorf("%+v: remembered %d", night, memory.Sitemap)
		}
		s.options.Only, s.survey.Hosts[0].Sitemap = true, 7
		if s.remember()[""].Sitemap != night.want {
			t.Errorf("%+v: a part of a run changed what is remembered", night)
		}
	}
}

// oneSighting is a log of what was seen of one page.
type oneSighting struct {
	sightingLog
	seen document.Sighting
}

func (l oneSighting) Sighting(int64) (*document.Sighting, error) { return &l.seen, nil }

// TestDueOnAFormerHost: what stands on a host that left the site is judged
// by the host that its address leads to now; without one nothing is known, and it is held.
func TestDueOnAFormerHost(t *testing.T) {
	const old, now = "http://a.test/x", "https://a.test/x"
	for name, c := range map[string]struct {
		cause   document.Cause
		target  string
		state   document.HostState
		covered bool
		waiting string
		want    document.Brake
		group   string
	}{
		"to a host that is ok":                 {document.CauseMoved, now, document.HostOK, true, "", document.BrakeNone, ""},
		"to a host on a bad night":             {document.CauseMissing, now, document.HostGuarded, true, "", document.BrakeHost, "https://a.test/"},
		"to a host that was not covered":       {document.CauseMissing, now, document.HostOK, false, "", document.BrakeIncomplete, "https://a.test/"},
		"to nowhere":                           {document.CauseMissing, "", document.HostOK, true, "", document.BrakeHost, "http://a.test/"},
		"to no host of ours":                   {document.CauseMissing, "https://b.test/x", document.HostOK, true, "", document.BrakeHost, "https://b.test/"},
		"out of scope":                         {document.CauseOutOfScope, "", document.HostOK, true, "", document.BrakeNone, ""},
		"out of scope, with a start not known": {document.CauseOutOfScope, "", document.HostOK, true, "https://b.test/", document.BrakeOrigin, "https://b.test/"},
		"moved, with a start not known":        {document.CauseMoved, now, document.HostOK, true, "https://a.test/", document.BrakeNone, ""},
	} {
		ledger, err := diffstore.OpenRead(filepath.Join(t.TempDir(), "none.db"))
		if err != nil {
			t.Fatal(err)
		}
		table := spool.NewTable()
		table.SetValue(spool.Fingerprint(old), 1)
		s := &site{
			past: &past.Past{}, options: &Options{}, pages: pages{ledger: ledger, table: table, log: oneSighting{seen: document.Sighting{URL: old, Target: c.target}}},
			origins: origins{hosts: map[string]document.Host{"https://a.test": {Host: "https://a.test", State: c.state, Covered: c.covered, Asked: 9}}},
		}
		b := &braking{site: s, verdicts: &verdicts{site: s, totals: judge.Totals{Documents: 100}}, unapproved: c.waiting}
		held, err := b.holds(&dueChange{Change: document.Change{Op: document.Delete, ID: old, Cause: c.cause}})
		if held.Brake != c.want || held.Place != c.group || err != nil {
			t.Errorf("%s: held by %q of %q, %v; want %q of %q", name, held.Brake, held.Place, err, c.want, c.group)
		}
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLearnedOnABadHost: what a host repeats while it is not ok is not kept.
func TestLearnedOnABadHost(t *testing.T) {
	scratch := spool.NewScratch(t.TempDir())
	defer scratch.Close()
	const well, ill = "https://a.test", "https://b.test"
	s := &site{
		past: &past.Past{}, options: &Options{}, scratch: scratch, pages: pages{table: spool.NewTable()},
		origins: origins{hosts: map[string]document.Host{well: {State: document.HostOK}, ill: {State: document.HostIll}}},
		learned: document.Profile{well + "/news": {Version: 1}, ill + "/news": {Version: 2}, ill: {Version: 3}},
	}
	b := &braking{site: s, verdicts: s.newVerdicts(judge.NewBulk(""))}
	if got := b.trailer().Profile; len(got) != 1 || got[well+"/news"].Version != 1 {
		t.Errorf("kept: %+v", got)
	}
}
