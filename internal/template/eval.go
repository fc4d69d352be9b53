package template

import (
	"fmt"
	"reflect"
	"text/template/parse"
)

// pipe returns the value of one command, and keeps it if it is declared or assigned.
func (r *run) pipe(dot reflect.Value, n *parse.PipeNode) (reflect.Value, error) {
	if n == nil {
		return reflect.Value{}, nil
	}
	if len(n.Cmds) != 1 {
		return reflect.Value{}, fmt.Errorf("%s has several commands", n)
	}
	v, err := r.command(dot, n.Cmds[0])
	if err != nil {
		return v, fmt.Errorf("%s: %w", n, err)
	}
	for _, decl := range n.Decl {
		if !n.IsAssign {
			r.vars = append(r.vars, variable{decl.Ident[0], v})
		} else if known := r.variable(decl.Ident[0]); known != nil {
			known.value = v
		}
	}
	return v, nil
}

func (r *run) variable(name string) *variable {
	for i := len(r.vars) - 1; i >= 0; i-- {
		if r.vars[i].name == name {
			return &r.vars[i]
		}
	}
	return nil
}

// command returns what a function gives, or a value alone.
func (r *run) command(dot reflect.Value, n *parse.CommandNode) (reflect.Value, error) {
	name, isFunc := n.Args[0].(*parse.IdentifierNode)
	if !isFunc {
		if len(n.Args) > 1 {
			return reflect.Value{}, fmt.Errorf("%s is no function", n.Args[0])
		}
		return r.eval(dot, n.Args[0])
	}
	f := r.funcs[name.Ident]
	var args []reflect.Value
	for i, node := range n.Args[1:] {
		v, err := r.eval(dot, node)
		if err == nil {
			v, err = argument(f.Type(), i, v)
		}
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	if f.Type().NumIn() > len(args) && !f.Type().IsVariadic() {
		return reflect.Value{}, fmt.Errorf("%s takes %d values", name, f.Type().NumIn())
	}
	results := f.Call(args)
	if len(results) > 1 && !results[1].IsNil() {
		return results[0], results[1].Interface().(error)
	}
	return results[0], nil
}

// argument returns v as a function takes it in that place.
func argument(f reflect.Type, i int, v reflect.Value) (reflect.Value, error) {
	if i >= f.NumIn() && !f.IsVariadic() {
		return v, fmt.Errorf("takes %d values", f.NumIn())
	}
	typ := f.In(min(i, f.NumIn()-1))
	if f.IsVariadic() && i >= f.NumIn()-1 {
		typ = typ.Elem()
	}
	if v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return reflect.Zero(typ), nil
	case v.Type().AssignableTo(typ):
		return v, nil
	case v.CanAddr() && v.Addr().Type().AssignableTo(typ):
		return v.Addr(), nil
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().AssignableTo(typ):
		return v.Elem(), nil
	case (v.Kind() == typ.Kind() || v.CanInt() && (reflect.Zero(typ).CanInt() || reflect.Zero(typ).CanFloat())) && v.CanConvert(typ):
		return v.Convert(typ), nil
	}
	return v, fmt.Errorf("%s is no %s", v.Type(), typ)
}

// eval returns the value of one word.
func (r *run) eval(dot reflect.Value, node parse.Node) (reflect.Value, error) {
	switch n := node.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.FieldNode:
		return fields(dot, n.Ident)
	case *parse.ChainNode:
		v, err := r.eval(dot, n.Node)
		if err != nil {
			return v, err
		}
		return fields(v, n.Field)
	case *parse.VariableNode:
		return fields(r.variable(n.Ident[0]).value, n.Ident[1:])
	case *parse.PipeNode:
		return r.pipe(dot, n)
	case *parse.IdentifierNode:
		return r.command(dot, &parse.CommandNode{Args: []parse.Node{n}})
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), nil
	case *parse.BoolNode:
		return reflect.ValueOf(n.True), nil
	case *parse.NumberNode:
		if n.IsInt {
			return reflect.ValueOf(int(n.Int64)), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("%s is not part of this language", node)
}

// fields follows names of fields, and of keys of maps.
func fields(v reflect.Value, names []string) (reflect.Value, error) {
	for _, name := range names {
		switch v = inside(v); v.Kind() {
		case reflect.Struct:
			if _, known := v.Type().FieldByName(name); !known {
				return v, fmt.Errorf("%s has no field %s", v.Type(), name)
			}
			v = v.FieldByName(name)
		case reflect.Map:
			v = v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		default:
			return v, fmt.Errorf("nothing has the field %s", name)
		}
	}
	return v, nil
}

// inside returns what pointers and interfaces lead to; the zero Value: nothing.
func inside(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}
