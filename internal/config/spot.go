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
	tag  reflect.StructTag
	name string // "fetch.delay"; in a list with the index, as element has it
}

// isSection reports whether t is a struct of keys.
func isSection(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Tag.Get("toml") != ""
}

// field returns the place of a key of a section; its full name goes with it.
func (at spot) field(key, name string) (spot, bool) {
	for f := range at.Type().Fields() {
		if tag, ok := f.Tag.Lookup("toml"); ok && tag == key {
			return spot{Value: at.FieldByIndex(f.Index), tag: f.Tag, name: name}, true
		}
	}
	return spot{}, false
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
	switch at.Interface().(type) {
	case Duration:
		d, _ := parseDuration(text)
		return int64(d)
	case Size:
		size, _ := parseSize(text)
		return int64(size)
	}
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
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
