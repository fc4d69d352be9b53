package words

import (
	"strconv"
	"testing"
)

// TestMemo: a reader remembers no more words, whoever asks for them, in all languages together.
func TestMemo(t *testing.T) {
	r := NewReader()
	for i := range maxMemo + 2 {
		r.Read([]string{"en", Other}[i%2], strconv.Itoa(i))
		if len(r.memo) > maxMemo {
			t.Fatalf("it remembers %d words", len(r.memo))
		}
	}
	if len(r.memo) != 2 {
		t.Errorf("it remembers %d words", len(r.memo))
	}
}
