package document

import "math/bits"

// Print stands for the text of a page: a similarity hash (Charikar, "Similarity Estimation Techniques
// from Rounding Algorithms", STOC 2002) of the pairs of words of its content, without its title, the
// words of its address, and words with digits. So one notice in place of many pages has one Print, even
// if it repeats the title or the address of each. 0: it has no words.
type Print uint64

const (
	nearBits    = 8  // bits by which two Prints of one notice differ, at most
	likeBits    = 16 // of two that share more than half; random ones differ by 32
	strangeBits = 24 // of two that have anything in common, as what two revisions of the extractor make of one page
)

// distance returns the bits by which two Prints differ: 64 where one of them has no words.
func (b Print) distance(other Print) int {
	if b == 0 || other == 0 {
		return 64
	}
	return bits.OnesCount64(uint64(b ^ other))
}

// Near reports whether two Prints are those of one notice.
func (b Print) Near(other Print) bool { return b.distance(other) <= nearBits }

// Strange reports whether two Prints have next to nothing in common: more than two revisions of
// the extractor make of one page.
func (b Print) Strange(other Print) bool { return b.distance(other) > strangeBits }

// Like reports whether two Prints share more than half of what they say.
func (b Print) Like(other Print) bool { return b.distance(other) <= likeBits }
