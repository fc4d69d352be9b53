package spool

import (
	"os"
	"testing"
)

// A spill that lost its end on disk is an error, never a shorter plan.
func TestSpillCutShort(t *testing.T) {
	scratch := NewScratch(t.TempDir())
	defer scratch.Close()
	p := NewSpill[int](scratch, "numbers")
	for i := range 3 {
		p.Add(i, nil)
	}
	read := func() error { return p.Each(func(int, []byte) error { return nil }) }
	if err := read(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(p.path, info.Size()-1); err != nil {
		t.Fatal(err)
	}
	if err := read(); err == nil {
		t.Error("a verdict is missing, and nobody was told")
	}
}
