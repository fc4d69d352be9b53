package fleet

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"sitesync/internal/cli/app"
	"sitesync/internal/report"
)

// table prints rows of cells below each other, as wide as the terminal at most.
func table(a *app.App, rows [][]string) {
	columns, _ := a.Size()
	fmt.Fprint(a.Stdout, grid(columns, rows))
}

// grid returns rows of cells below each other, each made safe. Where a terminal has so many
// columns, the last cells of all rows are left out until they fit.
func grid(columns int, rows [][]string) string {
	widths, out := map[int]int{}, strings.Builder{}
	for _, cells := range rows {
		for i := range cells {
			cells[i] = report.Clean(app.Shorten(cells[i]))
			widths[i] = max(widths[i], uniseg.StringWidth(cells[i]))
		}
	}
	for _, cells := range rows {
		line, width := "", 0
		for i, cell := range cells {
			if width += widths[i] + 2; i > 1 && columns > 0 && width-2 > columns {
				break
			}
			line += cell + strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2)
		}
		fmt.Fprintln(&out, strings.TrimRight(line, " "))
	}
	return out.String()
}
