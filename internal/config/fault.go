package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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

// Line returns where a key such as "delete.max" stands, as the file's base name and the
// line: "sitesync.toml:14"; empty when the file leaves it out.
func (c *Config) Line(key string) string {
	if c.lines[key] == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(c.file), c.lines[key])
}

// RetentionLine returns, as Line does, where a rule of Delete.Retention stands.
func (c *Config) RetentionLine(i int) string {
	rule := element("delete.retention", i)
	return cmp.Or(c.Line(rule), c.Line(rule+".where"), c.Line("delete.retention"))
}

// lineOf returns where key stands; if it is missing, where its section does; if
// that is missing too, 1.
func lineOf(lines map[string]int, key string) int {
	return cmp.Or(lines[key], lines[key[:strings.LastIndexByte(key, '.')]], 1)
}
