package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// decoder puts the keys of a TOML file into a Config, by the tags of its
// structs. go-toml's own decoder stops at the first fault and forgets lines;
// this one takes the expressions of its parser and keeps both.
type decoder struct {
	*Config
	into    reflect.Value // the struct that the keys go to: the Config, but for ReadStrict
	counted struct{ offset, lines int }
	getenv  func(string) string // nil: "${" is nothing special
	data    []byte
	parser  unstable.Parser
	faults  []Fault
	unread  map[string]bool // keys that are pending or have a fault, and so no value
	broken  bool            // the file is not TOML, so nothing of it was read
}

// decode takes all that can be read. go-toml's own decoder judges first whether the
// file is TOML: its parser does not look at keys and sections that stand twice.
func (d *decoder) decode(data []byte) {
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		d.invalid(err)
		return
	}
	d.data = data
	d.parser.Reset(data)
	root := spot{Value: d.into}
	section := root
	for d.parser.NextExpression() {
		if e := d.parser.Expression(); e.Kind == unstable.KeyValue {
			d.set(section, e)
		} else {
			section = d.open(root, e)
		}
	}
}

// foreign is what messages of go-toml quote of the file, which may be of a
// password, and what a terminal may obey.
var foreign = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*|[^\pL\pM\pN\pP\pS\p{Zs}]`)

// invalid notes why the file is not TOML.
func (d *decoder) invalid(err error) {
	d.broken = true
	line, message := 1, foreign.ReplaceAllString(strings.TrimPrefix(err.Error(), "toml: "), "")
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = wrong.Position()
	}
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

// lineAt counts on from the last offset asked for: they mostly rise, and files are long.
func (d *decoder) lineAt(offset int) int {
	if offset < d.counted.offset {
		d.counted.offset, d.counted.lines = 0, 0
	}
	d.counted.lines += bytes.Count(d.data[d.counted.offset:offset], []byte("\n"))
	d.counted.offset = offset
	return 1 + d.counted.lines
}

// open returns the section that a [header] or [[header]] begins.
func (d *decoder) open(root spot, e *unstable.Node) spot {
	at, line := d.walk(root, e)
	if !at.IsValid() {
		return at
	}
	if at.isSections() != (e.Kind == unstable.ArrayTable) || !at.isTable() && !at.isSections() {
		d.fault(line, at.name, "%s", at.scan(e.Kind, ""))
		return spot{}
	}
	if at.isSections() {
		at = at.grow()
	}
	d.lines[at.name] = line
	return at
}

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
		return at.entry(name, full)
	case !isSection(at.Type()):
		d.fault(line, at.name, "%s", at.scan(unstable.Table, ""))
		return spot{}
	}
	for f := range at.Type().Fields() {
		if key, ok := f.Tag.Lookup("toml"); ok && key == name {
			return spot{Value: at.FieldByIndex(f.Index), tag: f.Tag, name: full}
		}
	}
	if d.lines[full] == 0 {
		d.fault(line, full, "unknown %s; the nearest known one is %s", what, nearest(d.into.Type(), shown(at.name), name))
	}
	d.lines[full] = line
	return spot{}
}
