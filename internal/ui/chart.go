package ui

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/document"
)

// point is one value of a chart.
type point struct {
	Label string
	Value int
}

// bar is where a chart shows a point.
type bar struct {
	point
	X, Y, W, H float64
}

// chart is a row of bars, drawn in a box of chartWidth by chartHeight. Beside it stands a
// table of the same values.
type chart struct {
	Title     string
	Bars      []bar
	Max, Last int
}

const (
	chartWidth  = 300.0
	chartHeight = 60.0
)

func newChart(title string, points []point) chart {
	c := chart{Title: title}
	for _, p := range points {
		c.Max, c.Last = max(c.Max, p.Value), p.Value
	}
	step := chartWidth / float64(max(14, len(points)))
	for i, p := range points {
		height := 1.0 // a night of nothing is seen as well
		if c.Max > 0 {
			height = max(1, float64(p.Value)/float64(c.Max)*chartHeight)
		}
		c.Bars = append(c.Bars, bar{p, float64(i) * step, chartHeight - height, step * 0.8, height})
	}
	return c
}

// Says tells a chart in words, for those who don't see it.
func (c chart) Says() string {
	var parts []string
	for _, b := range c.Bars {
		parts = append(parts, fmt.Sprintf("%s: %s", b.Label, document.Number(b.Value)))
	}
	return c.Title + " by night. " + strings.Join(parts, ", ")
}

func day(unix int64) string { return time.Unix(unix, 0).Local().Format("2 January") }
