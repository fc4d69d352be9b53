package template

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"text/template/parse"
)

// Funcs are functions that a template calls. Each returns one value, or a value and an error,
// which ends the page.
type Funcs map[string]any

// Raw is a text that HTML writes as it is: the program's own style or script, or what a
// template has written.
type Raw string

// Template is a parsed text with the templates that it defines.
type Template struct {
	trees map[string]*parse.Tree
	funcs map[string]reflect.Value
	value func(*place, any) (string, error) // writes a value
}

// Text returns a template of plain text. Every value goes through clean, if there is one.
func Text(source string, funcs Funcs, clean func(string) string) (*Template, error) {
	return parsed(source, funcs, func(_ *place, v any) (string, error) {
		if clean == nil {
			return fmt.Sprint(v), nil
		}
		return clean(fmt.Sprint(v)), nil
	})
}

// HTML returns a template of HTML. Values stand between tags or in double quotes.
func HTML(source string, funcs Funcs) (*Template, error) {
	return parsed(source, funcs, (*place).escape)
}

// Must returns t, which the program itself holds. It panics if that has a fault.
func Must(t *Template, err error) *Template {
	if err != nil {
		panic(err)
	}
	return t
}

// main is the name of a template outside of every definition.
const main = "main"

func parsed(source string, funcs Funcs, value func(*place, any) (string, error)) (*Template, error) {
	all := maps.Clone(builtin)
	maps.Copy(all, funcs)
	trees, err := parse.Parse(main, source, "", "", all)
	t := &Template{trees: trees, funcs: map[string]reflect.Value{}, value: value}
	for name, f := range all {
		t.funcs[name] = reflect.ValueOf(f)
	}
	return t, err
}

// Execute writes the text with data.
func (t *Template) Execute(w io.Writer, data any) error {
	return t.ExecuteTemplate(w, main, data)
}

// ExecuteTemplate writes a template that the text defines.
func (t *Template) ExecuteTemplate(w io.Writer, name string, data any) error {
	r := &run{Template: t, out: w}
	return r.call(name, reflect.ValueOf(data))
}
