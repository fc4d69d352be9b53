package judge

import (
	"math/bits"
)

// lengths count texts by the bucket of their length.
type lengths [256]int32

// lengthBucket returns the bucket of a length in bytes: one each up to 15, then eight to
// each doubling.
func lengthBucket(n int) byte {
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

// median returns the length in the middle of n texts, to about a sixteenth; 0 when n is 0.
func (l *lengths) median(n int) int {
	below := 0
	for bucket, count := range l {
		below += int(count)
		if 2*below >= n {
			return bucketLength(bucket)
		}
	}
	return 0
}
