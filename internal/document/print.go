package document

import "math/bits"

// Print is a similarity hash of the pairs of words in a page's content (Charikar, "Similarity Estimation
// Techniques from Rounding Algorithms", STOC 2002). Similar texts have hashes that differ in few bits. Words
// of the title and of the URL, and words with digits, are left out. A notice that replaces many pages thus
// has the same Print on all of them, even if it repeats each title. 0 means that the content has no words.
type Print uint64

const (
	nearBits    = 8  // greatest distance between two copies of one notice
	likeBits    = 16 // texts that share over half of their words differ by at most this, random texts by 32
	strangeBits = 24 // greatest distance between the texts that two program versions read from one page
)

func (b Print) distance(other Print) int {
	if b == 0 || other == 0 {
		return 64
	}
	return bits.OnesCount64(uint64(b ^ other))
}

// Near reports whether two texts are copies of one notice, perhaps with small differences.
func (b Print) Near(other Print) bool { return b.distance(other) <= nearBits }

// Strange reports whether two texts differ by more than a new version of this program could explain.
func (b Print) Strange(other Print) bool { return b.distance(other) > strangeBits }

// Like reports whether two texts share more than half of their content.
func (b Print) Like(other Print) bool { return b.distance(other) <= likeBits }
