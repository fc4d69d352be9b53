package config

import (
	"regexp"
	"strings"
)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expand returns the text of n with every ${NAME} replaced from the
// environment; what a variable holds is taken as it is. ok is false when a
// variable is unset or empty (the key is pending then) or its name is malformed.
func (r *reader) expand(name string, n *node) (s string, ok bool) {
	var out strings.Builder
	rest := n.text
	for {
		before, after, found := strings.Cut(rest, "${")
		out.WriteString(before)
		if !found {
			return out.String(), true
		}
		variableName, tail, closed := strings.Cut(after, "}")
		if !closed || !variable.MatchString(variableName) {
			r.fault(n.line, name, `"${" begins the name of an environment variable, as in ${NAME}; a value that holds "${" itself must come from one`)
			return "", false
		}
		value := r.getenv(variableName)
		if value == "" {
			r.pend(n.line, name, variableName)
			return "", false
		}
		out.WriteString(value)
		rest = tail
	}
}

func (r *reader) pend(line int, name, variableName string) {
	text := "needs the environment variable " + variableName + ", which is unset or empty: set it and run again"
	r.pending = append(r.pending, Fault{File: r.file, Line: line, Key: name, Text: text})
}
