package content

import (
	"slices"
	"strings"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// span is a half-open range of bytes in a writer's buffer, or of blocks (such as paragraphs) by their index.
type span struct{ from, to int }

func (s span) size() int { return s.to - s.from }

// tally counts bytes of text in links, in form labels, and in prose (long blocks with few links). The field
// offers counts form controls, and headings that are mostly links.
type tally struct{ links, labels, prose, offers int }

// mark is a position in a writer's output. The output after a mark can be measured or removed.
type mark struct {
	blocks, bytes int
	tally
}

// measure is the size of a writer's output after a mark.
type measure struct {
	blocks span
	text   int
	tally
}

// line is a finished block. Its span is a range of bytes in the buffer.
type line struct {
	span
	linked int // bytes of the block that are in links
	in     place
}

// writer gathers the blocks of a page in one buffer, with a line feed after each block.
type writer struct {
	fold    markup.Folder
	spans   []line
	links   int   // bytes of the open block that are in links
	in      place // flags of every element that holds text of the open block
	breakAt int   // length of the buffer at the last br element of the open block, or -1 without a br
	sum     tally
}

// maxLines is the number of blocks up to which each line of preformatted text becomes a block of its own.
const maxLines = 4 * document.MaxBlocks

func (t *writer) write(s string, in place) {
	before := len(t.fold.Buf)
	if in&inPre == 0 {
		t.in |= in
		t.fold.Write(s)
	} else {
		for line := range strings.SplitAfterSeq(s, "\n") {
			t.in |= in
			t.fold.Write(line)
			if strings.HasSuffix(line, "\n") && len(t.spans) < maxLines {
				t.flush()
			}
		}
	}
	added := len(t.fold.Buf) - before
	if in&inLink != 0 {
		t.sum.links += added
		t.links += added
	}
	if in&inLabel != 0 {
		t.sum.labels += added
	}
}

const leastProse = 100 // minimum bytes of a block of running text

func (t *writer) flush() {
	t.fold.Space, t.breakAt = false, -1
	in, size := t.in, len(t.fold.Buf)-t.fold.Start
	t.in = 0
	if size == 0 {
		return
	}
	if size >= leastProse && 2*t.links < size {
		t.sum.prose += size
	}
	t.spans = append(t.spans, line{span{t.fold.Start, len(t.fold.Buf)}, t.links, in})
	t.fold.Buf = append(t.fold.Buf, '\n')
	t.fold.Start, t.links = len(t.fold.Buf), 0
}

func (t *writer) since(m mark) measure {
	return measure{
		blocks: span{m.blocks, len(t.spans)}, text: len(t.fold.Buf) - m.bytes,
		tally: tally{t.sum.links - m.links, t.sum.labels - m.labels, t.sum.prose - m.prose, t.sum.offers - m.offers},
	}
}

func (t *writer) block(i int) []byte { return t.fold.Buf[t.spans[i].from:t.spans[i].to] }

func (t *writer) size(ranges []span) (size int) {
	for _, r := range ranges {
		if r.from < r.to {
			size += t.spans[r.to-1].to - t.spans[r.from].from
		}
	}
	return size
}

// copied returns the blocks in the ranges. All blocks share one string. Equal long blocks are returned once.
// If the configured selector did not pick the ranges (picked is false), notes are left out (see isNote).
func (t *writer) copied(ranges []span, picked bool) []document.Block {
	count := 0
	for _, r := range ranges {
		count += r.size()
	}
	if count == 0 {
		return nil
	}
	var text strings.Builder
	text.Grow(t.size(ranges))
	blocks, seen := make([]document.Block, 0, count), make(map[uint64]bool, count)
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			from := text.Len()
			text.Write(t.block(i))
			one := document.BlockOf(text.String()[from:])
			if !picked && isNote(one.Text) {
				continue
			}
			one.Own = t.spans[i].in&(inPre|own) != 0
			if len(one.Text) >= leastProse {
				if seen[one.Hash] {
					continue
				}
				seen[one.Hash] = true
			}
			blocks = append(blocks, one)
		}
	}
	return blocks
}

// isNote reports whether text says when the page was changed, or in which languages the page is available.
func isNote(text string) bool {
	if len(text) > 2*maxDated {
		return false
	}
	lower := strings.ToLower(text)
	isChange := markup.BeginsAny(lower, "changedOn") && markup.MayDate(markup.Clip(text, maxDated))
	return isChange || markup.BeginsAny(lower, "languagesOf")
}

func overlap(ranges []span, s span) bool {
	return slices.ContainsFunc(ranges, func(r span) bool { return s.from < r.to && r.from < s.to })
}

// subtract returns the ranges without the blocks of cuts. Both lists are sorted.
func subtract(ranges, cuts []span) (left []span) {
	for _, r := range ranges {
		for len(cuts) > 0 && cuts[0].to <= r.from {
			cuts = cuts[1:]
		}
		for _, cut := range cuts {
			if cut.from >= r.to {
				break
			}
			if r.from < cut.from {
				left = append(left, span{r.from, cut.from})
			}
			r.from = cut.to
		}
		if r.from < r.to {
			left = append(left, r)
		}
	}
	return left
}
