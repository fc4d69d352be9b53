package page

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// These are measured upper bounds of the memory for reading a page, in bytes. They include the page's tree,
// its draft (extracted text) and temporary values.
const (
	perByte      = 4 // for each byte of the text
	perTag       = 300
	perAttribute = 100
	perName      = 250 // for each attribute of a tag, while the tokenizer reads the tag
	perAgain     = 130 // for each formatting element that the parser opens again
)

// The function guess estimates the memory for pages within these limits. For others, scale counts each tag.
const (
	lightBytes   = 24 << 20   // largest estimate of guess that is used, in bytes
	lightCleared = 50_000_000 // limit for the number of tags times the number of attribute names
	mostAlike    = 3          // the parser reopens at most this many equal formatting elements
)

// Parse returns the tree and the charset of a page. It parses well-formed XHTML as XML. Parse calls take
// before it uses memory, unless take is nil. take may block until memory is free. Parse errs if take errs,
// or if more than 512 elements nest.
func Parse(body []byte, contentType string, take func(bytes int64) error) (*html.Node, document.Charset, error) {
	if take == nil {
		take = func(int64) error { return nil }
	}
	text, is, foreign := encodingOf(body, contentType)
	size := int64(len(text))
	cost := perByte * size
	if foreign {
		size = decodedSize(text, is.Name)
		cost = (perByte + 1) * size
	}
	if err := take(cost); err != nil {
		return nil, is, err
	}
	if foreign {
		text = decode(text, is.Name, size)
	}
	if media, _, _ := strings.Cut(contentType, ";"); strings.EqualFold(media, document.MediaXHTML) {
		if root, err := parseXML(text, take); err == nil {
			return root, is, nil
		}
	}
	var err error
	if cost, light := guess(text); light {
		err = take(cost)
	} else {
		err = (&scale{take: take}).reserve(text, false)
	}
	if err != nil {
		return nil, is, err
	}
	root, err := html.Parse(bytes.NewReader(text))
	return root, is, err
}

// plainTag matches a start tag in which no quoted attribute value contains ">".
var plainTag = regexp.MustCompile(`^[a-zA-Z]+(?:\s+[\w-]+(?:="[^"<>]*")?)*\s*>`)

// guess returns an upper bound of the memory for the tags of text. It counts each space as an attribute, and
// each formatting element as unclosed. If light is false, cost is no bound: use scale.
func guess(text []byte) (cost int64, light bool) {
	tags, names := int64(bytes.Count(text, []byte("<"))), int64(0)
	for _, c := range []string{" ", "\n", "\t", "\r", "\f", "/", `"`, "'"} {
		names += int64(bytes.Count(text, []byte(c)))
	}
	cost = perTag*tags + (perAttribute+perName)*names
	if tags*names > lightCleared {
		return cost, false
	}
	alike := map[string]int{}
	for at := bytes.IndexByte(text, '<'); at >= 0 && cost <= lightBytes; at = bytes.IndexByte(text, '<') {
		text = text[at+1:]
		name := text[:nameLength(text)]
		switch lower := strings.ToLower(string(name)); {
		case lower == "html", lower == "body":
			cost += perAttribute * names
		case isFormatting(lower):
			tag := plainTag.Find(text)
			if tag == nil {
				return cost, false
			}
			alike[string(tag)]++
			if alike[string(tag)] <= mostAlike {
				cost += tags * (perAgain + perAttribute*int64(bytes.Count(tag, []byte(" "))))
			}
		}
	}
	return cost, cost <= lightBytes
}

func nameLength(text []byte) (n int) {
	for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}

// isFormatting reports whether a lower-case name is a formatting element of the HTML standard. It excludes
// <a> and <nobr>, because only one of each can be open.
func isFormatting(name string) bool {
	switch name {
	case "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}
