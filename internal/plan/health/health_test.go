package health

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// lookedAt is a document as judging sees it: with a record of the earlier fields, or
// none when those are nil.
func lookedAt(url string, earlier, fields map[string]string) *judge.Facts {
	doc := document.Document{Fields: fields}
	f := &judge.Facts{URL: url, Sighting: &document.Sighting{URL: url, Seen: document.Read, Fetched: true, Lengths: Lengths(doc)}}
	if earlier != nil {
		before := document.Document{Fields: earlier}
		f.Record = &document.Record{ID: url, Type: document.PageContent, Push: document.PushOK, Fields: before.FieldHashes(), Length: len(earlier["Content"])}
		if f.Sighting.Same = before.Hash() == doc.Hash(); f.Sighting.Same {
			return f
		}
		for name := range earlier {
			if fields[name] == "" {
				f.Delta.Lost = append(f.Delta.Lost, name)
			}
		}
		f.Delta.Changed = []string{"Content"}
	}
	f.Content = &judge.Content{Fields: doc.FieldHashes(), Length: len(fields["Content"])}
	return f
}

func sized(title, content int) map[string]string {
	fields := map[string]string{"Content": strings.Repeat("c", content)}
	if title > 0 {
		fields["Title"] = strings.Repeat("t", title)
	}
	return fields
}

func putOf(kind document.Type) *judge.Verdict {
	return &judge.Verdict{Change: &document.Change{Op: document.Put, Type: kind}}
}

// TestHealthSums: what is counted of whom. What is no document, or was not read
// tonight, counts nowhere.
func TestHealthSums(t *testing.T) {
	var h Figures
	put := putOf(document.PageContent)
	h.See(lookedAt("https://a.test/", nil, sized(4, 100)), put)
	h.See(lookedAt("https://a.test/news/1", sized(4, 100), sized(0, 100)), put)               // a field lost
	h.See(lookedAt("https://a.test/news/2", sized(4, 1000), sized(4, 199)), &judge.Verdict{}) // shrunk, and kept for now
	h.See(lookedAt("https://a.test/news/3", sized(4, 1000), sized(4, 200)), put)
	h.See(lookedAt("https://a.test/news/4", sized(4, 1000), sized(4, 1000)), &judge.Verdict{})
	h.See(lookedAt("https://a.test/top", sized(4, 100), sized(4, 100)), &judge.Verdict{Change: &document.Change{Op: document.Delete}})
	h.See(lookedAt("https://a.test/twin", nil, sized(4, 100)), &judge.Verdict{Next: &document.Record{Canonical: "https://a.test/"}})
	kept := lookedAt("https://b.test/x", sized(4, 100), sized(4, 100))
	kept.Sighting.Seen, kept.Sighting.Fetched = document.Kept, false
	h.See(kept, &judge.Verdict{})
	h.See(lookedAt("https://b.test/x/plan.pdf", nil, sized(8, 5000)), putOf(document.FileContent))

	var got []string
	for _, g := range h.Conclude() {
		line := fmt.Sprintf("%s %d %d %d %d", g.Group, g.Read, g.Changed, g.Known, g.Worse)
		for _, f := range g.Fields {
			line += fmt.Sprintf(" %s %g %d", f.Name, f.Fill, f.Median)
		}
		got = append(got, line)
	}
	want := []string{
		"PageContent 5 4 4 2 Content 1 200 Title 0.8 4", // 200 and 199 share a bucket
		"https://a.test 5 4 4 2 Content 1 200 Title 0.8 4",
		"https://a.test/news/ 4 3 4 2 Content 1 200 Title 0.75 4",
		"FileContent 1 1 0 0 Content 1 4864 Title 1 8",
		"https://b.test 1 1 0 0 Content 1 4864 Title 1 8",
		"https://b.test/x/ 1 1 0 0 Content 1 4864 Title 1 8",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestHealthKeepsTheLargest: of many folders the largest are kept, whatever their
// names, and nothing of the others is lost but their fields.
func TestHealthKeepsTheLargest(t *testing.T) {
	var h Figures
	read := 0
	for i := range 1000 {
		for j := range 1 + i%7*i%13 {
			h.See(lookedAt(fmt.Sprintf("https://a.test/%04d/%d", i, j), nil, sized(1, 10)), putOf(document.PageContent))
			read++
		}
	}
	groups := h.Conclude()
	if len(groups) != KeptGroups+1 || groups[0].Read != read || groups[1].Read != read {
		t.Fatalf("%d groups, the first with %d of %d documents", len(groups), groups[0].Read, read)
	}
	folders, others := groups[2:KeptGroups], groups[KeptGroups]
	inFolders := others.Read
	for i, g := range folders {
		inFolders += g.Read
		if i > 0 && g.Read > folders[i-1].Read {
			t.Errorf("%s with %d documents stands behind one with %d", g.Group, g.Read, folders[i-1].Read)
		}
	}
	if others.Groups != 1000+2-KeptGroups || inFolders != read || folders[len(folders)-1].Read < 12 {
		t.Errorf("%d other groups, %d of %d documents, the smallest kept has %d", others.Groups, inFolders, read, folders[len(folders)-1].Read)
	}
}

// TestHealthFalls: which falls are told. The group has 40 documents in both runs.
func TestHealthFalls(t *testing.T) {
	figures := func(fill float64, median int) document.HealthGroup {
		g := document.HealthGroup{Group: "g", Read: 40, Changed: 40}
		if fill > 0 {
			g.Fields = []document.FieldHealth{{Name: "Date", FieldFigures: document.FieldFigures{Fill: fill, Median: median}}}
		}
		return g
	}
	for name, c := range map[string]struct {
		was, now document.HealthGroup
		tell     string
	}{
		"as it was":         {figures(1, 100), figures(1, 100), ""},
		"better":            {figures(0.2, 100), figures(1, 300), ""},
		"a little":          {figures(1, 100), figures(0.81, 51), ""},
		"fewer":             {figures(1, 100), figures(0.5, 100), "Date is in 50 % of 40 documents, and was in 100 %"},
		"by chance":         {figures(0.5, 100), figures(0.28, 100), ""},
		"none at all":       {figures(1, 100), figures(0, 0), "Date is in 0 % of 40 documents, and was in 100 %"},
		"shorter":           {figures(1, 100), figures(1, 49), "Date has 49 bytes in the middle of 40 documents, and had 100"},
		"rare and now gone": {figures(0.1, 100), figures(0, 0), ""},
		"nothing changed":   {figures(1, 100), document.HealthGroup{Read: 40, Changed: 7}, ""},
		"few documents":     {figures(1, 100), document.HealthGroup{Read: 19, Changed: 19}, ""},
		"not known":         {document.HealthGroup{}, figures(0.1, 1), ""},
	} {
		got := strings.Join(compareHealth(&c.now, c.was), "; ")
		marked := slices.ContainsFunc(c.now.Fields, func(f document.FieldHealth) bool { return f.FellFrom != nil && f.FellFrom.Fill == 1 })
		if got != c.tell || marked != (c.tell != "") {
			t.Errorf("%s: %q, marked: %v; want %q", name, got, marked, c.tell)
		}
	}
}

// TestBefore: a night that read little is no measure for the next.
func TestBefore(t *testing.T) {
	run := func(read int) document.Summary {
		return document.Summary{Health: []document.HealthGroup{{Group: "g", Read: read}, {Group: fmt.Sprint("only ", read), Read: read}}}
	}
	braked, bad := run(30), run(40)
	braked.Brakes = []document.Tripped{{Brake: document.BrakeHealth}}
	bad.Hosts = []document.Host{{State: document.HostUnhealthy}}
	runs := []document.Summary{run(3), {}, braked, bad, run(25), run(100)}
	before, err := Before(iter.Seq2[document.Summary, error](func(yield func(document.Summary, error) bool) {
		for _, r := range runs {
			if !yield(r, nil) {
				return
			}
		}
	}))
	if err != nil || before["g"].Read != 25 || before["only 100"].Read != 100 || before["only 3"].Read != 0 {
		t.Errorf("%+v, %v", before, err)
	}
}

// TestHealthWarnings: one a group, twenty in a run.
func TestHealthWarnings(t *testing.T) {
	date := document.FieldHealth{Name: "Date", FieldFigures: document.FieldFigures{Fill: 1, Median: 10}}
	var groups []document.HealthGroup
	before := map[string]document.HealthGroup{}
	for i := range 25 {
		name := fmt.Sprintf("https://a.test/%d/", i)
		groups = append(groups, document.HealthGroup{Group: name, Read: 40, Changed: 40})
		before[name] = document.HealthGroup{Group: name, Read: 40, Fields: []document.FieldHealth{date, {Name: "Title", FieldFigures: date.FieldFigures}}}
	}
	got := Compare(groups, before)
	const want = "Date is in 0 % of 40 documents, and was in 100 %; Title is in 0 % of 40 documents, and was in 100 %"
	if len(got) != 21 || got[19] != (document.Warning{Kind: "health", URL: "https://a.test/19/", Text: want}) || got[20].Text != "and 5 more of this kind" || groups[24].Fields[1].FellFrom == nil {
		t.Errorf("%d warnings: %+v", len(got), got)
	}
}
