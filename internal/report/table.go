package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strings"

	"sitesync/internal/document"
)

// CSV writes one line a change: RFC 4180 with a header. Cells that a spreadsheet
// would take for a formula get an apostrophe in front.
func CSV(w io.Writer, r *Run) error {
	head := []string{"op", "id", "type", "cause", "state", "brake", "fields", "evidence", "reason"}
	return csvOf(w, head, r.Entries, func(e document.Entry) []string {
		return []string{
			string(e.Op), e.ID, string(e.Type), string(e.Cause), string(e.State), string(e.Brake),
			strings.Join(e.Fields, " "), e.Evidence, e.Reason,
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

var page = template.Must(template.New("run").Funcs(template.FuncMap{
	"totals": Totals, "bulk": BulkLine, "kinds": kinds,
	"check": func(err error) (string, error) { return "", err }, // ends the page
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>sitesync run {{.Summary.Run}}</title>
<style>body{font:15px/1.45 system-ui,sans-serif;margin:2rem;max-width:72rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top;overflow-wrap:anywhere}th{border-bottom:1px solid #999}.held td{background:#fff3d6}</style>
<h1>Run {{.Summary.Run}}</h1><p>{{totals .}}</p>
{{range .Summary.Hosts}}{{if ne .State "ok"}}<p><strong>{{.Host}}</strong> is {{.State}}: {{.Reason}}</p>{{end}}{{$host := .Host}}{{range .Alarms}}<p><strong>{{$host}}</strong>: {{.}}</p>{{end}}{{end}}{{with .Summary.Bulk}}<p>{{bulk .}}</p>{{end}}
{{with .Summary.Scope}}<h2>Out of scope</h2><table><tr><th>Rule<th>Line<th>Documents<th>URLs
{{range .}}<tr><td>{{.Rule}}<td>{{.Line}}<td>{{.Documents}}{{if .Kept}}, kept{{end}}<td>{{range .URLs}}{{.}} {{end}}
{{end}}</table>
{{end}}{{with .Summary.Brakes}}<h2>Held</h2><table><tr><th>Brake<th>Of<th>Changes<th>Why<th>Line<th>Release with
{{range .}}<tr class="held"><td>{{.Brake}}<td>{{.Group}}<td>{{.Held}}<td>{{.Why}}<td>{{.Line}}<td><code>{{.Release}}</code>
{{end}}</table><h2>Changes</h2>
{{end}}<table><tr><th>Call<th>Document<th>Cause<th>State<th>Fields<th>Evidence
{{range $v, $err := .Entries}}{{check $err}}{{with $v}}<tr{{if eq .State "held"}} class="held"{{end}}><td>{{.Op}}<td>{{.ID}}<td>{{.Cause}}<td>{{.State}} {{.Brake}}<td>{{range .Fields}}{{.}} {{end}}<td>{{.Evidence}} {{.Reason}}
{{end}}{{end}}</table>
<h2>Not read</h2><table>{{range $v, $err := .Failures}}{{check $err}}{{with $v}}<tr><td>{{.URL}}<td>{{.Error}}<td>{{with .From}}found on {{.}}{{end}}{{end}}{{end}}</table>
<h2>Moved</h2><table>{{range $v, $err := .Moves}}{{check $err}}{{with $v}}<tr><td>{{.From}}<td>{{.To}}<td>{{with .By}}by {{.}}{{end}}{{end}}{{end}}</table>
<h2>Warnings</h2>{{range kinds .Warnings}}{{if .Many}}<details><summary>{{.Kind}}: {{.N}} of this kind</summary>{{end}}<table>{{range .Kept}}<tr><td>{{.Kind}}<td>{{.URL}}<td>{{.Text}}{{end}}</table>{{if .Many}}</details>{{end}}{{end}}</html>
`))

// HTML writes the run as one page that needs nothing else.
func HTML(w io.Writer, r *Run) error {
	if err := page.Execute(cleaner{w}, r); err != nil {
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
