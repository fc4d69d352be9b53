package template

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"text/template/parse"
)

// run is one writing of a template.
type run struct {
	*Template
	out   io.Writer
	place place
	vars  []variable
}

type variable struct {
	name  string
	value reflect.Value
}

// call writes the template of that name, which sees no variables of others.
func (r *run) call(name string, dot reflect.Value) error {
	tree := r.trees[name]
	if tree == nil {
		return fmt.Errorf("no template %q", name)
	}
	outer := r.vars
	r.vars = []variable{{"$", dot}}
	err := r.walk(dot, tree.Root)
	r.vars = outer
	return err
}

// walk writes a node.
func (r *run) walk(dot reflect.Value, node parse.Node) error {
	switch n := node.(type) {
	case *parse.TextNode:
		r.place.pass(n.Text)
		_, err := r.out.Write(n.Text)
		return err
	case *parse.ActionNode:
		v, err := r.pipe(dot, n.Pipe)
		if err != nil || len(n.Pipe.Decl) > 0 {
			return err
		}
		return r.print(n, v)
	case *parse.TemplateNode:
		v, err := r.pipe(dot, n.Pipe)
		if err != nil {
			return err
		}
		return r.call(n.Name, v)
	case *parse.IfNode:
		return r.branch(dot, &n.BranchNode)
	case *parse.WithNode:
		return r.branch(dot, &n.BranchNode)
	case *parse.RangeNode:
		return r.loop(dot, n)
	case *parse.ListNode:
		return r.list(dot, n)
	}
	return fmt.Errorf("%s is not part of this language", node)
}

func (r *run) list(dot reflect.Value, list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, node := range list.Nodes {
		if err := r.walk(dot, node); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) print(n parse.Node, v reflect.Value) error {
	text := ""
	if v = inside(v); v.IsValid() {
		var err error
		text, err = r.value(&r.place, v.Interface())
		if err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
	}
	r.place.begun = true
	_, err := io.WriteString(r.out, text)
	return err
}

// branch writes what an if or a with leads to.
func (r *run) branch(dot reflect.Value, n *parse.BranchNode) error {
	known := len(r.vars)
	defer func() { r.vars = r.vars[:known] }()
	v, err := r.pipe(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case !truth(v):
		return r.list(dot, n.ElseList)
	case n.NodeType == parse.NodeWith:
		dot = v
	}
	return r.list(dot, n.List)
}

// loop writes a range. Its pipeline may have one variable, for the element, or two.
func (r *run) loop(dot reflect.Value, n *parse.RangeNode) error {
	known := len(r.vars)
	defer func() { r.vars = r.vars[:known] }()
	over, err := r.pipe(dot, n.Pipe)
	if err != nil {
		return err
	}
	some := false
	for key, v := range pairs(inside(over)) {
		some = true
		r.vars = r.vars[:known]
		switch decl := n.Pipe.Decl; len(decl) {
		case 2:
			r.vars = append(r.vars, variable{decl[0].Ident[0], key}, variable{decl[1].Ident[0], v})
		case 1:
			r.vars = append(r.vars, variable{decl[0].Ident[0], v})
		}
		if err := r.list(v, n.List); err != nil {
			return err
		}
	}
	if !some {
		return r.list(dot, n.ElseList)
	}
	return nil
}

// pairs returns what a list, a map in the order of its keys, or a sequence holds.
func pairs(v reflect.Value) iter.Seq2[reflect.Value, reflect.Value] {
	switch {
	case !v.IsValid():
		return func(func(reflect.Value, reflect.Value) bool) {}
	case v.Kind() != reflect.Map:
		return v.Seq2()
	}
	return func(yield func(reflect.Value, reflect.Value) bool) {
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			if !yield(key, v.MapIndex(key)) {
				return
			}
		}
	}
}
