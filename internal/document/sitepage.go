package document

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// SitePage is what the last look at a URL that found more than "unchanged" saw of it, beside
// its record: facts for the site's owner. A run decides by its Links alone, and
// keeps more where it does not know them.
type SitePage struct {
	URL       string `cbor:"-" json:"url"`
	Seen      Seen   `cbor:"1,keyasint" json:"seen"` // Kept: as it was when it was read last
	Status    int    `cbor:"2,keyasint,omitempty" json:"status,omitempty"`
	Why       string `cbor:"3,keyasint,omitempty" json:"why,omitempty"`
	Target    string `cbor:"4,keyasint,omitempty" json:"target,omitempty"`
	Canonical string `cbor:"5,keyasint,omitempty" json:"canonical,omitempty"`
	Type      Type   `cbor:"6,keyasint,omitempty" json:"type,omitempty"`
	From      string `cbor:"7,keyasint,omitempty" json:"from,omitempty"` // First.From
	Start     bool   `cbor:"8,keyasint,omitempty" json:"start,omitempty"`
	Says      Says   `cbor:"9,keyasint,omitempty" json:"says,omitzero"`
	Links     []byte `cbor:"10,keyasint,omitempty" json:"links,omitempty"` // as PackLinks writes them

	Listed bool `cbor:"18,keyasint,omitempty" json:"in_sitemap,omitempty"` // by a sitemap in that run

	// These are no part of a plan, which does not depend on what was seen before. Times are starts of runs in Unix seconds; 0: before facts were kept.
	Looked           int64 `cbor:"-" json:"-"`
	Changed          int64 `cbor:"13,keyasint,omitempty" json:"-"` // what it says changed
	Since            int64 `cbor:"14,keyasint,omitempty" json:"-"` // it has been seen as it is now
	TitleSince       int64 `cbor:"15,keyasint,omitempty" json:"-"`
	DescriptionSince int64 `cbor:"16,keyasint,omitempty" json:"-"`
	TextSince        int64 `cbor:"17,keyasint,omitempty" json:"-"`
}

// Says is what a page or a file says, in short.
type Says struct {
	Title       string `cbor:"1,keyasint,omitempty" json:"title,omitempty"`       // of its document, MaxShort bytes at most
	Description string `cbor:"2,keyasint,omitempty" json:"description,omitempty"` // the page's own, MaxShort bytes at most
	Text        uint64 `cbor:"3,keyasint,omitempty" json:"text,omitempty"`        // Hash.Short of its content; 0: there is none
	Length      int    `cbor:"4,keyasint,omitempty" json:"length,omitempty"`      // bytes of its content
	NoText      string `cbor:"6,keyasint,omitempty" json:"no_text,omitempty"`     // why a file has none
}

// MaxShort bounds what Says keeps of a text, in bytes.
const MaxShort = 300

// SaysOf returns what the document of a draft says.
func SaysOf(doc Document, draft *Draft) Says {
	content := doc.Fields["Content"]
	s := Says{Title: Short(doc.Fields["Title"]), Description: Short(draft.Fields["Description"]), Length: len(content)}
	if content != "" {
		s.Text = xxhash.Sum64String(content)
	} else {
		s.NoText = draft.Why
	}
	return s
}

// Short returns s cut to MaxShort bytes, with "…" where it is longer.
func Short(s string) string { return Cut(s, MaxShort) }

// Cut returns s cut to so many bytes, with "…" where it is longer.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// MaxLinks is how many links of one page are kept: more than any page that people read has.
const MaxLinks = 5000

// PackLinks returns the fingerprints of the URLs that a page links to, each once: MaxLinks
// at most, the first ones. It sorts links.
func PackLinks(links []uint64) []byte {
	links = links[:min(len(links), MaxLinks)]
	slices.Sort(links)
	links = slices.Compact(links)
	packed := make([]byte, 0, 8*len(links))
	for _, link := range links {
		packed = binary.BigEndian.AppendUint64(packed, link)
	}
	return packed
}
