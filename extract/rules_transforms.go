package extract

import (
	"strings"
	"time"

	"sitesync/extract/rule"
)

// transform takes the values of a source through a rule's transforms. What one of
// them can't read, and what is empty after it, is dropped.
func (e *Extractor) transform(r *fieldRule, values []string) []string {
	for i := range r.transforms {
		if len(values) == 0 {
			break
		}
		switch t := &r.transforms[i]; t.Op {
		case rule.First:
			values = values[:1]
		case rule.All:
			values = []string{strings.Join(values, t.Text)}
		default:
			kept := values[:0]
			for _, value := range values {
				if value = e.transformOne(r, t, value); value != "" {
					kept = append(kept, value)
				}
			}
			values = kept
		}
	}
	return values
}

func (e *Extractor) transformOne(r *fieldRule, t *rule.Transform, value string) string {
	switch t.Op {
	case rule.Trim:
		return strings.TrimSpace(value)
	case rule.Lower:
		return strings.ToLower(value)
	case rule.Replace:
		return clip(t.Regexp.ReplaceAllString(value, t.Text), max(maxValue, len(value)))
	case rule.Date:
		return dayBy(t.Layouts, value, e.options.Location)
	case rule.Number:
		decimal, _ := rule.Decimal(value)
		return decimal
	case rule.Map:
		return mapped(r.Map, value)
	case rule.Max:
		return clip(value, t.Max)
	}
	return value
}

// dayBy returns the day that a text names by the first layout that fits; without
// layouts, by the forms that pages use for machines.
func dayBy(layouts []rule.Layout, text string, loc *time.Location) string {
	if len(layouts) == 0 {
		return dayOf(text, loc)
	}
	for _, layout := range layouts {
		if t, ok := layout.Day(text); ok {
			return formatDay(t)
		}
	}
	return ""
}

// mapped returns what a vocabulary has for a value, else what it has for "*", else
// the value.
func mapped(vocabulary map[string]string, value string) string {
	if to, ok := vocabulary[value]; ok {
		return to
	}
	if to, ok := vocabulary["*"]; ok {
		return to
	}
	return value
}
