package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Fault is one thing that is wrong with a configuration.
type Fault struct {
	File string
	Line int    // from 1; of the [section] when the key is missing, 1 when that is missing too
	Key  string // "fetch.delay"; empty when the file is not TOML there
	Text string // what is wrong and what to do, without secrets
}

// String returns "file:line: key: text".
func (f Fault) String() string {
	if f.Key == "" {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Key, f.Text)
}

// Faults is every fault of a configuration, sorted by line. It is never empty.
type Faults struct{ List []Fault }

// Error returns the faults, one a line.
func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, fault := range f.List {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// asError returns list, which it sorts by line, as an error; nil when it is empty.
func asError(list []Fault) error {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return &Faults{List: list}
}

// lineOf returns where key stands; if it is missing, where its section does; if
// that is missing too, 1.
func lineOf(lines map[string]int, key string) int {
	return cmp.Or(lines[key], lines[key[:strings.LastIndexByte(key, '.')]], 1)
}

// nearest returns the key known to t with the fewest edits to name, another section
// than at being two edits; among equals the one that comes first.
func nearest(t reflect.Type, at, name string) string {
	best, least := "", math.MaxInt
	for _, key := range known("", t) {
		bare := strings.Trim(key, "[]")
		dot := strings.LastIndexByte(bare, '.')
		cost := levenshtein.Distance(cut(strings.ToLower(name)), bare[dot+1:], nil)
		if bare[:max(0, dot)] != at {
			cost += 2
		}
		if cost < least {
			best, least = key, cost
		}
	}
	return best
}

// known lists the keys below a section or a list of them, each "[section]" before
// its keys; nothing when t is neither.
func known(at string, t reflect.Type) (all []string) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if !isSection(t) {
		return nil
	}
	for f := range t.Fields() {
		name := tagged(f)
		key := join(at, name)
		if below := known(key, f.Type); below != nil {
			all = append(append(all, "["+key+"]"), below...)
		} else if name != "" {
			all = append(all, key)
		}
	}
	return all
}

// fields judges what takes more than one key of [[extract.field]].
func (d *decoder) fields() {
	spelled := map[string]int{} // of each name in lower case, the first rule
	for i, f := range d.Extract.Fields {
		name := element("extract.field", i)
		d.missing(f.Name == "", name+".name", `name the field, such as "Category"`)
		d.missing(len(f.From) == 0, name+".from", `name the sources of its value, such as ["css:h1", "meta:title"]`)
		mapped := slices.Contains(f.Transform, "map")
		d.missing(mapped && len(f.Map) == 0, name+".map", `the transform "map" needs it, such as { "nyheder" = "News" }`)
		if !mapped && len(f.Map) > 0 && !d.unread[name+".transform"] {
			d.fault(lineOf(d.lines, name+".map"), name+".map", `does nothing: add "map" to the transforms of this rule`)
		}
		first, ok := spelled[strings.ToLower(f.Name)]
		if !ok {
			spelled[strings.ToLower(f.Name)] = i
		} else if d.Extract.Fields[first].Name != f.Name {
			as, is := d.lines[element("extract.field", first)+".name"], d.lines[name+".name"]
			d.fault(is, name+".name", "must be written as on line %d: field names differ by upper and lower case", as)
		}
	}
}
