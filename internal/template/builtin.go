package template

import (
	"fmt"
	"reflect"
)

// builtin are the functions that every template has, as package text/template describes them.
var builtin = Funcs{
	"and":    func(all ...any) any { return firstThat(false, all) },
	"or":     func(all ...any) any { return firstThat(true, all) },
	"not":    func(v any) bool { return !truth(reflect.ValueOf(v)) },
	"eq":     equal,
	"ne":     func(a, b any) bool { return !equal(a, b) },
	"lt":     func(a, b int64) bool { return a < b },
	"gt":     func(a, b int64) bool { return a > b },
	"ge":     func(a, b int64) bool { return a >= b },
	"len":    func(list any) int { return inside(reflect.ValueOf(list)).Len() },
	"index":  func(m map[string]string, key string) string { return m[key] },
	"print":  fmt.Sprint,
	"printf": fmt.Sprintf,
}

// firstThat returns the first value of that truth, or the last one.
func firstThat(is bool, all []any) any {
	for _, v := range all {
		if truth(reflect.ValueOf(v)) == is {
			return v
		}
	}
	return all[len(all)-1]
}

// equal reports whether one of some values is that of a: a number or a text.
func equal(a any, some ...any) bool {
	v := reflect.ValueOf(a)
	for _, one := range some {
		if w := reflect.ValueOf(one); v.CanInt() && w.CanInt() && v.Int() == w.Int() || v.Kind() == reflect.String && w.Kind() == reflect.String && v.String() == w.String() {
			return true
		}
	}
	return false
}

// truth reports whether a value is more than nothing: not zero, not nil, not empty.
func truth(v reflect.Value) bool {
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Map, reflect.Slice:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}
