package config

import (
	"math"
	"strings"

	"github.com/agext/levenshtein"
)

// knownKey is the full name of a key or section that the schema holds.
type knownKey struct {
	at, name string
	section  bool
}

func (k knownKey) String() string {
	if k.section {
		return "[" + join(k.at, k.name) + "]"
	}
	return join(k.at, k.name)
}

// knownKeys lists the schema, each section before its keys.
func knownKeys(at string, keys []key) []knownKey {
	var all []knownKey
	for _, k := range keys {
		all = append(all, knownKey{at: at, name: k.name, section: k.sub != nil})
		all = append(all, knownKeys(join(at, k.name), k.sub)...)
	}
	return all
}

// unknown reports a key that the schema does not hold, with the nearest one
// that it does.
func (r *reader) unknown(full, name string, n *node) {
	section := n.head > 0 || len(n.items) > 0 && n.items[0].head > 0
	what := "key"
	if section {
		what = "section"
	}
	r.fault(n.line, full, "unknown %s; the nearest known one is %s", what, nearest(r.known, full, name, section))
}

// nearest returns the known key with the fewest edits to name, another section
// being two edits; among equals the one that comes first.
func nearest(known []knownKey, full, name string, section bool) string {
	best, least := "", math.MaxInt
	for _, k := range known {
		if k.section && !section {
			continue
		}
		cost := levenshtein.Distance(cut(strings.ToLower(name)), k.name, nil)
		if join(k.at, keyName(name)) != full {
			cost += 2
		}
		if cost < least {
			best, least = k.String(), cost
		}
	}
	return best
}
