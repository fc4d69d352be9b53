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

// Fault is one mistake in a configuration file.
type Fault struct {
	File string
	Line int    // counted from 1; if the key is missing, the line of its [section], or 1
	Key  string // such as "fetch.delay"; empty if the file is not valid TOML
	Text string // the fault and how to mend it; holds no secrets
}

// String returns "file:line: key: text", or "file:line: text" if there is no key.
func (f Fault) String() string {
	if f.Key == "" {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Key, f.Text)
}

// Faults is an error that holds all faults of a configuration file: at least one, sorted by line.
type Faults struct{ List []Fault }

// Error returns the faults, each on its own line.
func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, fault := range f.List {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

func asError(list []Fault) error {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return &Faults{List: list}
}

func lineOf(lines map[string]int, key string) int {
	return cmp.Or(lines[key], lines[key[:strings.LastIndexByte(key, '.')]], 1)
}

// nearest returns advice about an unknown key called name. It names the key of the struct type t with the
// fewest edits from name. An added beginning such as "api_" counts as one edit, another section as two more.
// If no key is near, nearest lists the keys of section, or all sections if section is "".
func nearest(t reflect.Type, section, name string) string {
	best, least := "", math.MaxInt
	var siblings []string
	name = cut(strings.ToLower(name))
	for _, key := range known("", t) {
		bare := strings.Trim(key, "[]")
		dot := strings.LastIndexByte(bare, '.')
		cost := levenshtein.Distance(name, bare[dot+1:], nil)
		if strings.HasSuffix(bare, "_"+name) {
			cost = 1
		}
		if bare[:max(0, dot)] == section {
			siblings = append(siblings, bare[dot+1:])
		} else {
			cost += 2
		}
		if cost < least {
			best, least = key, cost
		}
	}
	switch list := strings.Join(siblings, ", "); {
	case least <= max(2, len(name)/2):
		return "the nearest known one is " + best
	case section == "":
		return "the sections are " + list
	default:
		return "[" + section + "] has " + list
	}
}

// known lists the keys of a section and of the sections inside it. Each "[section]" comes before its keys.
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

func (d *decoder) fields() {
	firstRule := map[string]int{}
	for i, f := range d.Extract.Fields {
		name := element("extract.field", i)
		d.missing(f.Name == "", name+".name", `name the field, such as "Category"`)
		d.missing(len(f.From) == 0, name+".from", `name the sources of its value, such as ["css:h1", "meta:title"]`)
		mapped := slices.Contains(f.Transform, "map")
		d.missing(mapped && len(f.Map) == 0, name+".map",
			`the transform "map" needs it, such as { "nyheder" = "News" }`)
		if !mapped && len(f.Map) > 0 && !d.unread[name+".transform"] {
			key := name + ".map"
			d.fault(lineOf(d.lines, key), key, `does nothing: add "map" to the transforms of this rule`)
		}
		first, ok := firstRule[strings.ToLower(f.Name)]
		if !ok {
			firstRule[strings.ToLower(f.Name)] = i
		} else if d.Extract.Fields[first].Name != f.Name {
			as, is := d.lines[element("extract.field", first)+".name"], d.lines[name+".name"]
			d.fault(is, name+".name", "must be written as on line %d: field names differ by upper and lower case", as)
		}
	}
}
