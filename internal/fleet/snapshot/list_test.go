package snapshot

import (
	"strings"
	"testing"
)

func FuzzList(f *testing.F) {
	l := list{{1, sumOf([]byte("a"))}, {3, sumOf([]byte("b"))}}
	f.Add(l.encode(), 2, uint64(3))
	f.Add(l.encode()[1:], 2, uint64(3))
	f.Add([]byte(strings.Repeat("\xff", 24)), 1, uint64(1))
	f.Add([]byte{}, -1, uint64(0))
	f.Fuzz(func(t *testing.T, raw []byte, n int, number uint64) {
		l, err := decodeList(raw, n, number)
		if err == nil && (len(l) != n || string(l.encode()) != string(raw)) {
			t.Errorf("%d parts of %x are %v", n, raw, l)
		}
	})
}
