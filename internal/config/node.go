package config

import "github.com/pelletier/go-toml/v2/unstable"

// node is a TOML value that knows its line. Tables are of kind Table and lists
// of kind Array, however they were spelt.
type node struct {
	kind  unstable.Kind
	line  int
	text  string           // of a scalar
	items []*node          // of a list
	keys  []string         // of a table, in the file's order
	table map[string]*node // of a table
	head  int              // line of the [header] that opened a table; 0: none did
}

func newTable(line int) *node {
	return &node{kind: unstable.Table, line: line, table: map[string]*node{}}
}

func (n *node) put(name string, child *node) {
	n.keys = append(n.keys, name)
	n.table[name] = child
}

func (t *tree) expression(e *unstable.Node) {
	switch e.Kind {
	case unstable.Table:
		t.header(e)
	case unstable.ArrayTable:
		t.arrayHeader(e)
	case unstable.KeyValue:
		t.keyValue(t.at, t.path, e)
	}
}

func (t *tree) header(e *unstable.Node) {
	names, line := t.key(e)
	t.path = names
	t.at = t.descend(t.root, nil, names, line)
	if t.at.head > 0 {
		t.fault(line, keyName(names...), "section stands here a second time, first on line %d: put its keys together", t.at.head)
	}
	t.at.head = line
}

func (t *tree) arrayHeader(e *unstable.Node) {
	names, line := t.key(e)
	last := len(names) - 1
	parent := t.descend(t.root, nil, names[:last], line)
	t.path, t.at = names, newTable(line)
	t.at.head = line
	list := parent.table[names[last]]
	if list == nil {
		list = &node{kind: unstable.Array, line: line}
		parent.put(names[last], list)
	}
	if list.kind != unstable.Array {
		t.fault(line, keyName(names...), "section stands with [[ ]] here and without on line %d", list.line)
	}
	list.items = append(list.items, t.at)
}

func (t *tree) keyValue(into *node, path []string, e *unstable.Node) {
	names, line := t.key(e)
	last := len(names) - 1
	parent := t.descend(into, path, names[:last], line)
	full := append(path[:len(path):len(path)], names...)
	value := t.value(e.Value(), line, full)
	if before := parent.table[names[last]]; before != nil {
		t.fault(line, keyName(full...), "is set twice, first on line %d", before.line)
		return
	}
	parent.put(names[last], value)
}

// descend walks from n along names, making the tables that are missing. In a
// list of tables it takes the last one.
func (t *tree) descend(n *node, path, names []string, line int) *node {
	for i, name := range names {
		child := n.table[name]
		if child == nil {
			child = newTable(line)
			n.put(name, child)
		}
		if child.kind == unstable.Array && len(child.items) > 0 {
			child = child.items[len(child.items)-1]
		}
		if child.kind != unstable.Table {
			t.fault(line, keyName(append(path[:len(path):len(path)], names[:i+1]...)...), "is set twice, first on line %d", child.line)
			child = newTable(line)
		}
		n = child
	}
	return n
}

// value returns v as a node; line is where it stands if v does not know.
func (t *tree) value(v *unstable.Node, line int, path []string) *node {
	if v.Raw.Length > 0 {
		line = t.lineOf(v)
	}
	switch v.Kind {
	case unstable.InlineTable:
		n := newTable(line)
		for it := v.Children(); it.Next(); {
			t.keyValue(n, path, it.Node())
		}
		return n
	case unstable.Array:
		n := &node{kind: unstable.Array, line: line}
		for it := v.Children(); it.Next(); {
			n.items = append(n.items, t.value(it.Node(), line, path))
		}
		return n
	}
	return &node{kind: v.Kind, line: line, text: string(v.Data)}
}

func (t *tree) key(e *unstable.Node) (names []string, line int) {
	for it := e.Key(); it.Next(); {
		if names == nil {
			line = t.lineOf(it.Node())
		}
		names = append(names, string(it.Node().Data))
	}
	return names, line
}
