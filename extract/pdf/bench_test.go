package pdf

import "testing"

// BenchmarkRead reads a file of a few pages in a child that is ready.
func BenchmarkRead(b *testing.B) {
	r, body := newReader(b), load(b, "testdata/minutes.pdf")
	for b.Loop() {
		if _, err := r.Read(body); err != nil {
			b.Fatal(err)
		}
	}
}
