package judge

import "math/bits"

// Body stands for what a page says beside what is its own: a similarity hash (Charikar,
// "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002) of the pairs of
// words of its content, without its title and headings, the words of its address, and
// whatever holds digits. One notice in place of many pages has one Body, also where it
// stands under each page's own heading or repeats its address. 0: it has no words.
type Body uint64

const (
	bodyBits = 8  // bits by which two Bodies of one notice differ, at most
	likeBits = 16 // of two that share more than half; random ones differ by 32
)

// Near reports whether two Bodies are those of one notice.
func (b Body) Near(other Body) bool {
	return b != 0 && other != 0 && bits.OnesCount64(uint64(b^other)) <= bodyBits
}

// Like reports whether two Bodies share more than half of what they say.
func (b Body) Like(other Body) bool {
	return b != 0 && other != 0 && bits.OnesCount64(uint64(b^other)) <= likeBits
}
