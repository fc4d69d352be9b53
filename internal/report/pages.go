package report

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"sitesync/internal/document"
	sites "sitesync/internal/report/site"
)

// shownFaults and shownPages are how many faults of a kind, and how many pages of a fault,
// are shown unless all are asked for.
const (
	shownFaults = 20
	shownPages  = 3
)

// SiteText writes the faults of a site for people: how many there are of each kind, then each
// kind with what is new first. all: no list is cut.
func SiteText(w io.Writer, s *sites.Site, all bool) error {
	t := &writer{out: bufio.NewWriter(w), all: all}
	known := s.Name() + ": " + document.Count(len(s.Pages), "known URL")
	if s.Run != "" {
		known += ", as the run of " + time.Unix(s.Start, 0).Format("2 January 2006, 15:04") + " left them"
	}
	t.line("%s", known)
	if s.Unread > 0 {
		t.line("not read since facts are kept: %s; sitesync sync --full reads them at once", document.Count(s.Unread, "document"))
	}
	if len(s.Counts) == 0 {
		t.line("no fault is known")
	}
	news := func(n int) string {
		if n == 0 {
			return ""
		}
		return ", " + document.Number(n) + " new"
	}
	for _, c := range s.Counts {
		t.line("  %s: %s%s", c.Kind.Name(), document.Number(c.Faults), news(c.New))
	}
	rest := s.Faults
	for _, c := range s.Counts {
		t.line("")
		t.line("%s: %s%s", c.Kind.Name(), document.Number(c.Faults), news(c.New))
		for i := range rest[:c.Faults] {
			if i == shownFaults && !t.all {
				t.line("  … and %s more; -v shows all", document.Number(c.Faults-i))
				break
			}
			t.fault(&rest[i])
		}
		rest = rest[c.Faults:]
	}
	return t.finish("")
}

func (w *writer) fault(f *sites.Fault) {
	mark := ""
	if f.New {
		mark = "new  "
	}
	w.line("  %s%s: %s", mark, f.URL, f.Text)
	for i, url := range f.Pages {
		if i == shownPages && !w.all {
			w.line("      … and %s more", document.Number(len(f.Pages)+f.More-i))
			return
		}
		if url != f.URL {
			w.line("      %s", url)
		}
	}
	if f.More > 0 {
		w.line("      … and %s more", document.Number(f.More))
	}
}

// SiteJSON writes the faults of a site as one JSON object.
func SiteJSON(w io.Writer, s *sites.Site) error {
	out := &writer{out: bufio.NewWriter(w)}
	out.field("{", "run", s.Run)
	out.field(",", "start", s.Start)
	out.field(",", "urls", len(s.Pages))
	out.field(",", "unread", s.Unread)
	out.field(",", "counts", append([]sites.Count{}, s.Counts...))
	array(out, ",", "faults", each(s.Faults), func(f *sites.Fault) any { return f })
	return out.finish("}\n")
}

// SiteCSV writes one line a fault: RFC 4180 with a header.
func SiteCSV(w io.Writer, s *sites.Site) error {
	return csvOf(w, []string{"kind", "new", "url", "title", "text", "pages", "more"}, each(s.Faults), func(f *sites.Fault) []string {
		return []string{string(f.Kind), strconv.FormatBool(f.New), f.URL, f.Title, f.Text, strings.Join(f.Pages, " "), strconv.Itoa(f.More)}
	})
}

// mostFaults is how many faults of a kind a page shows, which a person is to read.
const mostFaults = 2000

//go:embed site.html
var sitePageSource string

var sitePage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("site").Funcs(template.FuncMap{
		"count": document.Count, "n": document.Number[int], "style": func() template.CSS { return template.CSS(Style) }, //nolint:gosec // our own
		"when":  func(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006, 15:04") },
		"first": func(faults []sites.Fault) []sites.Fault { return faults[:min(len(faults), mostFaults)] },
		"rest":  func(faults []sites.Fault) int { return max(0, len(faults)-mostFaults) },
	}).Parse(sitePageSource))
})

// SiteHTML writes the faults of a site as one page that needs nothing else.
func SiteHTML(w io.Writer, s *sites.Site) error {
	type section struct {
		sites.Count
		List []sites.Fault
	}
	var sections []section
	rest := s.Faults
	for _, c := range s.Counts {
		sections = append(sections, section{c, rest[:c.Faults]})
		rest = rest[c.Faults:]
	}
	out := bufio.NewWriter(w)
	err := sitePage().Execute(cleaner{out}, struct {
		*sites.Site
		Sections []section
	}{s, sections})
	if err := cmp.Or(err, out.Flush()); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

func each[T any](list []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i := range list {
			if !yield(&list[i], nil) {
				return
			}
		}
	}
}

// PagesText writes one line a URL under a head.
func PagesText(w io.Writer, pages iter.Seq2[*sites.Page, error]) error {
	t, n := &writer{out: bufio.NewWriter(w)}, 0
	day := func(unix int64) string {
		if unix == 0 {
			return "-"
		}
		return time.Unix(unix, 0).Format(time.DateOnly)
	}
	const columns = "%-10s  %-4s  %5s  %-10s  %-11s  %s"
	for p, err := range pages {
		if err != nil {
			return err
		}
		if n == 0 {
			t.line(columns, "status", "type", "depth", "last read", "last change", "URL, title, found on")
		}
		n++
		depth, kind := "-", "-"
		if p.Depth >= 0 {
			depth = strconv.Itoa(p.Depth)
		}
		switch p.Type {
		case document.PageContent:
			kind = "page"
		case document.FileContent:
			kind = "file"
		}
		line := p.URL
		if p.Title != "" {
			line += fmt.Sprintf("  %q", p.Title)
		}
		if p.From != "" {
			line += "  found on " + p.From
		}
		t.line(columns, p.Status, kind, depth, day(p.Read), day(p.Changed), line)
	}
	if n == 0 {
		t.line("no known URL fits")
	}
	return t.finish("")
}

// PagesJSON writes URLs as one JSON object.
func PagesJSON(w io.Writer, pages iter.Seq2[*sites.Page, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	array(out, "{", "pages", pages, func(p *sites.Page) any { return p })
	return out.finish("}\n")
}

// PagesCSV writes one line a URL: RFC 4180 with a header. Times are UTC (RFC 3339).
func PagesCSV(w io.Writer, pages iter.Seq2[*sites.Page, error]) error {
	when := func(unix int64) string {
		if unix == 0 {
			return ""
		}
		return time.Unix(unix, 0).UTC().Format(time.RFC3339)
	}
	number := func(n int) string {
		if n <= 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	head := []string{"url", "status", "indexed", "http", "why", "title", "type", "depth", "links_in", "referrer", "target", "canonical", "in_sitemap", "length", "milliseconds", "read", "changed", "since"}
	return csvOf(w, head, pages, func(p *sites.Page) []string {
		depth := ""
		if p.Depth >= 0 {
			depth = strconv.Itoa(p.Depth)
		}
		return []string{
			p.URL, string(p.Status), strconv.FormatBool(p.Indexed), number(p.HTTP), p.Why, p.Title, string(p.Type), depth, strconv.Itoa(p.LinksIn), p.From,
			p.Target, p.Canonical, strconv.FormatBool(p.Listed), number(p.Length), number(p.Took), when(p.Read), when(p.Changed), when(p.Since),
		}
	})
}
