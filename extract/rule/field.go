package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"sitesync/extract/markup"
)

// Field is the owner's rule for one field.
type Field struct {
	Name      string
	From      []string // sources; the first that gives a value wins
	Where     Where
	Transform []string
	Map       map[string]string // vocabulary of the transform "map"
	Required  bool              // a page without a value is an error
}

// Where says to which URLs a rule applies.
type Where struct {
	Patterns []string              // as the owner wrote them, for the fingerprint
	Match    func(url string) bool // nil: everywhere
}

// Applies reports whether a rule applies to a URL.
func (w *Where) Applies(url string) bool { return w.Match == nil || w.Match(url) }

// Compiled is a Field ready for use.
type Compiled struct {
	Field
	Sources     []Source
	Fingerprint uint64 // of all that can move the field of a page that the rule applies to
	transforms  []Transform
}

// Compile compiles rules; multi is the value of extract.multi. Its faults come joined,
// each naming its key.
func Compile(fields []Field, multi string) (all []Compiled, err error) {
	var errs []error
	fault := func(i int, key string, value string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("extract.field[%d].%s: %q %w", i, key, value, err))
		}
	}
	spelled := map[string]string{}
	for i, f := range fields {
		c := Compiled{Field: f}
		c.Fingerprint = xxhash.Sum64String(fmt.Sprintf("%q %q %q %q %t %q", f.Name, f.From, f.Transform, f.Map, f.Required, multi))
		fault(i, "name", f.Name, CheckName(f.Name))
		if first, ok := spelled[strings.ToLower(f.Name)]; ok && first != f.Name {
			fault(i, "name", f.Name, fmt.Errorf("must be written as before, %q", first))
		}
		spelled[strings.ToLower(f.Name)] = f.Name
		for j, text := range f.From {
			source, err := ParseSource(text)
			fault(i, fmt.Sprintf("from[%d]", j), text, err)
			c.Sources = append(c.Sources, source)
		}
		for j, text := range f.Transform {
			transform, err := ParseTransform(text)
			fault(i, fmt.Sprintf("transform[%d]", j), text, err)
			c.transforms = append(c.transforms, transform)
		}
		if f.Name == "Date" { // one day, in the form that the service compares
			c.transforms = append(c.transforms, Transform{Op: Date}, Transform{Op: First})
		}
		all = append(all, c)
	}
	return all, errors.Join(errs...)
}

// Transformed takes the values of a source through the rule's transforms; days are
// those of zone, values have at most size bytes. What a transform can't read, and what
// is empty after it, is dropped.
func (c *Compiled) Transformed(values []string, zone *time.Location, size int) []string {
	for i := range c.transforms {
		if len(values) == 0 {
			break
		}
		switch t := &c.transforms[i]; t.Op {
		case First:
			values = values[:1]
		case All:
			values = []string{strings.Join(values, t.Text)}
		default:
			for j := range values {
				values[j] = c.transformed(t, values[j], zone, size)
			}
			values = slices.DeleteFunc(values, func(value string) bool { return value == "" })
		}
	}
	return values
}

func (c *Compiled) transformed(t *Transform, value string, zone *time.Location, size int) string {
	switch t.Op {
	case Trim:
		return strings.TrimSpace(value)
	case Lower:
		return strings.ToLower(value)
	case Replace:
		return markup.Clip(t.Regexp.ReplaceAllString(value, t.Text), max(size, len(value)))
	case Date:
		if len(t.Layouts) == 0 {
			return DayOf(value, zone)
		}
		for _, layout := range t.Layouts {
			if day, ok := layout.Day(value); ok {
				return FormatDay(day)
			}
		}
		return ""
	case Number:
		decimal, _ := Decimal(value)
		return decimal
	case Map:
		for _, key := range [...]string{value, "*"} {
			if to, ok := c.Map[key]; ok {
				return to
			}
		}
	case Max:
		return markup.Clip(value, t.Max)
	}
	return value
}
