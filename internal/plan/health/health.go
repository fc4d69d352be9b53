package health

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// KeptGroups is how many groups a run keeps the figures of: the largest.
const KeptGroups = 100

// Figures sum up the documents that a run read, by groups: each host, each first
// folder of a host, each type. Documents come in the order of their URLs, so one
// folder alone is open at a time, and the largest groups are found in constant memory.
type Figures struct {
	host, folder, pages, files tally
	closed                     []document.HealthGroup
	others                     document.HealthGroup
}

// tally sums up one group; fields are of those that some document of it has.
type tally struct {
	document.HealthGroup
	fields map[string]*fieldTally
}

type fieldTally struct {
	filled  int
	lengths judge.Lengths
}

// See takes in one URL: nothing, unless a document of it was read.
func (h *Figures) See(f *judge.Facts, verdict *judge.Verdict) {
	kind := Remains(f, verdict)
	if kind == "" || !f.Sighting.Fetched {
		return
	}
	ofType := &h.pages
	if kind == document.FileContent {
		ofType = &h.files
	}
	h.count(&h.host, weburl.Origin(f.URL), f)
	h.count(&h.folder, weburl.FirstFolder(f.URL), f)
	h.count(ofType, string(kind), f)
}

// count counts a document in the open group; it closes that when another one follows.
func (h *Figures) count(t *tally, group string, f *judge.Facts) {
	if t.Group != group {
		h.close(t)
		t.Group = group
	}
	if group == "" {
		return
	}
	t.Read++
	var fields map[string]document.Hash
	if f.Content == nil {
		fields = f.Record.Fields
	} else {
		fields = f.Content.Fields
		if f.Record == nil || !f.Delta.Same() {
			t.Changed++
		}
	}
	if f.Record != nil && f.Record.Push == document.PushOK {
		t.Known++
		if judge.Worse(f) {
			t.Worse++
		}
	}
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		field := t.fields[name]
		if field == nil {
			field = &fieldTally{}
			t.fields[name] = field
		}
		field.filled++
		if i < len(f.Sighting.Lengths) {
			field.lengths[f.Sighting.Lengths[i]]++
		}
	}
}

func (h *Figures) close(t *tally) {
	if t.Read > 0 {
		h.closed = append(h.closed, t.sum())
	}
	if len(h.closed) >= 2*KeptGroups {
		h.cut()
	}
	*t = tally{fields: map[string]*fieldTally{}}
}

// cut keeps the largest groups and sums up the others.
func (h *Figures) cut() {
	slices.SortFunc(h.closed, func(a, b document.HealthGroup) int {
		return cmp.Or(cmp.Compare(b.Read, a.Read), strings.Compare(a.Group, b.Group))
	})
	for len(h.closed) > KeptGroups {
		last := h.closed[len(h.closed)-1]
		h.closed = h.closed[:len(h.closed)-1]
		h.others.Group = document.OtherGroups
		h.others.Groups++
		h.others.Read += last.Read
		h.others.Changed += last.Changed
		h.others.Known += last.Known
		h.others.Worse += last.Worse
	}
}

// Conclude closes all groups and returns them, the largest first.
func (h *Figures) Conclude() []document.HealthGroup {
	for _, t := range [...]*tally{&h.host, &h.folder, &h.pages, &h.files} {
		h.close(t)
	}
	h.cut()
	if h.others.Groups > 0 {
		return append(h.closed, h.others)
	}
	return h.closed
}

// sum returns what the group's documents come to.
func (t *tally) sum() document.HealthGroup {
	group := t.HealthGroup
	for _, name := range slices.Sorted(maps.Keys(t.fields)) {
		field := t.fields[name]
		figures := document.FieldFigures{
			Fill:   math.Round(1000*float64(field.filled)/float64(t.Read)) / 1000,
			Median: field.lengths.Median(field.filled),
		}
		group.Fields = append(group.Fields, document.FieldHealth{Name: name, FieldFigures: figures})
	}
	return group
}

// Lengths returns the lengths of a document's fields in the order of their names,
// each as the number of its bucket.
func Lengths(doc document.Document) []byte {
	lengths := make([]byte, 0, len(doc.Fields))
	for _, name := range slices.Sorted(maps.Keys(doc.Fields)) {
		lengths = append(lengths, judge.LengthBucket(len(doc.Fields[name])))
	}
	return lengths
}

// Remains returns the type of the document that a page that was read is, or is to
// be; empty when it is no document.
func Remains(f *judge.Facts, verdict *judge.Verdict) document.Type {
	change := verdict.Change
	switch {
	case f.Sighting.Seen != document.Read, change != nil && change.Op == document.Delete:
		return ""
	case change != nil:
		return change.Type
	case f.Record.IsDocument():
		return f.Record.Type
	}
	return ""
}

// What a group's figures are compared with, and when.
const (
	healthRuns     = 30  // the latest, of which the last that read enough counts
	healthRead     = 20  // documents that both runs must have read
	healthChanged  = 0.2 // share of tonight's that changed or are new: others can't have fallen
	healthWarnings = 20  // in a run
)

// Before returns the figures by group that a run's are compared with: those of
// the latest run that read enough documents of it. Runs come the latest first.
func Before(runs iter.Seq2[document.Summary, error]) (map[string]document.HealthGroup, error) {
	before := map[string]document.HealthGroup{}
	left := healthRuns
	for run, err := range runs {
		left--
		if left < 0 || err != nil {
			return before, err
		}
		if ill(&run) {
			continue
		}
		for _, group := range run.Health {
			if _, known := before[group.Group]; !known && group.Read >= healthRead && len(before) < 2*KeptGroups {
				before[group.Group] = group
			}
		}
	}
	return before, nil
}

// ill reports whether a run held updates back, or found a host that was not ok: then what
// it read is no measure.
func ill(run *document.Summary) bool {
	held := func(t document.Tripped) bool {
		return t.Brake == document.BrakeHealth || t.Brake == document.BrakeMassUpdate
	}
	bad := func(h document.Host) bool { return h.State != document.HostOK }
	return slices.ContainsFunc(run.Brakes, held) || slices.ContainsFunc(run.Hosts, bad)
}

// Compare marks what fell since earlier runs, and returns a warning for each of
// the first groups of which something did.
func Compare(groups []document.HealthGroup, before map[string]document.HealthGroup) (warnings []document.Warning) {
	more := 0
	for i := range groups {
		fallen := compareHealth(&groups[i], before[groups[i].Group])
		switch {
		case len(fallen) == 0:
		case len(warnings) == healthWarnings:
			more++
		default:
			w := document.Warning{Kind: document.WarnHealth, URL: groups[i].Group, Text: strings.Join(fallen, "; ")}
			if !strings.Contains(w.URL, "://") { // a type
				w.URL, w.Text = "", w.URL+": "+w.Text
			}
			warnings = append(warnings, w)
		}
	}
	if more > 0 {
		warnings = append(warnings, document.MoreWarnings(document.WarnHealth, more))
	}
	return warnings
}

// compareHealth marks the fields that fell since an earlier run, and returns what to
// say of them.
func compareHealth(now *document.HealthGroup, was document.HealthGroup) (fallen []string) {
	if now.Read < healthRead || was.Read < healthRead || float64(now.Changed) < healthChanged*float64(now.Read) {
		return nil
	}
	for _, before := range was.Fields {
		at, found := slices.BinarySearchFunc(now.Fields, before.Name, func(f document.FieldHealth, name string) int { return strings.Compare(f.Name, name) })
		field := document.FieldHealth{Name: before.Name}
		if found {
			field = now.Fields[at]
		}
		switch {
		case judge.FellBeyondChance(before.Fill, was.Read, field.Fill, now.Read):
			fallen = append(fallen, fmt.Sprintf("%s is in %.0f %% of %s, and was in %.0f %%", field.Name, 100*field.Fill, document.Count(now.Read, "document"), 100*before.Fill))
		case found && 2*field.Median < before.Median:
			fallen = append(fallen, fmt.Sprintf("%s has %s in the middle of %s, and had %s", field.Name, document.Count(field.Median, "byte"), document.Count(now.Read, "document"), document.Number(before.Median)))
		default:
			continue
		}
		if !found {
			now.Fields = slices.Insert(now.Fields, at, field)
		}
		now.Fields[at].FellFrom = &before.FieldFigures
	}
	return fallen
}
