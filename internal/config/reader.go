package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"
)

// reading reads one value of the file into the place it is bound to.
type reading func(r *reader, name string, n *node)

// reader carries what readings share: where faults go, and the environment.
type reader struct {
	file    string
	getenv  func(string) string
	known   []knownKey
	lines   map[string]int // of each section and key that the file holds
	faults  []Fault
	pending []Fault
	broken  bool           // lines could not be read, so what seems to be missing may stand there
	literal string         // a secret that the file holds in clear; empty: none
	origins map[string]int // lines of the credentials of each origin
}

// fault notes what is wrong. Messages of libraries may quote the file, so what a
// terminal would obey is taken out.
func (r *reader) fault(line int, name, format string, args ...any) {
	text := strings.Map(func(c rune) rune {
		if unicode.IsGraphic(c) {
			return c
		}
		return '?'
	}, fmt.Sprintf(format, args...))
	r.faults = append(r.faults, Fault{File: r.file, Line: line, Key: name, Text: text})
}

// touched reports whether a key is pending or has a fault, and so no value.
func (r *reader) touched(name string) bool {
	is := func(f Fault) bool { return f.Key == name }
	return slices.ContainsFunc(r.faults, is) || slices.ContainsFunc(r.pending, is)
}

// is reports whether n has the wanted kind; if not it says what to write.
func (r *reader) is(kind unstable.Kind, name string, n *node, want string) bool {
	if n.kind == kind {
		return true
	}
	r.fault(n.line, name, "must be %s, not %s", want, describe(n.kind))
	return false
}

func describe(kind unstable.Kind) string {
	switch kind {
	case unstable.String:
		return "a text"
	case unstable.Bool:
		return "true or false"
	case unstable.Integer:
		return "a whole number"
	case unstable.Float:
		return "a number"
	case unstable.Array:
		return "a list"
	case unstable.Table:
		return "a section"
	default:
		return "a date or time without quotes"
	}
}

// section binds a table of keys: [name].
func section(name string, keys ...key) key {
	read := func(r *reader, at string, n *node) {
		if n.kind == unstable.Array {
			r.fault(n.line, at, "is one section: write [%s] with single brackets, once", at)
		} else if r.is(unstable.Table, at, n, "a section, ["+at+"]") {
			r.table(at, n, keys)
		}
	}
	return key{name: name, read: read, sub: keys}
}

// sections binds a list of tables: [[name]]. check judges each one as a whole.
func sections[T any](name string, into *[]T, keys func(*T) []key, check func(*T, *reader, string, *node)) key {
	read := func(r *reader, at string, n *node) {
		if n.kind == unstable.Table {
			r.fault(n.line, at, "may stand more than once: write [[%s]] with double brackets", at)
			return
		}
		want := "a list of sections, [[" + at + "]]"
		if !r.is(unstable.Array, at, n, want) {
			return
		}
		for _, item := range n.items {
			if r.is(unstable.Table, at, item, want) {
				var one T
				r.table(at, item, keys(&one))
				if !r.broken {
					check(&one, r, at, item)
				}
				*into = append(*into, one)
			}
		}
	}
	return key{name: name, read: read, sub: keys(new(T))}
}

// table reads the keys of n, which is named at; the root has no name.
func (r *reader) table(at string, n *node, keys []key) {
	for _, name := range n.keys {
		full := join(at, keyName(name))
		child := n.table[name]
		r.lines[full] = child.line
		if k := find(keys, name); k != nil {
			k.read(r, full, child)
		} else {
			r.unknown(full, name, child)
		}
	}
}

func find(keys []key, name string) *key {
	for i := range keys {
		if keys[i].name == name {
			return &keys[i]
		}
	}
	return nil
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// keyName returns a key as the file would spell it, quoted where TOML or a
// terminal wants that, and cut where it is absurdly long.
func keyName(names ...string) string {
	spelt := make([]string, len(names))
	for i, name := range names {
		spelt[i] = name
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			spelt[i] = strconv.QuoteToASCII(cut(name))
		}
	}
	return cut(strings.Join(spelt, "."))
}

// cut returns s, or its first 80 characters and a mark.
func cut(s string) string {
	count := 0
	for at := range s {
		if count++; count > 80 {
			return s[:at] + "…"
		}
	}
	return s
}
