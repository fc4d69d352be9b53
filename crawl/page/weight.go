package page

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// What reading a page takes of memory at most, in bytes, as measured: its tree, its draft
// and what is made on the way.
const (
	perByte      = 4 // of the text
	perTag       = 300
	perAttribute = 100
	perName      = 250 // of an attribute, while the tokenizer has it
	perAgain     = 130 // of a formatting element that is made again
)

// What costs no more by a guess is not counted.
const (
	lightBytes   = 24 << 20
	lightCleared = 50_000_000 // names of attributes that the tokenizer clears, all in all
	mostAlike    = 3          // of equal formatting elements the parser makes no more again
)

// Parse returns the tree of a page's bytes, as XML where it is well-formed XHTML, and their
// charset. take is asked for the memory that reading the page takes, before it is used;
// it may wait, and may be nil. Parse errs with take, and where more than 512 elements nest.
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
		err = (&scale{take: take}).read(text, false)
	}
	if err != nil {
		return nil, is, err
	}
	root, err := html.Parse(bytes.NewReader(text))
	return root, is, err
}

// plainTag matches a start tag that ends where it seems to: no quote in it hides a ">".
var plainTag = regexp.MustCompile(`^[a-zA-Z]+(?:\s+[\w-]+(?:="[^"<>]*")?)*\s*>`)

// guess returns the most that the tags of a text cost, and whether that is little. It takes
// each "<" for a tag, each space for an attribute, and no formatting element for closed.
func guess(text []byte) (cost int64, light bool) {
	tags, names := int64(bytes.Count(text, []byte("<"))), int64(0)
	for _, c := range []string{" ", "\n", "\t", "\r", "\f", "/", `"`, "'"} {
		names += int64(bytes.Count(text, []byte(c)))
	}
	cost = perTag*tags + (perAttribute+perName)*names
	if tags*names > lightCleared {
		return cost, false
	}
	alike := map[string]int{} // formatting elements by their tag
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

// nameLength returns how many letters and digits a text begins with.
func nameLength(text []byte) (n int) {
	for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}

// isFormatting reports whether a name in lower case is that of a formatting element of the HTML
// standard; a and nobr are not meant, of which only one can be open.
func isFormatting(name string) bool {
	switch name {
	case "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}
