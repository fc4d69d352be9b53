package health

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// What a group's figures are compared with, and when.
const (
	healthRuns     = 30  // the latest, of which the last that read enough counts
	healthRead     = 20  // documents that both runs must have read
	healthChanged  = 0.2 // share of tonight's that changed or are new: others can't have fallen
	healthFall     = 0.2 // of a field's fill, from which on it is told
	healthWarnings = 20  // in a run
)

// Before returns the figures by group that a run's are compared with: those of
// the latest run that read enough documents of it. Runs come the latest first.
func Before(runs iter.Seq2[document.Summary, error]) (map[string]document.HealthGroup, error) {
	before := map[string]document.HealthGroup{}
	left := healthRuns
	for run, err := range runs {
		if left--; left < 0 || err != nil {
			return before, err
		}
		for _, group := range run.Health {
			if _, known := before[group.Group]; !known && group.Read >= healthRead && len(before) < 2*KeptGroups {
				before[group.Group] = group
			}
		}
	}
	return before, nil
}

// Compare marks what fell since earlier runs, and returns a warning for each of
// the first groups of which something did.
func Compare(groups []document.HealthGroup, before map[string]document.HealthGroup) (warnings []document.Warning) {
	more := 0
	for i := range groups {
		fallen := compareHealth(&groups[i], before[groups[i].Group])
		switch {
		case len(fallen) == 0:
		case len(warnings) == healthWarnings:
			more++
		default:
			warnings = append(warnings, healthWarning(&groups[i], fallen))
		}
	}
	if more > 0 {
		warnings = append(warnings, document.Warning{Kind: document.WarnHealth, Text: fmt.Sprintf("and %d more of this kind", more)})
	}
	return warnings
}

// compareHealth marks the fields that fell since an earlier run, and returns what to
// say of them.
func compareHealth(now *document.HealthGroup, was document.HealthGroup) (fallen []string) {
	if now.Read < healthRead || was.Read < healthRead || float64(now.Changed) < healthChanged*float64(now.Read) {
		return nil
	}
	for _, before := range was.Fields {
		at, found := slices.BinarySearchFunc(now.Fields, before.Name, func(f document.FieldHealth, name string) int { return strings.Compare(f.Name, name) })
		field := document.FieldHealth{Name: before.Name}
		if found {
			field = now.Fields[at]
		}
		switch {
		case fellBeyondChance(before.Fill, was.Read, field.Fill, now.Read):
			fallen = append(fallen, fmt.Sprintf("%s is in %.0f %% of %d documents, and was in %.0f %%", field.Name, 100*field.Fill, now.Read, 100*before.Fill))
		case found && 2*field.Median < before.Median:
			fallen = append(fallen, fmt.Sprintf("%s has %d bytes in the middle of %d documents, and had %d", field.Name, field.Median, now.Read, before.Median))
		default:
			continue
		}
		if !found {
			now.Fields = slices.Insert(now.Fields, at, field)
		}
		now.Fields[at].FellFrom = &before.FieldFigures
	}
	return fallen
}

// fellBeyondChance reports whether a share fell by more than healthFall, and by more
// than two samples of the same documents differ: three standard errors.
func fellBeyondChance(was float64, n int, now float64, m int) bool {
	mean := (was*float64(n) + now*float64(m)) / float64(n+m)
	chance := 3 * math.Sqrt(mean*(1-mean)*(1/float64(n)+1/float64(m)))
	return was-now > max(healthFall, chance)
}

func healthWarning(group *document.HealthGroup, fallen []string) document.Warning {
	w := document.Warning{Kind: document.WarnHealth, Text: strings.Join(fallen, "; ")}
	if strings.Contains(group.Group, "://") {
		w.URL = group.Group
	} else {
		w.Text = group.Group + ": " + w.Text
	}
	return w
}
