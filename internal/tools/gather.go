package tools

import (
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// gather joins what is declared with what the ledger knows: in the order of the file,
// then what the file names no longer.
func gather(declared []Declared, known []document.Tool) (all []facts) {
	type key struct{ kind, name string }
	left := map[key]*document.Tool{}
	for i, k := range known {
		left[key{k.Kind, k.Name}] = &known[i]
	}
	for _, d := range declared {
		at := key{string(d.Kind), d.Name}
		all = append(all, facts{Declared: d, known: left[at]})
		delete(left, at)
	}
	without := map[string][]*document.Tool{}
	for _, k := range left {
		if k.ID != 0 && !k.Making && !k.Retired {
			is := nameless(wire.Kind(k.Kind), k.Seen)
			without[is] = append(without[is], k)
		}
	}
	for i := range all {
		f := &all[i]
		if f.known != nil {
			continue
		}
		is := nameless(f.Kind, f.Body)
		if same := without[is]; len(same) == 1 {
			f.known, f.before = same[0], same[0].Name
			delete(without, is)
			delete(left, key{f.known.Kind, f.before})
		}
	}
	for i, k := range known {
		if left[key{k.Kind, k.Name}] != nil {
			all = append(all, facts{Declared: Declared{Kind: wire.Kind(k.Kind), Name: k.Name}, known: &known[i]})
		}
	}
	return all
}

// nameless returns what a tool is but for its name: two of the same are one that was
// renamed in the file. A quicklink is its address, because not every service can make a
// new one.
func nameless(kind wire.Kind, raw []byte) string {
	fields := slices.DeleteFunc(view(kind, raw), func(f Field) bool {
		return f.Name == "name" || kind == wire.KindQuicklink && f.Name == "terms"
	})
	return fmt.Sprintf("%s %q", kind, fields)
}
