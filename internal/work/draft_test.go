package work

import (
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// What is encoded is decoded, however long its lists are and whatever bytes its texts hold:
// one page must not end a run.
func TestDecodeTakesWhatEncodeWrote(t *testing.T) {
	d := document.Draft{Blocks: slices.Concat(slices.Repeat(document.Blocks{document.BlockOf("")}, 200_000), document.Blocks{document.BlockOf("caf\xe9"), document.BlockOf(strings.Repeat("long ", 100))}), Fields: map[string]string{"Title": "caf\xe9"}}
	raw, err := spool.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	var got document.Draft
	if err := spool.Decode(raw, &got); err != nil || !slices.Equal(got.Blocks, d.Blocks) || got.Fields["Title"] != d.Fields["Title"] {
		t.Errorf("%d blocks, title %q, %v", len(got.Blocks), got.Fields["Title"], err)
	}
	for _, cut := range [][]byte{nil, raw[:len(raw)-1], {0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0x9a, 0x7f, 0xff, 0xff, 0xff}} {
		if err := spool.Decode(cut, &got); err == nil {
			t.Errorf("%d bytes that are no whole value were decoded", len(cut))
		}
	}
	for _, cut := range []string{"\x05four", "\xff", "\x03one\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01text"} {
		if err := got.Blocks.UnmarshalBinary([]byte(cut)); err == nil {
			t.Errorf("blocks of %q were decoded", cut)
		}
	}
}
