package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// decoder puts the keys of a TOML file into a Config, by the tags of its
// structs. go-toml's own decoder stops at the first fault and forgets lines;
// this one takes the expressions of its parser and keeps both.
type decoder struct {
	*Config
	into   reflect.Value       // the struct that the keys go to: the Config, except in ReadStrict
	getenv func(string) string // nil: "${" is nothing special
	data   []byte
	parser unstable.Parser
	faults []Fault
	unread map[string]bool // keys that are pending or have a fault, and so no value
	broken bool            // the file is not TOML, so nothing of it was read
}

// decode takes all that can be read. go-toml's own decoder judges first whether the
// file is TOML: its parser does not look at keys and sections that stand twice.
func (d *decoder) decode(data []byte) {
	data = slices.Clip(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) // the mark that Windows editors put first
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		d.broken = true
		line, message := 1, foreign.ReplaceAllString(strings.TrimPrefix(err.Error(), "toml: "), "")
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = wrong.Position()
		}
		if strings.HasSuffix(message, "start of value") {
			message += "; texts stand in quotes"
		}
		d.fault(line, "", "is not valid TOML: %s", message)
		return
	}
	d.data = data
	d.parser.Reset(data)
	root := spot{Value: d.into}
	section := root
	for d.parser.NextExpression() {
		e := d.parser.Expression()
		if e.Kind == unstable.KeyValue {
			d.set(section, e)
			continue
		}
		at, line := d.walk(root, e) // of a [header] or [[header]]
		switch {
		case !at.IsValid():
		case at.isSections() != (e.Kind == unstable.ArrayTable) || !at.isTable() && !at.isSections():
			d.fault(line, at.name, "%s", at.scan(e.Kind, ""))
			at = spot{}
		default:
			if at.isSections() {
				at = at.grow()
			}
			d.lines[at.name] = line
		}
		section = at
	}
}

// foreign is what messages of go-toml quote of the file, which may be of a
// password, and what a terminal may obey.
var foreign = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*|[^\pL\pM\pN\pP\pS\p{Zs}]`)

func (d *decoder) fault(line int, name, format string, args ...any) {
	d.faults = append(d.faults, d.note(line, name, fmt.Sprintf(format, args...)))
}

func (d *decoder) note(line int, name, text string) Fault {
	d.unread[name] = true
	return Fault{File: d.file, Line: line, Key: shown(name), Text: text}
}

func (d *decoder) lineAt(offset int) int { return 1 + bytes.Count(d.data[:offset], []byte("\n")) }

// set puts a key with its value, e, below at.
func (d *decoder) set(at spot, e *unstable.Node) {
	at, line := d.walk(at, e)
	if !at.IsValid() {
		return
	}
	d.lines[at.name] = line
	d.value(line, at, e.Value())
	if at.table.IsValid() {
		at.table.SetMapIndex(at.key, at.Value)
	}
}

// walk follows the key of e from at; line is where it stands.
func (d *decoder) walk(at spot, e *unstable.Node) (to spot, line int) {
	what := "section"
	if e.Kind == unstable.KeyValue {
		what = "key"
	}
	for it := e.Key(); it.Next(); {
		line = d.lineAt(int(it.Node().Raw.Offset))
		at = d.step(line, at, what, string(it.Node().Data))
	}
	return at, line
}

// step returns the key name below at; a spot that is not valid, and a fault, when
// there is none.
func (d *decoder) step(line int, at spot, what, name string) spot {
	if at.isSections() && at.Len() > 0 {
		at = at.last()
	}
	full := join(at.name, spell(name))
	switch {
	case !at.IsValid():
		return at
	case at.Kind() == reflect.Map:
		if err := check(at.tag.Get("key"), name); err != nil {
			d.fault(line, full, "the name %s", err)
		}
		name = canonical(at.tag.Get("key"), name)
		if at.IsNil() {
			at.Set(reflect.MakeMap(at.Type()))
		}
		entry := reflect.New(at.Type().Elem()).Elem()
		return spot{Value: entry, name: full, tag: at.tag, table: at.Value, key: reflect.ValueOf(name)}
	case !isSection(at.Type()):
		d.fault(line, at.name, "%s", at.scan(unstable.Table, ""))
		return spot{}
	}
	for f := range at.Type().Fields() {
		if name != "" && tagged(f) == name {
			return spot{Value: at.FieldByIndex(f.Index), tag: f.Tag, name: full}
		}
	}
	if d.lines[full] == 0 {
		d.fault(line, full, "unknown %s; the nearest known one is %s", what, nearest(d.into.Type(), shown(at.name), name))
	}
	d.lines[full] = line
	return spot{}
}

// spot is a place in a Config.
type spot struct {
	reflect.Value
	tag        reflect.StructTag
	name       string        // "fetch.delay"; in a list of sections with the index, as element has it
	table, key reflect.Value // of an entry of a table, which must be put back there; else not valid
}

// isSection reports whether t is a struct of keys.
func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && tagged(t.Field(0)) != ""
}

// tagged returns the name of the key that a field holds; empty where it holds none.
func tagged(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	return name
}

// isSections reports whether at is a list of sections: [[name]].
func (at spot) isSections() bool { return at.Kind() == reflect.Slice && isSection(at.Type().Elem()) }

// isTable reports whether at has keys inside: [name] or { }.
func (at spot) isTable() bool { return at.Kind() == reflect.Map || isSection(at.Type()) }

// grow lengthens a list by one element and returns that.
func (at spot) grow() spot {
	at.Set(reflect.Append(at.Value, reflect.Zero(at.Type().Elem())))
	return at.last()
}

func (at spot) last() spot {
	if at.isSections() {
		at.name = element(at.name, at.Len()-1)
	}
	at.Value = at.Index(at.Len() - 1)
	return at
}

// check holds the value against the tags of its field.
func (at spot) check() error {
	low, high := cmp.Or(at.tag.Get("min"), "0"), cmp.Or(at.tag.Get("max"), "2147483647") // which fits every machine
	switch {
	case at.CanInt() && at.Int() < at.bound(low):
		return fmt.Errorf("must be at least %s", low)
	case at.Kind() == reflect.Int && at.Int() > at.bound(high):
		return fmt.Errorf("must be at most %s", high)
	}
	return check(at.tag.Get("is"), at.String())
}

// bound returns the number in a tag, which is written like a value.
func (at spot) bound(text string) int64 {
	at.Value = reflect.New(at.Type()).Elem()
	_ = at.scan(0, text) // of no kind, so there is an error; but a value too
	return at.Int()
}

// element returns the name of one [[section]] of many, to keep their keys apart.
func element(name string, i int) string { return fmt.Sprintf("%s\x00%d", name, i) }

var index = regexp.MustCompile(`\x00[0-9]+`)

// shown returns the name of a spot as the user knows it.
func shown(name string) string { return cut(index.ReplaceAllString(name, "")) }

func join(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

// spell returns a name as the file would spell it, quoted where TOML or a
// terminal wants that.
func spell(name string) string {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return strconv.QuoteToASCII(name)
	}
	return name
}

// cut returns s, or its first 80 characters and a mark.
func cut(s string) string {
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return s
}
