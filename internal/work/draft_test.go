package work

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// What is spooled is read back, however many blocks it has and whatever bytes its texts
// hold: one page must not end a run.
func TestDraftIsReadAsItWasSpooled(t *testing.T) {
	w := openWork(t, filepath.Join(t.TempDir(), "work"), State{Run: "1", Start: began}, 0)
	blocks := slices.Repeat(document.Blocks{document.BlockOf("")}, 200_000)
	for _, text := range []string{"caf\xe9", strings.Repeat("long ", 100), "two\nlines"} {
		blocks = append(blocks, document.BlockOf(text))
	}
	for _, want := range []document.Draft{
		{Fields: map[string]string{"Title": "caf\xe9"}},
		{Fields: map[string]string{"Title": "all"}, Titles: []string{"one", "two"}, Warn: []string{"cut"}, Why: "no text", Ruled: map[string]string{"Category": "c"}, Type: document.PageContent, Blocks: blocks},
	} {
		at := w.AddDraft(want)
		if err := w.Group.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, err := w.Draft(at); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("a draft of %d blocks was read otherwise, with %d, %v", len(want.Blocks), len(got.Blocks), err)
		}
	}
}

func TestDecodeRefusesWhatIsCut(t *testing.T) {
	raw := spool.Encode(document.Draft{Fields: map[string]string{"Title": "one"}})
	var got document.Draft
	for _, cut := range [][]byte{nil, raw[:len(raw)-1], {0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0x9a, 0x7f, 0xff, 0xff, 0xff}} {
		if err := spool.Decode(cut, &got); err == nil {
			t.Errorf("%d bytes that are no whole value were decoded", len(cut))
		}
	}
	for _, cut := range []string{"\x05four", "\xff", "\x03one\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01text"} {
		if _, err := document.UnpackBlocks([]byte(cut)); err == nil {
			t.Errorf("blocks of %q were read", cut)
		}
	}
}
