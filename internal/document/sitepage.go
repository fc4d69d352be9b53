package document

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// SitePage describes one URL for the site's owner. A run that finds the page unchanged keeps the stored
// SitePage. Later runs find the links to a refused page in the stored Links.
type SitePage struct {
	URL       string `cbor:"-" json:"url"`
	Seen      Seen   `cbor:"1,keyasint" json:"seen"` // for an unchanged page, the result of the last reading
	Status    int    `cbor:"2,keyasint,omitempty" json:"status,omitempty"`
	Why       string `cbor:"3,keyasint,omitempty" json:"why,omitempty"`
	Target    string `cbor:"4,keyasint,omitempty" json:"target,omitempty"`
	Canonical string `cbor:"5,keyasint,omitempty" json:"canonical,omitempty"`
	Type      Type   `cbor:"6,keyasint,omitempty" json:"type,omitempty"`
	From      string `cbor:"7,keyasint,omitempty" json:"from,omitempty"` // page that leads to this URL
	Start     bool   `cbor:"8,keyasint,omitempty" json:"start,omitempty"`
	Says      Says   `cbor:"9,keyasint,omitempty" json:"says,omitzero"`
	Links     []byte `cbor:"10,keyasint,omitempty" json:"links,omitempty"` // encoded by PackLinks

	Listed bool `cbor:"18,keyasint,omitempty" json:"in_sitemap,omitempty"` // a sitemap listed the URL

	// JSON leaves out the fields below. Each is a run's start in Unix seconds; 0 stands for the first run.
	Looked           int64 `cbor:"-" json:"-"`
	Changed          int64 `cbor:"13,keyasint,omitempty" json:"-"` // last change of title, description or text
	Since            int64 `cbor:"14,keyasint,omitempty" json:"-"` // first run with this Status, Target and Canonical
	TitleSince       int64 `cbor:"15,keyasint,omitempty" json:"-"`
	DescriptionSince int64 `cbor:"16,keyasint,omitempty" json:"-"`
	TextSince        int64 `cbor:"17,keyasint,omitempty" json:"-"`
}

// Says is a short form of the document of a page or file.
type Says struct {
	Title       string `cbor:"1,keyasint,omitempty" json:"title,omitempty"`       // at most MaxShort bytes
	Description string `cbor:"2,keyasint,omitempty" json:"description,omitempty"` // at most MaxShort bytes
	Text        uint64 `cbor:"3,keyasint,omitempty" json:"text,omitempty"`        // XXH64 of the content; 0 for none
	Length      int    `cbor:"4,keyasint,omitempty" json:"length,omitempty"`      // length of the content in bytes
	NoText      string `cbor:"6,keyasint,omitempty" json:"no_text,omitempty"`     // why a file has no text
}

// MaxShort is the greatest length of a title or description in Says, in bytes.
const MaxShort = 300

// SaysOf returns the short form of a document that was made from draft.
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

// Short returns s cut to MaxShort bytes, with "…" at the cut.
func Short(s string) string { return Cut(s, MaxShort) }

// Cut shortens s to a number of bytes, and appends "…" if something was cut.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// MaxLinks is the greatest number of links that are stored for a page.
const MaxLinks = 5000

// PackLinks sorts the first MaxLinks fingerprints of URLs, and encodes each in 8 bytes. It drops duplicates.
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
