package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// spot is a place in a Config.
type spot struct {
	reflect.Value
	tag        reflect.StructTag
	name       string        // "fetch.delay"; in a list of sections with the index, as element has it
	table, key reflect.Value // of an entry of a table, which must be put back there; else not valid
}

// isSection reports whether t is a struct of keys.
func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Tag.Get("toml") != ""
}

// isSections reports whether at is a list of sections: [[name]].
func (at spot) isSections() bool { return at.Kind() == reflect.Slice && isSection(at.Type().Elem()) }

// isTable reports whether at has keys inside: [name] or { }.
func (at spot) isTable() bool { return at.Kind() == reflect.Map || isSection(at.Type()) }

// entry returns the place of one entry of a table.
func (at spot) entry(name, full string) spot {
	if at.IsNil() {
		at.Set(reflect.MakeMap(at.Type()))
	}
	return spot{Value: reflect.New(at.Type().Elem()).Elem(), name: full, tag: at.tag, table: at.Value, key: reflect.ValueOf(name)}
}

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
