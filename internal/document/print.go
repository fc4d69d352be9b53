package document

import "math/bits"

// Print is a similarity hash of a page's content (Charikar, "Similarity Estimation Techniques from Rounding
// Algorithms", STOC 2002), over pairs of words. It leaves out the title, the words of the address, and words
// with digits. So a notice that replaces many pages has one Print, even if it repeats their titles. 0 means
// no words.
type Print uint64

const (
	nearBits    = 8  // most differing bits between two copies of one notice
	likeBits    = 16 // most differing bits of texts that share more than half; random texts differ by 32
	strangeBits = 24 // most differing bits of one page under two revisions of the extractor
)

// distance returns the number of differing bits; 64 if either Print is 0.
func (b Print) distance(other Print) int {
	if b == 0 || other == 0 {
		return 64
	}
	return bits.OnesCount64(uint64(b ^ other))
}

// Near reports whether two texts are copies of one notice.
func (b Print) Near(other Print) bool { return b.distance(other) <= nearBits }

// Strange reports whether two texts differ by more than a new revision of the extractor explains.
func (b Print) Strange(other Print) bool { return b.distance(other) > strangeBits }

// Like reports whether two texts share more than half of their content.
func (b Print) Like(other Print) bool { return b.distance(other) <= likeBits }
