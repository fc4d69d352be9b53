package report

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"sitesync/internal/document"
)

// only returns the values of seq for which fits returns true. The sequence ends with the first error.
func only[T any](seq iter.Seq2[T, error], fits func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range seq {
			if err == nil && !fits(v) {
				continue
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

func first[T any](n int, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		left := n
		for v, err := range seq {
			left--
			if !yield(v, err) || left == 0 {
				return
			}
		}
	}
}

func also(before, part, behind string) string {
	if part == "" {
		return ""
	}
	return before + part + behind
}

// BrakeLine returns one line about a brake (a limit on changes): the changes that it holds, the reason, and
// the command that releases them.
func BrakeLine(t *document.Tripped) string {
	line := fmt.Sprintf("brake %q holds %s: %s", t.Brake, document.Number(t.Held), t.Why)
	return line + also("; release with: ", string(t.Release), "")
}

// BulkLine returns one line about a bulk delete: its date limit and the number of documents to delete.
func BulkLine(b *document.Bulk) string {
	return fmt.Sprintf("bulk delete where Date_date before %s: %s", b.Before, document.Count(b.Documents, "document"))
}

func lookedAt(r *Run) string {
	line := document.Count(r.Summary.Looked, "URL") + " looked at"
	if hints := r.Summary.Counts.SkippedByHint; hints > 0 {
		line += ", " + document.Number(hints) + " by a hint alone,"
	}
	if r.Duration > 0 {
		line += " in " + r.Duration.Round(time.Millisecond).String()
	}
	return line + fmt.Sprintf("; run %.10s", r.Summary.Run)
}

func dayOf(run string) string {
	id, err := ulid.ParseStrict(run)
	if err != nil {
		return "run " + run
	}
	return ulid.Time(id.Time()).Local().Format("2 January")
}

var runIDs = regexp.MustCompile(`in runs? [0-9A-HJKMNP-TV-Z]{26}(, [0-9A-HJKMNP-TV-Z]{26})*`)

// Days replaces the IDs of runs in a text by the days of the runs, as in "404 on 21 and 22 November".
func Days(evidence string) string {
	return runIDs.ReplaceAllStringFunc(evidence, func(ids string) string {
		_, runs, _ := strings.Cut(strings.TrimPrefix(ids, "in "), " ")
		var days []string
		for run := range strings.SplitSeq(runs, ", ") {
			days = append(days, dayOf(run))
		}
		days = slices.Compact(days)
		last := len(days) - 1
		for i := range last {
			if day, month, _ := strings.Cut(days[i], " "); strings.HasSuffix(days[i+1], " "+month) {
				days[i] = day
			}
		}
		if last == 0 {
			return "on " + days[0]
		}
		return "on " + strings.Join(days[:last], ", ") + " and " + days[last]
	})
}

// PastLine returns one line about a past run: its ID, its start and its outcome.
func PastLine(s *document.Summary) string {
	return fmt.Sprintf("%.10s  %s  %s", s.Run, time.Unix(s.Start, 0).Format("2006-01-02 15:04"), Outcome(s))
}

// EntryLine returns one line about a change: operation, ID, cause and state.
func EntryLine(e *document.Entry) string {
	line := fmt.Sprintf("%-6s %s (%s%s)", e.Op, e.ID, e.Cause, also(": ", strings.Join(e.Fields, ", "), ""))
	if e.State != document.Acknowledged && e.State != document.Planned {
		line += " " + string(e.State) + also(` by the brake "`, string(e.Brake), `"`)
	}
	why := e.Reason
	if e.State == document.Refused { // a change that is refused three times has its reason in Evidence
		why = cmp.Or(why, e.Evidence)
	}
	return line + also(": ", Days(why), "")
}

// EvidenceLine returns a line with the evidence, such as "404", for a delete or a held change, or else "".
func EvidenceLine(e *document.Entry) string {
	if e.State != document.Held && e.Op != document.Delete && e.Op != document.BulkDelete {
		return ""
	}
	return also("       ", Days(e.Evidence), "")
}
