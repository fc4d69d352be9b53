package document

import (
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// WarnTemplate is the kind of warning that tells of a profile that was learned, or
// learned anew, and of the documents which that changes.
const WarnTemplate = "template"

// Profile is what a site as a whole teaches about its pages, by section. A section
// is an origin (https://www.example.com), or the part of it below the first folder
// of a path (https://www.example.com/news). A Profile is not changed once it is
// handed over.
type Profile map[string]Section

// Section is what most pages of one section have in common. All lists are sorted.
type Section struct {
	Version      uint64   `cbor:"1,keyasint" json:"version"`                                  // hash of all the rest; never 0
	Blocks       []uint64 `cbor:"2,keyasint,omitempty" json:"blocks,omitempty"`               // text blocks, beside those of the origin
	Titles       []string `cbor:"3,keyasint,omitempty" json:"titles,omitempty"`               // whole titles that name no page
	Heads        []string `cbor:"4,keyasint,omitempty" json:"heads,omitempty"`                // what titles begin with, the separator included
	Tails        []string `cbor:"5,keyasint,omitempty" json:"tails,omitempty"`                // what titles end with, the separator included
	Descriptions []uint64 `cbor:"6,keyasint,omitempty" json:"default_descriptions,omitempty"` // hashes of descriptions that tell of no page
}

// Sealed returns s with its version.
func (s Section) Sealed() Section {
	key := fmt.Appendf(nil, "%x %q %q %q %x", s.Blocks, s.Titles, s.Heads, s.Tails, s.Descriptions)
	s.Version = max(1, xxhash.Sum64(key))
	return s
}

// Len returns how many things the pages have in common.
func (s Section) Len() int {
	return len(s.Blocks) + len(s.Titles) + len(s.Heads) + len(s.Tails) + len(s.Descriptions)
}

// Empty reports whether the pages have nothing in common: s changes no document.
func (s Section) Empty() bool { return s.Len() == 0 }
