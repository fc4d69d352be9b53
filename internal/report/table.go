package report

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"iter"
	"regexp"
	"strings"

	"sitesync/internal/document"
)

// CSV writes the changes of a run as CSV (RFC 4180): a header, then one line for each change.
func CSV(w io.Writer, r *Run) error {
	head := []string{"op", "id", "type", "cause", "state", "brake", "fields", "evidence", "reason", "title"}
	return CSVOf(w, head, r.Changes, func(e Change) []string {
		return []string{
			string(e.Op), e.ID, string(e.Type), string(e.Cause), string(e.State), string(e.Brake),
			strings.Join(e.Fields, " "), Days(e.Evidence), Days(e.Reason), e.Title,
		}
	})
}

// A spreadsheet treats a cell as a formula if it begins with a sign such as "=" (OWASP: CSV injection). After
// a semicolon a sign is dangerous too, as some spreadsheets split cells there. Plain numbers are safe.
var (
	formula = regexp.MustCompile(`(^|;)([\pZ"]*[=+\-@＝＋－＠])`)
	number  = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)?$`)
)

// CSVOf writes a header, then one line for each value, as CSV (RFC 4180). A cell that a spreadsheet would
// treat as a formula gets a leading apostrophe.
func CSVOf[T any](w io.Writer, head []string, seq iter.Seq2[T, error], cells func(T) []string) error {
	out := csv.NewWriter(w)
	err := out.Write(head)
	for v, failed := range seq {
		if failed != nil {
			return failed
		}
		row := cells(v)
		for i, cell := range row {
			if !number.MatchString(cell) {
				row[i] = formula.ReplaceAllString(Clean(cell), "$1'$2") // Clean also makes tab and CR visible
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

// HTML writes the run as one HTML page that loads no other resource.
func HTML(w io.Writer, r *Run) error {
	r, err := r.withoutHeldMoves()
	if err != nil {
		return err
	}
	t := template.Must(template.New("run").Funcs(template.FuncMap{
		"sentence": Sentence, "bulk": BulkLine, "kinds": groupWarnings, "sections": pageSections,
		"count": document.Count, "n": document.Number[int], "short": document.Short, "days": Days,
		"holding": func(r *Run) ([]*Held, error) { return r.held(0) },
		"style":   func() template.CSS { return template.CSS(Style) },
		"check":   func(err error) (string, error) { return "", err }, // an error stops the template
	}).Parse(pageSource + Rows))
	return execute(w, t, r)
}

const mostRows = 2000

// pageSections returns the sections in order. The section of moves is empty: the page shows r.Moves instead.
func pageSections(r *Run) (all []*section, err error) {
	found, err := sections(r.Changes, func(string) int { return mostRows })
	if err != nil {
		return nil, err
	}
	const moved = string(document.KindMoved)
	delete(found, moved)
	if n := pairs(r); n > 0 {
		found[moved] = &section{Name: moved, N: n, Changes: func(func(Change, error) bool) {}}
	}
	for _, name := range Order() {
		if s := found[name]; s != nil {
			all = append(all, s)
		}
	}
	return all, nil
}

// Style is the style sheet of the HTML report and of the web application.
//
//go:embed style.css
var Style string

// Rows holds HTML templates for rows of lists. The templates need the functions count, n, days and short.
//
//go:embed rows.html
var Rows string
