package config

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// positions returns the line of every section, key and element of a list in a valid
// TOML file, and the names that stand in a [header].
func positions(data []byte) (lines map[string]int, header map[string]bool) {
	m := &mapper{data: data, lines: map[string]int{}, grown: map[string]int{}}
	m.parser.Reset(data)
	header = map[string]bool{}
	section := ""
	for m.parser.NextExpression() {
		e := m.parser.Expression()
		if e.Kind == unstable.KeyValue {
			m.key(section, e)
			continue
		}
		name, line := m.walk("", e)
		header[name] = true
		if e.Kind == unstable.ArrayTable {
			m.grown[name]++
			m.note(name, line)
		}
		section = m.last(name)
		m.note(section, line)
	}
	return m.lines, header
}

type mapper struct {
	data         []byte
	parser       unstable.Parser
	lines        map[string]int
	grown        map[string]int // how many elements each [[section]] has so far
	offset, seen int            // the last offset asked for, and the lines before it
}

func (m *mapper) note(name string, line int) { m.lines[name] = cmp.Or(m.lines[name], line) }

// last returns the name of the last element where name is a [[section]].
func (m *mapper) last(name string) string {
	if n := m.grown[name]; n > 0 {
		return element(name, n-1)
	}
	return name
}

// walk returns the name of e's key below at, and its line.
func (m *mapper) walk(at string, e *unstable.Node) (name string, line int) {
	name = at
	for it := e.Key(); it.Next(); {
		line = m.lineAt(int(it.Node().Raw.Offset))
		name = join(m.last(name), spell(string(it.Node().Data)))
		if !it.IsLast() {
			m.note(name, line)
		}
	}
	return name, line
}

func (m *mapper) key(at string, e *unstable.Node) {
	name, line := m.walk(at, e)
	m.note(name, line)
	m.value(name, e.Value())
}

func (m *mapper) value(name string, n *unstable.Node) {
	if n.Raw.Length > 0 {
		m.note(name, m.lineAt(int(n.Raw.Offset)))
	}
	switch n.Kind {
	case unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			m.key(name, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := n.Children(); it.Next(); i++ {
			m.value(element(name, i), it.Node())
		}
	}
}

// lineAt counts on from the last offset asked for: they mostly rise, and files are long.
func (m *mapper) lineAt(offset int) int {
	if offset < m.offset {
		m.offset, m.seen = 0, 0
	}
	m.seen += bytes.Count(m.data[m.offset:offset], []byte("\n"))
	m.offset = offset
	return 1 + m.seen
}

// line returns where name stands; of an element that has no place of its own, where
// its list does.
func (d *decoder) line(name string) int {
	for name != "" && d.lines[name] == 0 {
		name = name[:max(0, strings.LastIndexAny(name, ".\x00"))]
	}
	return max(1, d.lines[name])
}
