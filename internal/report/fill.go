package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"time"

	"sitesync/internal/document"
	sites "sitesync/internal/report/site"
	"sitesync/internal/template"
)

// Fill writes a page for a terminal: a template with data, of which every value goes through
// Clean. all: no list is cut. Beside what templates have there are count and n, as
// package document writes numbers; first and rest of a list that is cut; line, a text in
// one line; join; when and at, a time; zero; name and kind, of a site and of its faults; and
// the lines of this package.
func Fill(w io.Writer, page string, data any, all bool) error {
	most := func(n int) int {
		if all {
			return math.MaxInt
		}
		return n
	}
	t, err := template.Text(page, template.Funcs{
		"count": document.Count, "n": document.Number[int], "join": strings.Join,
		"past": PastLine,
		"first": func(n int, list any) any {
			v := reflect.ValueOf(list)
			return v.Slice(0, min(most(n), v.Len())).Interface()
		},
		"rest": func(n int, list any, more int) int { return more + max(0, reflect.ValueOf(list).Len()-most(n)) },
		"when": moment, "at": func(t time.Time) string { return moment(t.Unix()) }, "zero": time.Time.IsZero, "name": (*sites.Site).Name, "kind": sites.Kind.Name, "all": func() bool { return all },
		"line": func(s string) string { // in one line, cut short unless all is asked for
			text := []rune(strings.Join(strings.Fields(s), " "))
			if len(text) > 100 && !all {
				return string(text[:100]) + "…"
			}
			return string(text)
		},
	}, Clean)
	return execute(w, t, err, data)
}

func moment(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006, 15:04") }

// execute writes a page, unless its template has a fault.
func execute(w io.Writer, t *template.Template, fault error, data any) error {
	if fault != nil {
		return fault
	}
	out := bufio.NewWriter(w)
	err := t.Execute(cleaner{out}, data)
	if err := cmp.Or(err, out.Flush()); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// cleaner writes text of several lines through CleanLines. Each Write must hold
// whole characters, as those of a template do.
type cleaner struct{ out io.Writer }

func (c cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.out, CleanLines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
