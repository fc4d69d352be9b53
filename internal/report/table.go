package report

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strings"
	"sync"

	"sitesync/internal/document"
)

// CSV writes one line a change: RFC 4180 with a header. Cells that a spreadsheet
// would take for a formula get an apostrophe in front.
func CSV(w io.Writer, r *Run) error {
	head := []string{"op", "id", "type", "cause", "state", "brake", "fields", "evidence", "reason", "title"}
	return csvOf(w, head, r.Changes, func(e Change) []string {
		return []string{
			string(e.Op), e.ID, string(e.Type), string(e.Cause), string(e.State), string(e.Brake),
			strings.Join(e.Fields, " "), e.Evidence, e.Reason, e.Title,
		}
	})
}

// csvOf writes a header, and the cells of each value.
func csvOf[T any](w io.Writer, head []string, seq iter.Seq2[T, error], cells func(T) []string) error {
	out := csv.NewWriter(w)
	err := out.Write(head)
	for v, failed := range seq {
		if failed != nil {
			return failed
		}
		row := cells(v)
		for i, cell := range row {
			row[i] = Clean(cell)
			if row[i] != "" && strings.ContainsRune("=+-@\t\r", rune(row[i][0])) {
				row[i] = "'" + row[i]
			}
		}
		err = out.Write(row)
		if err != nil {
			break
		}
	}
	out.Flush()
	err = cmp.Or(err, out.Error())
	if err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

//go:embed run.html
var pageSource string

// page is parsed when a run wants it: most want text.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("run").Funcs(template.FuncMap{
		"sentence": Sentence, "bulk": BulkLine, "kinds": kinds,
		"check": func(err error) (string, error) { return "", err }, // ends the page
	}).Parse(pageSource))
})

// HTML writes the run as one page that needs nothing else.
func HTML(w io.Writer, r *Run) error {
	if err := page().Execute(cleaner{w}, r); err != nil {
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

// MovesCSV writes one line a document that continues under another ID, for the redirects
// of a site's webmaster: RFC 4180 with a header, in the order of moves. Cells that a
// spreadsheet would take for a formula get an apostrophe in front.
func MovesCSV(w io.Writer, moves iter.Seq2[document.Move, error]) error {
	return csvOf(w, []string{"from", "to", "by"}, moves, func(m document.Move) []string { return []string{m.From, m.To, m.By} })
}
