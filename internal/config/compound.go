package config

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// secret reads a text that no fault may show.
func secret(into *Secret) reading {
	return func(r *reader, name string, n *node) {
		if !r.is(unstable.String, name, n, wantText) {
			return
		}
		s, ok := r.expand(name, n)
		if !ok {
			return
		}
		s = strings.TrimRight(s, "\r\n") // what "export KEY=..." from a file may leave
		if err := checkHeaderValue(s); err != nil {
			r.fault(n.line, name, "%s", err)
			return
		}
		if s != "" && !strings.Contains(n.text, "${") {
			r.literal = name
		}
		*into = Secret(s)
	}
}

func headers(into *map[string]Secret) reading {
	return func(r *reader, name string, n *node) {
		if !r.is(unstable.Table, name, n, `a table, such as { "X-Preview" = "${TOKEN}" }`) {
			return
		}
		all := map[string]Secret{}
		for _, header := range n.keys {
			full, one := join(name, keyName(header)), n.table[header]
			if err := checkHeaderName(header); err != nil {
				r.fault(one.line, full, "%s", err)
				continue
			}
			var value Secret
			secret(&value)(r, full, one)
			all[header] = value
		}
		*into = all
	}
}

func sitemaps(into *Sitemaps) reading {
	const want = `"auto", "off" or a list of addresses`
	return func(r *reader, name string, n *node) {
		switch {
		case n.kind == unstable.Array && len(n.items) > 0:
			texts(&into.List, checkAddress)(r, name, n)
			into.Auto = len(into.List) == 0
		case n.kind == unstable.Array:
			r.fault(n.line, name, `must not be an empty list: write "off" to read no sitemaps`)
		default:
			mode := "auto"
			value(&mode, want, checked(oneOf("auto", "off")))(r, name, n)
			into.Auto = mode == "auto"
		}
	}
}
