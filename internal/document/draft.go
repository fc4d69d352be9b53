package document

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Bounds of one document's main text: what stands behind them is cut. A body of 10 MB
// holds it even where extract.description doubles it; a file of 300 pages has 2 MB.
const (
	MaxText   = 4_000_000 // bytes
	MaxBlocks = 100_000
)

// What cuts a document, in words.
var (
	BeyondText   = "it has more than " + FormatBytes(MaxText) + " of text"
	BeyondBlocks = fmt.Sprintf("it has more than %d,000 paragraphs, rows or lines", MaxBlocks/1000)
)

// Block is one run of text of a page: a paragraph, a heading, a table row.
type Block struct {
	Hash uint64 // XXH64 of Text
	Text string
	Own  bool // the page's by its place: what other pages say is not asked
}

// BlockOf returns the block of a text.
func BlockOf(text string) Block { return Block{Hash: xxhash.Sum64String(text), Text: text} }

// Blocks are the text of a page.
type Blocks []Block

// Pack returns the texts, each behind twice its length and whether it is the page's own: CBOR would
// take ten times as long.
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

// UnpackBlocks reads what Pack wrote. It errs where that is cut.
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

// Draft is what one page says, before the site's profile (boilerplate, title
// suffix) is applied.
type Draft struct {
	Type    Type              `cbor:"1,keyasint"`
	Fields  map[string]string `cbor:"2,keyasint"`           // all but those that Titles and Blocks give
	Titles  []string          `cbor:"3,keyasint,omitempty"` // candidates, best first
	Blocks  Blocks            `cbor:"-"`                    // the content in reading order
	Warn    []string          `cbor:"6,keyasint,omitempty"` // kinds of warning, such as "file-without-text"
	Misread string            `cbor:"9,keyasint,omitempty"` // that its text is in another language than it names, in words; empty: it is not
	Why     string            `cbor:"8,keyasint,omitempty"` // why a file has no text, or a document not all of it, in words
	Ruled   map[string]string `cbor:"7,keyasint,omitempty"` // what the owner's rules gave; it wins over all else
}

// Catch hands over an error in place of a panic, so that the page that is being read pays
// for it and not the run. It is to be deferred.
func Catch(failed func(error)) {
	if what := recover(); what != nil {
		failed(fmt.Errorf("the program fails on this page (%v): please report it", what))
	}
}
