package document

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// A document has at most MaxText bytes and MaxBlocks blocks of text; a longer text is cut. Such a document
// fits into a request body of 10 MB, even if its description repeats the whole text (as with the setting
// extract.description = "content"). A file of 300 pages has about 2 MB of text.
const (
	MaxText   = 4_000_000
	MaxBlocks = 100_000
)

// BeyondText and BeyondBlocks say why a document is cut, for people.
var (
	BeyondText   = "it has more than " + FormatBytes(MaxText) + " of text"
	BeyondBlocks = fmt.Sprintf("it has more than %d,000 paragraphs, rows or lines", MaxBlocks/1000)
)

// Block is one paragraph, heading or table row of a page.
type Block struct {
	Hash uint64
	Text string
	Own  bool // by its position, the block is never boilerplate, even if other pages have it too
}

// BlockOf returns the block of a text, with Own false.
func BlockOf(text string) Block { return Block{Hash: xxhash.Sum64String(text), Text: text} }

// Blocks is the text of a page in reading order.
type Blocks []Block

// Pack encodes each block as a varint and its text. The varint is twice the text's length in bytes, plus 1 if
// Own is set. CBOR would take ten times as long.
func (b Blocks) Pack() []byte {
	size := 0
	for i := range b {
		size += len(b[i].Text) + binary.MaxVarintLen32
	}
	raw := make([]byte, 0, size)
	for i := range b {
		head := uint64(len(b[i].Text)) << 1
		if b[i].Own {
			head++
		}
		raw = append(binary.AppendUvarint(raw, head), b[i].Text...)
	}
	return raw
}

// UnpackBlocks decodes the result of Pack. It errs if raw ends within a block.
func UnpackBlocks(raw []byte) (b Blocks, err error) {
	for text := string(raw); text != ""; {
		head, n := binary.Uvarint(raw[len(raw)-len(text):])
		size := head >> 1
		if n <= 0 || size > uint64(len(text)-n) {
			return nil, errors.New("read blocks: they are cut")
		}
		end := n + int(size)
		one := BlockOf(text[n:end])
		one.Own = head&1 != 0
		b, text = append(b, one), text[end:]
	}
	return b, nil
}

// Draft is the content of a page, still with the text that most pages of the site share: boilerplate, and
// beginnings and ends of titles.
type Draft struct {
	Type    Type              `cbor:"1,keyasint"`
	Fields  map[string]string `cbor:"2,keyasint"`           // all fields except title and content
	Titles  []string          `cbor:"3,keyasint,omitempty"` // candidates for the title, best first
	Blocks  Blocks            `cbor:"-"`
	Warn    []string          `cbor:"6,keyasint,omitempty"` // kinds of warning, such as "file-without-text"
	Misread string            `cbor:"9,keyasint,omitempty"` // for people: the declared language seems wrong
	Why     string            `cbor:"8,keyasint,omitempty"` // for people: why the text is missing or incomplete
	Ruled   map[string]string `cbor:"7,keyasint,omitempty"` // fields set by the owner's rules; they replace others
}

// Catch turns a panic into an error, so that a fault on one page does not end the run. Call it with defer.
func Catch(failed func(error)) {
	if what := recover(); what != nil {
		failed(fmt.Errorf("the program fails on this page (%v): please report it", what))
	}
}
