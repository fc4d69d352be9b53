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

// decoder reads a TOML file into a struct, by the tags of its fields. It reads the values with the parser of
// go-toml. The decoder of go-toml would stop at the first fault and lose the line numbers.
type decoder struct {
	*Config
	into    reflect.Value       // the struct to fill: the Config, or the argument of ReadStrict
	getenv  func(string) string // nil: environment variables are not replaced
	data    []byte
	parser  unstable.Parser
	faults  []Fault
	unread  map[string]bool // keys that can't be used: faulty, or with an unset environment variable
	invalid bool
}

// decode reads data and collects faults. It runs go-toml's decoder first, because the parser alone accepts
// repeated keys and sections.
func (d *decoder) decode(data []byte) {
	data = slices.Clip(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) // the byte order mark of Windows editors
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		d.invalid = true
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
		at, line := d.walk(root, e)
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

// foreign matches text to remove from go-toml's messages: quotations of the file, which may hold a password,
// and control characters.
var foreign = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*|[^\pL\pM\pN\pP\pS\p{Zs}]`)

func (d *decoder) fault(line int, name, format string, args ...any) {
	d.faults = append(d.faults, d.note(line, name, fmt.Sprintf(format, args...)))
}

func (d *decoder) note(line int, name, text string) Fault {
	d.unread[name] = true
	return Fault{File: d.file, Line: line, Key: shown(name), Text: text}
}

func (d *decoder) lineAt(offset int) int { return 1 + bytes.Count(d.data[:offset], []byte("\n")) }

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

// walk returns the place and the line of the key of e, such as a.b. Parameter at is the place of the section.
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

// step returns the place of the key called name in a section. Parameter at is the place of the section. If
// the key is unknown, step adds a fault and returns a spot that is not valid (see IsValid).
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
		d.fault(line, full, "unknown %s; %s", what, nearest(d.into.Type(), shown(at.name), name))
	}
	d.lines[full] = line
	return spot{}
}

// spot is the place of one value in a Config.
type spot struct {
	reflect.Value
	tag  reflect.StructTag
	name string // such as "fetch.delay"; in a list of sections, the function element adds an index
	// For a value in a map: the map, and the key to store the value under. Otherwise both are invalid.
	table, key reflect.Value
}

func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && tagged(t.Field(0)) != ""
}

func tagged(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	return name
}

// isSections reports whether the value is a list of sections, written as [[name]].
func (at spot) isSections() bool { return at.Kind() == reflect.Slice && isSection(at.Type().Elem()) }

func (at spot) isTable() bool { return at.Kind() == reflect.Map || isSection(at.Type()) }

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

func (at spot) check() error {
	low, high := cmp.Or(at.tag.Get("min"), "0"), cmp.Or(at.tag.Get("max"), "2147483647")
	switch {
	case at.CanInt() && at.Int() < at.bound(low):
		return fmt.Errorf("must be at least %s", low)
	case at.Kind() == reflect.Int && at.Int() > at.bound(high):
		return fmt.Errorf("must be at most %s", high)
	}
	return check(at.tag.Get("is"), at.String())
}

func (at spot) bound(text string) int64 {
	at.Value = reflect.New(at.Type()).Elem()
	_ = at.scan(0, text) // scan stores the value and then returns an error, because no TOML kind is given
	return at.Int()
}

// element returns a unique internal name for the i-th section [[name]].
func element(name string, i int) string { return fmt.Sprintf("%s\x00%d", name, i) }

var index = regexp.MustCompile(`\x00[0-9]+`)

// shown makes an internal name fit for messages. It shortens the name and drops the indexes of sections.
func shown(name string) string { return cut(index.ReplaceAllString(name, "")) }

func join(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

// spell returns the name of a key as TOML writes it: plain ASCII names as they are, others in quotes.
func spell(name string) string {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return strconv.QuoteToASCII(name)
	}
	return name
}

func cut(s string) string {
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return s
}
