package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decoder puts the values of a TOML file into a struct, by the tags of its fields.
// go-toml reads the file; its own decoding into structs would stop at the first fault
// and forget lines.
type decoder struct {
	*Config
	into   reflect.Value       // the struct that the values go to: the Config, except for ReadStrict
	getenv func(string) string // nil: "${" is nothing special
	faults []Fault
	unread map[string]bool // keys that are pending or have a fault, and so no value
	header map[string]bool // names that stand in a [header]
	broken bool            // the file is not TOML, so nothing of it was read
}

func (d *decoder) decode(data []byte) {
	var values map[string]any
	if err := toml.Unmarshal(data, &values); err != nil {
		d.invalid(err)
		return
	}
	d.lines, d.header = positions(data)
	d.section(spot{Value: d.into}, values)
}

// foreign is what messages of go-toml quote of the file, which may be of a
// password, and what a terminal may obey.
var foreign = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*|[^\pL\pM\pN\pP\pS\p{Zs}]`)

func (d *decoder) invalid(err error) {
	d.broken = true
	line, message := 1, strings.TrimPrefix(err.Error(), "toml: ")
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = wrong.Position()
	}
	message = foreign.ReplaceAllString(message, "")
	if strings.HasSuffix(message, "start of value") {
		message += "; texts stand in quotes"
	}
	d.fault(line, "", "is not valid TOML: %s", message)
}

func (d *decoder) fault(line int, name, format string, args ...any) {
	d.faults = append(d.faults, d.note(line, name, fmt.Sprintf(format, args...)))
}

func (d *decoder) note(line int, name, text string) Fault {
	d.unread[name] = true
	return Fault{File: d.file, Line: line, Key: shown(name), Text: text}
}

// section reads the keys of a section, in the order of the file.
func (d *decoder) section(at spot, values map[string]any) {
	for _, key := range d.ordered(at.name, values) {
		name := join(at.name, spell(key))
		if field, ok := at.field(key, name); ok {
			d.value(field, values[key])
			continue
		}
		what := "key"
		if d.header[name] {
			what = "section"
		}
		d.fault(d.line(name), name, "unknown %s; the nearest known one is %s", what, nearest(d.into.Type(), shown(at.name), key))
	}
}

// ordered returns the keys of values in the order in which they stand in the file.
func (d *decoder) ordered(at string, values map[string]any) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	line := func(key string) int { return d.line(join(at, spell(key))) }
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(line(a)-line(b), strings.Compare(a, b)) })
	return keys
}

// value puts v into at. It reports whether at has a value now: it has none after a
// fault, and while it is pending.
func (d *decoder) value(at spot, v any) bool {
	maps, isMaps := at.Addr().Interface().(*Sitemaps)
	list, isList := v.([]any)
	table, isTable := v.(map[string]any)
	switch {
	case isList && isMaps:
		return d.sitemaps(at.name, maps, list)
	case isList && at.Kind() == reflect.Slice:
		return d.list(at, list)
	case isTable && at.Kind() == reflect.Map:
		d.table(at, table)
		return true
	case isTable && isSection(at.Type()):
		d.section(at, table)
		return true
	}
	return d.scalar(at, v)
}

// list reads a list. One element without a value leaves the list as it was.
func (d *decoder) list(at spot, values []any) bool {
	all, whole := reflect.Zero(at.Type()), true
	if len(values) > 0 {
		all = reflect.MakeSlice(at.Type(), len(values), len(values))
	}
	for i, v := range values {
		whole = d.value(spot{Value: all.Index(i), tag: at.tag, name: element(at.name, i)}, v) && whole
	}
	if whole {
		at.Set(all)
	} else {
		d.unread[at.name] = true
	}
	return whole
}

func (d *decoder) sitemaps(name string, maps *Sitemaps, values []any) bool {
	whole := d.list(spot{Value: reflect.ValueOf(&maps.List).Elem(), tag: `is:"address"`, name: name}, values)
	if whole && len(maps.List) == 0 {
		d.fault(d.line(name), name, `must not be an empty list: write "off" to read no sitemaps`)
	}
	maps.Auto = !whole
	return whole
}

// table reads a table whose keys the owner chooses.
func (d *decoder) table(at spot, values map[string]any) {
	if len(values) == 0 {
		return
	}
	all := reflect.MakeMap(at.Type())
	for _, key := range d.ordered(at.name, values) {
		name := join(at.name, spell(key))
		if err := check(at.tag.Get("key"), key); err != nil {
			d.fault(d.line(name), name, "the name %s", err)
		}
		entry := reflect.New(at.Type().Elem()).Elem()
		d.value(spot{Value: entry, tag: at.tag, name: name}, values[key])
		all.SetMapIndex(reflect.ValueOf(key), entry)
	}
	at.Set(all)
}
