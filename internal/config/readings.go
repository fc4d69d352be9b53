package config

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	wantText  = "a text in quotes"
	wantTexts = `a list of texts, such as ["a", "b"]`
)

// value reads a text that parse turns into the value. Errors of parse are
// predicates: "must be …".
func value[T any](into *T, want string, parse func(string) (T, error)) reading {
	return func(r *reader, name string, n *node) {
		if one, ok := parsed(r, name, n, want, parse); ok {
			*into = one
		}
	}
}

// list reads a list of such texts. One element that is pending or wrong leaves
// the list as it was.
func list[T any](into *[]T, want string, parse func(string) (T, error)) reading {
	return func(r *reader, name string, n *node) {
		if !r.is(unstable.Array, name, n, want) {
			return
		}
		var all []T
		whole := true
		for _, item := range n.items {
			one, ok := parsed(r, name, item, want, parse)
			all, whole = append(all, one), whole && ok
		}
		if whole {
			*into = all
		}
	}
}

func parsed[T any](r *reader, name string, n *node, want string, parse func(string) (T, error)) (one T, ok bool) {
	if !r.is(unstable.String, name, n, want) {
		return one, false
	}
	s, ok := r.expand(name, n)
	if !ok {
		return one, false
	}
	one, err := parse(s)
	if err != nil {
		r.fault(n.line, name, "%s %s", show(n.text), err)
	}
	return one, err == nil
}

// show quotes a value as the file spells it. One with an @ may hold a password.
func show(s string) string {
	if strings.Contains(s, "@") {
		return "the value"
	}
	return strconv.QuoteToGraphic(cut(s))
}

func text(into *string, checks ...func(string) error) reading {
	return value(into, wantText, checked(checks...))
}

func texts(into *[]string, check func(string) error) reading {
	return list(into, wantTexts, checked(check))
}

func checked(checks ...func(string) error) func(string) (string, error) {
	return func(s string) (string, error) {
		for _, check := range checks {
			if err := check(s); err != nil {
				return "", err
			}
		}
		return s, nil
	}
}

func span(into *Duration, low Duration) reading {
	return value(into, `a time in quotes, such as "30s"`, atLeast(low, ParseDuration))
}

func size(into *Size, low Size) reading {
	return value(into, `a size in quotes, such as "25MB"`, atLeast(low, ParseSize))
}

func boolean(into *bool) reading {
	return func(r *reader, name string, n *node) {
		if r.is(unstable.Bool, name, n, "true or false without quotes") {
			*into = n.text == "true"
		}
	}
}

func whole(into *int, low, high int) reading {
	return func(r *reader, name string, n *node) {
		if !r.is(unstable.Integer, name, n, "a whole number without quotes") {
			return
		}
		number, err := strconv.ParseInt(n.text, 0, strconv.IntSize)
		switch {
		case err == nil && low <= int(number) && int(number) <= high:
			*into = int(number)
		case err == nil && int(number) < low && high == many:
			r.fault(n.line, name, "%d must be at least %d", number, low)
		default:
			r.fault(n.line, name, "%s must be between %d and %d", cut(n.text), low, high)
		}
	}
}

func share(into *float64) reading {
	return func(r *reader, name string, n *node) {
		if n.kind != unstable.Integer && !r.is(unstable.Float, name, n, "a number between 0 and 1, such as 0.10") {
			return
		}
		number, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64)
		if err != nil || !(number >= 0 && number <= 1) { // "not within" catches nan
			r.fault(n.line, name, "%s must be between 0 and 1, such as 0.10 for 10 %%", cut(n.text))
			return
		}
		*into = number
	}
}
