package report

import (
	"io"
	"iter"

	"sitesync/internal/document"
)

// moveLine returns one line that tells of a move, and how it is known.
func moveLine(m document.Move) string {
	line := m.From + " → " + m.To
	if m.By != "" {
		line += " (by " + m.By + ")"
	}
	return line
}

// MovesCSV writes one line a document that goes on under another ID, for the redirects
// of a site's webmaster: RFC 4180 with a header, in the order of moves. Cells that a
// spreadsheet would take for a formula get an apostrophe in front.
func MovesCSV(w io.Writer, moves iter.Seq2[document.Move, error]) error {
	return csvOf(w, []string{"from", "to", "by"}, moves, func(m document.Move) []string { return []string{m.From, m.To, m.By} })
}
