package judge

import (
	"math"
	"math/bits"
)

// Lengths count texts by the bucket of their length.
type Lengths [256]int32

// LengthBucket returns the bucket of a length in bytes: one each up to 15, then eight to
// each doubling.
func LengthBucket(n int) byte {
	if n < 16 {
		return byte(n)
	}
	shift := bits.Len(uint(n)) - 4
	return byte(min(255, 8*shift+n>>shift))
}

// bucketLength returns the middle of a bucket.
func bucketLength(bucket int) int {
	if bucket < 16 {
		return bucket
	}
	shift := bucket/8 - 1
	return (8+bucket%8)<<shift + 1<<shift/2
}

// Median returns the length in the middle of n texts, to about a sixteenth; 0 when n is 0.
func (l *Lengths) Median(n int) int {
	below := 0
	for bucket, count := range l {
		below += int(count)
		if 2*below >= n {
			return bucketLength(bucket)
		}
	}
	return 0
}

// shareFall is how much of its share a field loses at least when that is no accident.
const shareFall = 0.2

// FellBeyondChance reports whether a share fell from was, of n documents, to now, of m, by
// more than a fifth of all and by more than two samples of the same documents differ: three
// standard errors.
func FellBeyondChance(was float64, n int, now float64, m int) bool {
	mean := (was*float64(n) + now*float64(m)) / float64(n+m)
	chance := 3 * math.Sqrt(mean*(1-mean)*(1/float64(n)+1/float64(m)))
	return was-now > max(shareFall, chance)
}
