package plan

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/work"
)

// countingLedger is a ledger in memory that counts how often it is read as a whole.
type countingLedger struct {
	records map[string]*document.Record
	sweeps  int
}

func (l *countingLedger) Get(id string) (*document.Record, error) {
	rec, found := l.records[id]
	if !found {
		return nil, nil
	}
	own := *rec
	return &own, nil
}

func (l *countingLedger) Brief(id string) (*document.Record, error) { return l.Get(id) }

func (l *countingLedger) Text(string) (document.Document, bool, error) {
	return document.Document{}, false, nil
}

func (l *countingLedger) Records() iter.Seq2[*document.Record, error] {
	l.sweeps++
	return func(yield func(*document.Record, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(l.records)) {
			if !yield(l.Get(id)) {
				return
			}
		}
	}
}

func (l *countingLedger) Briefs() iter.Seq2[*document.Record, error] { return l.Records() }

func (l *countingLedger) Host(string) (document.HostMemory, error) {
	return document.HostMemory{}, nil
}

func (l *countingLedger) Profile() (document.Profile, error) { return nil, nil }

func (l *countingLedger) Approved(*document.Entry) (bool, error) { return false, nil }

// countingLog is a work folder that counts how often sightings are read.
type countingLog struct {
	*work.Folder
	sweeps, reads int
}

func (l *countingLog) Sightings() iter.Seq2[*work.Seen, error] {
	l.sweeps++
	return l.Folder.Sightings()
}

func (l *countingLog) Sighting(at int64) (*document.Sighting, error) {
	l.reads++
	return l.Folder.Sighting(at)
}

// written counts what a plan holds.
type written struct {
	changes map[document.Op]int
	causes  map[document.Cause]int
	moves   map[string]int
	warned  map[string]int
	led     int // addresses that were not there, and are remembered
}

func (w *written) Change(c document.Change) error {
	w.changes[c.Op]++
	w.causes[c.Cause]++
	return nil
}
func (w *written) Observe(o document.Observation) error {
	if o.Next != nil && o.Next.Led > 0 {
		w.led++
	}
	return nil
}
func (w *written) Failure(document.Failure) error   { return nil }
func (w *written) Move(m document.Move) error       { w.moves[m.By]++; return nil }
func (w *written) Warning(x document.Warning) error { w.warned[x.Kind]++; return nil }

func (w *written) Page(document.SitePage) error { return nil }

// keptLearner asks for every page that did not change.
type keptLearner struct{ offered, kept int }

func (l *keptLearner) Offer(*document.Sighting) { l.offered++ }
func (l *keptLearner) Doubtful() bool           { return true }
func (l *keptLearner) Keep(string)              { l.kept++ }
func (l *keptLearner) Learn(func(string) bool, func(int64) (document.Draft, error)) (document.Profile, []document.Warning, error) {
	return nil, nil, nil
}

const sweptSite = "https://a.test"

var began = time.Date(2026, time.March, 4, 2, 30, 0, 0, time.UTC)

// sweptDoc is the document of a page whose body is its content.
func sweptDoc(url, body, date string) document.Document {
	doc := document.Document{ID: url, Type: document.PageContent, Fields: map[string]string{"Content": body, "Url": url}}
	if name, _, titled := strings.Cut(body, ":"); titled { // a page that redirects has the title of the one it leads to
		doc.Fields["Title"] = strings.Replace(name, "redirect", "new", 1)
	}
	if date != "" {
		doc.Fields["Date"] = date
	}
	return doc
}

func sweptRecord(url, body, date string) *document.Record {
	doc := sweptDoc(url, body, date)
	return &document.Record{
		ID: url, Type: doc.Type, Fields: doc.FieldHashes(), Content: document.HashOf(body), Length: len(body), Date: date,
		Rules: 1, Push: document.PushOK, Fetched: began.Unix() - 100, Born: began.Unix() - 100, Listed: true,
	}
}

// planSwept plans a night on which the crawl sees these pages.
func planSwept(t *testing.T, ledger *countingLedger, learner Learner, pages []*document.Page) (*written, *countingLog) {
	t.Helper()
	folder, err := work.Open(filepath.Join(t.TempDir(), "work"), work.State{Start: began}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	stages := Stages{
		Crawl: func(ctx context.Context, earlier *past.Past, sink Sink) (document.Survey, error) {
			if err := earlier.Known(func(string, document.Known) error { return nil }); err != nil {
				return document.Survey{}, err
			}
			for _, p := range pages {
				folder.Table.Mark(spool.Fingerprint(p.URL), spool.Queued|spool.Sighted|spool.InSitemap)
				if err := sink.Page(ctx, p); err != nil {
					return document.Survey{}, err
				}
			}
			return document.Survey{Complete: true, Hosts: []document.Host{{Host: sweptSite, State: document.HostOK, Covered: true, Asked: len(pages)}}}, nil
		},
		Read: func(p *document.Page) (document.Draft, error) {
			return document.Draft{Type: document.PageContent, Fields: map[string]string{"Content": string(p.Body)}}, nil
		},
		Finish: func(d document.Draft, id string, _ document.Profile) document.Document {
			date := ""
			if len(d.Fields["Content"]) > 4 && d.Fields["Content"][:4] == "same" {
				date = "2026/01/01"
			}
			return sweptDoc(id, d.Fields["Content"], date)
		},
		Sum:     func(p *document.Page, _ document.Draft) document.Hash { return document.HashOf(p.Body) },
		Rules:   func(string, document.Profile) uint64 { return 1 },
		Held:    func(document.Draft, string, document.Profile) ([]byte, bool) { return nil, false },
		Learner: func(document.Profile) Learner { return learner },
		Diff: func(_ document.Type, fields map[string]document.Hash, rec *document.Record) (d document.Delta) {
			if fields["Content"] != rec.Fields["Content"] {
				d.Changed = []string{"Content"}
			}
			return d
		},
		Expired: func(url, _ string) (rule, why string) {
			if strings.HasPrefix(url, sweptSite+"/old/") {
				rule, why = "old", "old"
			}
			return rule, why
		},
	}
	p := NewPlanner(Options{
		Run: "run", Start: began, Past: past.Options{Recheck: time.Hour}, AllowDeletes: true, Bulk: "2021/01/01", Links: true,
		Policy: judge.Policy{Confirm: 1, OutOfScope: true, Orphans: true}, Limits: judge.Limits{Max: 10_000, MaxShare: 1, MaxAbsolute: 10_000, MaxFailed: 1},
	}, stages, ledger, folder)
	log := &countingLog{Folder: folder}
	p.log = log
	out := &written{changes: map[document.Op]int{}, causes: map[document.Cause]int{}, moves: map[string]int{}, warned: map[string]int{}}
	if _, err := p.Plan(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	return out, log
}

// TestWhatARunKeeps: of addresses that are not there as many are remembered as the ledger
// has documents, or 10,000; of warnings of one kind 200, and how many more there are.
func TestWhatARunKeeps(t *testing.T) {
	var pages []*document.Page
	for i := range mostVanished + 50 {
		pages = append(pages, &document.Page{URL: fmt.Sprintf("%s/%d", sweptSite, i), Seen: document.Missing, Status: 404})
	}
	out, _ := planSwept(t, &countingLedger{}, &keptLearner{}, pages)
	if out.led != mostVanished || out.warned[document.WarnBroken] != warning.MostKept+1 {
		t.Errorf("%d addresses and %d warnings are kept", out.led, out.warned[document.WarnBroken])
	}
}

// TestSweeps: a night that needs every total reads the ledger twice, once for the crawl,
// and the sightings three times.
func TestSweeps(t *testing.T) {
	text := func(kind string, i int) string { return fmt.Sprintf("%s %d: %0150d", kind, i, i) }
	ledger := &countingLedger{records: map[string]*document.Record{}}
	var pages []*document.Page
	see := func(url string, seen document.Seen, body string) *document.Page {
		p := &document.Page{URL: url, Seen: seen, Status: 200, Body: []byte(body), InSitemap: true}
		pages = append(pages, p)
		return p
	}
	const many = 400
	for i := range many {
		same, changed, kept, fresh := fmt.Sprintf("%s/same/%d", sweptSite, i), fmt.Sprintf("%s/changed/%d", sweptSite, i), fmt.Sprintf("%s/kept/%d", sweptSite, i), fmt.Sprintf("%s/new/%d", sweptSite, i)
		ledger.records[same] = sweptRecord(same, text("same", i), "2026/01/01")
		ledger.records[changed] = sweptRecord(changed, text("before", i), "")
		ledger.records[kept] = sweptRecord(kept, text("kept", i), "2026/01/01")
		see(same, document.Read, text("same", i))
		see(changed, document.Read, text("after", i))
		see(kept, document.Kept, "")
		see(fresh, document.Read, text("new", i))
	}
	for i := range 3 * judge.BulkSaves { // which go by bulk
		old := fmt.Sprintf("%s/old/%d", sweptSite, i)
		ledger.records[old] = sweptRecord(old, text("old", i), "2020/01/01")
		see(old, document.Read, text("old", i))
	}
	for i := range 5 {
		from, to := fmt.Sprintf("%s/from/%d", sweptSite, i), fmt.Sprintf("%s/to/%d", sweptSite, i)
		ledger.records[from] = sweptRecord(from, text("moved", i), "")
		see(from, document.Gone, "").Status = 410
		see(to, document.Read, text("moved", i))
		redirect := fmt.Sprintf("%s/redirect/%d", sweptSite, i)
		ledger.records[redirect] = sweptRecord(redirect, text("redirect", i), "")
		p := see(redirect, document.Moved, "")
		p.Status, p.Target = 301, fmt.Sprintf("%s/new/%d", sweptSite, i)
		see(fmt.Sprintf("%s/new/%d?print=1", sweptSite, i), document.Read, text("new", i)) // a near duplicate
		see(fmt.Sprintf("%s/copy/%d", sweptSite, i), document.Read, text("same", i))       // equal text elsewhere
	}
	learner := &keptLearner{}
	out, log := planSwept(t, ledger, learner, pages)

	// Every gatherer had something to conclude.
	if out.changes[document.BulkDelete] != 3*judge.BulkSaves || out.moves[document.MovedByContent] != 5 || out.moves[document.MovedByRedirect] != 5 ||
		out.causes[document.CauseNew] != many+5+5 || out.causes[document.CauseChanged] != many || learner.kept != many {
		t.Errorf("planned %+v; %d kept", out, learner.kept)
	}
	seen := len(pages) - many // the others are unchanged, and nothing was spooled of them
	sweeps := log.sweeps + (log.reads+seen/2)/seen
	if ledger.sweeps > 2 || sweeps > 3 {
		t.Errorf("the ledger was read %d times, the sightings %d times (%d at once, %d of %d by URL)", ledger.sweeps, sweeps, log.sweeps, log.reads, seen)
	}
}
