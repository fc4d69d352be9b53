package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
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
	base    int  // where in data the parser began
	section spot // of the last header
	faults  []Fault
	unread  map[string]bool // keys that are pending or have a fault, and so no value
	broken  bool            // lines could not be read, so what seems to be missing may stand there
}

var headerLine = regexp.MustCompile(`\n\[{1,2}[A-Za-z]`)

// decode takes all that can be read. After a place that is not TOML it goes on
// with the next [header], so that one slip does not hide the faults below it.
func (d *decoder) decode() {
	root := spot{Value: d.into}
	d.section = root
	for {
		d.parser.Reset(d.data[d.base:])
		for d.parser.NextExpression() {
			if e := d.parser.Expression(); e.Kind == unstable.KeyValue {
				d.set(d.section, e)
			} else {
				d.open(root, e)
			}
		}
		wrong, ok := errors.AsType[*unstable.ParserError](d.parser.Error())
		if !ok {
			return
		}
		d.broken = true
		offset := max(0, len(d.data)-cap(wrong.Highlight)) // both end where data ends
		d.invalid(d.lineAt(offset), wrong.Message)
		from := max(d.base, bytes.LastIndexByte(d.data[:offset], '\n'))
		next := headerLine.FindIndex(d.data[from:])
		if next == nil {
			return
		}
		d.base = from + next[0] + 1
	}
}

// lastWord lets go-toml's decoder judge what its parser does not look at, such as
// lists that are closed and then lengthened.
func (d *decoder) lastWord() {
	err := toml.Unmarshal(d.data, &map[string]any{})
	if err == nil || d.broken { // a broken line was told of
		return
	}
	line := 1
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = wrong.Position()
	}
	d.invalid(line, strings.TrimPrefix(err.Error(), "toml: "))
}

// foreign is what messages of go-toml quote of the file, which may be of a
// password, and what a terminal may obey.
var foreign = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*|[^\pL\pM\pN\pP\pS\p{Zs}]`)

// invalid notes that a line is not TOML, unless it has a fault already.
func (d *decoder) invalid(line int, message string) {
	if slices.ContainsFunc(d.faults, func(f Fault) bool { return f.Line == line }) {
		return
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

// lineAt counts on from the last offset asked for: they mostly rise, and files are long.
func (d *decoder) lineAt(offset int) int {
	if offset < d.counted.offset {
		d.counted.offset, d.counted.lines = 0, 0
	}
	d.counted.lines += bytes.Count(d.data[d.counted.offset:offset], []byte("\n"))
	d.counted.offset = offset
	return 1 + d.counted.lines
}

// open begins the section of a [header] or [[header]].
func (d *decoder) open(root spot, e *unstable.Node) {
	at, line := d.walk(root, e)
	d.section = spot{}
	if !at.IsValid() {
		return
	}
	switch double := e.Kind == unstable.ArrayTable; {
	case !at.isTable() && !at.isSections():
		d.fault(line, at.name, "%s", at.scan(e.Kind, ""))
		return
	case at.isSections() != double:
		d.fault(line, at.name, "%s", at.scan(e.Kind, ""))
	case !double && d.lines[at.name] > 0:
		d.fault(line, at.name, "stands here a second time, first on line %d: put its keys together", d.lines[at.name])
	}
	if at.isSections() {
		at = at.grow()
	}
	d.lines[at.name], d.section = line, at
}

// set puts a key with its value, e, below at.
func (d *decoder) set(at spot, e *unstable.Node) {
	at, line := d.walk(at, e)
	if !at.IsValid() {
		return
	}
	if first := d.lines[at.name]; first > 0 {
		d.fault(line, at.name, "is set twice, first on line %d", first)
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
		line = d.lineAt(d.base + int(it.Node().Raw.Offset))
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
