package judge

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
)

// sketch writes a verdict in words: the change, the record kept without a call, and
// what is reported, "; " between them.
func sketch(v Verdict) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if v.Change != nil {
		add("%s", sketchChange(v.Change))
	}
	if v.Next != nil {
		add("keep %s", sketchRecord(v.Next))
	}
	if v.Drop {
		add("drop")
	}
	if v.Failure != nil {
		add("failed %d since %s", v.Failure.Status, v.Failure.Since)
	}
	if v.Move != nil {
		add("moved to %s", path(v.Move.To))
	}
	for _, w := range v.Warnings {
		add("warn %s", w.Kind)
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// sketchChange writes a change; of the record after it only that of a delete, for
// that of a put or patch is always the same (TestValidatorsComeWithTheirContent).
func sketchChange(c *document.Change) string {
	words := append([]string{string(c.Op), string(c.Cause)}, c.Fields...)
	if c.Type == document.FileContent {
		words = append(words, "as a file")
	}
	if c.Needs != "" {
		words = append(words, "after "+path(c.Needs))
	}
	if c.Doubt {
		words = append(words, "(doubt)")
	}
	if c.State == document.Refused {
		words = append(words, "(parked)")
	}
	if c.Op == document.Delete && c.Next != nil {
		words = append(words, "leaving "+sketchRecord(c.Next))
	}
	return strings.Join(words, " ")
}

// sketchRecord writes what is worth telling of a record.
func sketchRecord(r *document.Record) string {
	words := []string{string(r.Push)}
	if r.Push == document.PushNone {
		words[0] = "plain"
	}
	add := func(told bool, format string, args ...any) {
		if told {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(r.Hints.ETag != "", "%s", r.Hints.ETag)
	add(r.Misses > 0, "misses %d", r.Misses)
	add(r.Strikes > 0, "strikes %d", r.Strikes)
	add(r.Since != "", "since %s", r.Since)
	add(r.Suspect.How != "", "suspect")
	add(r.Canonical != "", "folded into %s", path(r.Canonical))
	add(r.Date != "", "dated %s", r.Date)
	add(r.Rules > rules, "other rules")
	add(r.Fetched == start, "read for real")
	add(r.Listed, "listed")
	for i, look := range r.Looks {
		add(i == 0, "looks")
		words = append(words, string(look.Seen))
	}
	add(r.Led > 0, "led %d", r.Led)
	return strings.Join(words, " ")
}

func path(url string) string { return strings.TrimPrefix(url, "https://a.example") }
