package snapshot

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sitesync/internal/fleet/lease"
)

// TestLongList: a list that is longer than a message is stored in several.
func TestLongList(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(1, 1))
	l := make(list, partSize/entrySize*5/2)
	for i := range l {
		l[i] = part{number: random.Uint64N(9), stored: random.Uint32N(partSize), sum: sumOf([]byte{byte(i), byte(i >> 8)})}
	}
	f := lease.File{Number: 9, Size: int64(len(l)) * partSize, Sum: l.sum()}
	stored, err := r.store.putList(t.Context(), "ledger", "town", f, l)
	must(t, err)
	got, err := r.store.list(t.Context(), "ledger", "town", f)
	if now, _ := r.there(t); err != nil || now != 3 || stored == 0 || !reflect.DeepEqual(got, l) {
		t.Errorf("a list of %d parts is in %d messages, and is read otherwise: %v", len(l), now, err)
	}
}

func FuzzList(f *testing.F) {
	l := list{{1, 2, sumOf([]byte("a"))}, {3, 4, sumOf([]byte("b"))}}
	f.Add(l.encode(), 2, uint64(3))
	f.Add(l.encode()[1:], 2, uint64(3))
	f.Add([]byte(strings.Repeat("\xff", 28)), 1, uint64(1))
	f.Add([]byte{}, -1, uint64(0))
	f.Fuzz(func(t *testing.T, raw []byte, n int, number uint64) {
		l, err := decodeList(raw, n, number)
		if err == nil && (len(l) != n || string(l.encode()) != string(raw)) {
			t.Errorf("%d parts of %x are %v", n, raw, l)
		}
	})
}
