package report

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"sitesync/internal/document"
	sites "sitesync/internal/report/site"
)

//go:embed site.txt
var siteText string

type siteSection struct {
	sites.Count
	List []sites.Fault
}

// SiteText writes the faults of a site as text: first the number of faults of each kind, then the faults by
// kind, new ones first. If all is true, no list is cut.
func SiteText(w io.Writer, s *sites.Site, all bool) error {
	page, rest := struct {
		*sites.Site
		Sections []siteSection
	}{Site: s}, s.Faults
	for _, c := range s.Counts {
		page.Sections, rest = append(page.Sections, siteSection{c, rest[:c.Faults]}), rest[c.Faults:]
	}
	return Fill(w, siteText, page, all)
}

// SiteJSON writes the faults of a site as one JSON object.
func SiteJSON(w io.Writer, s *sites.Site) error {
	out := &writer{out: bufio.NewWriter(w)}
	out.field("{", "run", s.Run)
	out.field(",", "start", s.Start)
	out.field(",", "urls", len(s.Pages))
	out.field(",", "unread", s.Unread)
	out.field(",", "counts", append([]sites.Count{}, s.Counts...))
	array(out, ",", "faults", Each(s.Faults))
	return out.finish("}\n")
}

// SiteCSV writes the faults of a site as CSV (RFC 4180): a header, then one line for each fault.
func SiteCSV(w io.Writer, s *sites.Site) error {
	head := []string{"kind", "new", "url", "title", "text", "pages", "more"}
	return CSVOf(w, head, Each(s.Faults), func(f *sites.Fault) []string {
		return []string{
			string(f.Kind), fmt.Sprint(f.New), f.URL, f.Title, f.Text, strings.Join(f.Pages, " "), fmt.Sprint(f.More),
		}
	})
}

// Each returns a sequence of pointers to the values of a list. The errors in the sequence are nil.
func Each[T any](list []T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i := range list {
			if !yield(&list[i], nil) {
				return
			}
		}
	}
}

// PagesText writes URLs as a text table, one line for each URL.
func PagesText(w io.Writer, pages iter.Seq2[*sites.Page, error]) error {
	t, n := &writer{out: bufio.NewWriter(w)}, 0
	day := func(unix int64) string {
		if unix == 0 {
			return "-"
		}
		return time.Unix(unix, 0).Format(time.DateOnly)
	}
	const columns = "%-10s  %-4s  %-10s  %-11s  %s"
	types := map[document.Type]string{document.PageContent: "page", document.FileContent: "file"}
	for p, err := range pages {
		if err != nil {
			return err
		}
		if n == 0 {
			t.line(columns, "status", "type", "last read", "last change", "URL, title, found on")
		}
		n++
		line := p.URL
		if p.Title != "" {
			line += fmt.Sprintf("  %q", p.Title)
		}
		if why := p.Left(); why != "" {
			line += "  " + why
		}
		if p.From != "" {
			line += "  found on " + p.From
		}
		t.line(columns, p.Status, cmp.Or(types[p.Type], "-"), day(p.Read), day(p.Changed), line)
	}
	if n == 0 {
		t.line("no known URL matches")
	}
	return t.finish("")
}

// PagesJSON writes URLs as one JSON object.
func PagesJSON(w io.Writer, pages iter.Seq2[*sites.Page, error]) error {
	out := &writer{out: bufio.NewWriter(w)}
	array(out, "{", "pages", pages)
	return out.finish("}\n")
}

// PagesCSV writes URLs as CSV (RFC 4180): a header, then one line for each URL. Times are UTC (RFC 3339).
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
		return fmt.Sprint(n)
	}
	head := []string{
		"url", "status", "indexed", "http", "why", "title", "type", "links_in", "referrer",
		"target", "canonical", "in_sitemap", "length", "read", "changed", "since",
	}
	return CSVOf(w, head, pages, func(p *sites.Page) []string {
		return []string{
			p.URL, string(p.Status), fmt.Sprint(p.Indexed), number(p.HTTP), p.Why, p.Title, string(p.Type),
			fmt.Sprint(p.LinksIn), p.From, p.Target, p.Canonical, fmt.Sprint(p.Listed), number(p.Length),
			when(p.Read), when(p.Changed), when(p.Since),
		}
	})
}
