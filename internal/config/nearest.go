package config

import (
	"math"
	"reflect"
	"strings"

	"github.com/agext/levenshtein"
)

// nearest returns the key known to t with the fewest edits to name, another section
// than at being two edits; among equals the one that comes first.
func nearest(t reflect.Type, at, name string) string {
	best, least := "", math.MaxInt
	for _, key := range known("", t) {
		bare := strings.Trim(key, "[]")
		dot := strings.LastIndexByte(bare, '.')
		cost := levenshtein.Distance(cut(strings.ToLower(name)), bare[dot+1:], nil)
		if bare[:max(0, dot)] != at {
			cost += 2
		}
		if cost < least {
			best, least = key, cost
		}
	}
	return best
}

// known lists the keys below a section or a list of them, each "[section]" before
// its keys; nothing when t is neither.
func known(at string, t reflect.Type) (all []string) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if !isSection(t) {
		return nil
	}
	for f := range t.Fields() {
		name, ok := f.Tag.Lookup("toml")
		key := join(at, name)
		if below := known(key, f.Type); below != nil {
			all = append(append(all, "["+key+"]"), below...)
		} else if ok {
			all = append(all, key)
		}
	}
	return all
}
