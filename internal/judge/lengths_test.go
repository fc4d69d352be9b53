package judge

import "testing"

func TestLengthBuckets(t *testing.T) {
	last := byte(0)
	for n := 0; n < 1<<28; n += 1 + n/50 {
		bucket := lengthBucket(n)
		middle := bucketLength(int(bucket))
		if bucket < last || float64(max(middle-n, n-middle)) > 0.0626*float64(n) {
			t.Fatalf("%d bytes: bucket %d behind %d, middle %d", n, bucket, last, middle)
		}
		last = bucket
	}
}
