package pdf

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sitesync/internal/document"
)

// The embedded bytes, and what they unpack to, are those that were looked at.
func TestEmbedded(t *testing.T) {
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != packedSum {
		t.Errorf("pdfium.wasm.zst has the sum %x", sum)
	}
	wasm, err := module()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(wasm); hex.EncodeToString(sum[:]) != moduleSum {
		t.Errorf("the module has the sum %x", sum)
	}
	readme := string(load(t, "README.md"))
	for _, fact := range []string{Version, moduleSum, packedSum} {
		if !strings.Contains(readme, fact) {
			t.Errorf("README.md does not name %s", fact)
		}
	}
}

func TestFrames(t *testing.T) {
	want := document.File{Blocks: []string{"a", "b"}, Title: "t", Links: []string{"l"}, Created: date("D:2026")}
	var b bytes.Buffer
	if err := writeAnswer(&b, answer{File: want}); err != nil {
		t.Fatal(err)
	}
	c := child{out: bufio.NewReader(&b)}
	if got, err := c.answer(false); err != nil || !reflect.DeepEqual(got.File, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if size, err := readSize(bytes.NewReader([]byte{0, 0, 0, 0, 0x7f, 0, 0, 0}), maxAnswer); !errors.Is(err, errProtocol) {
		t.Errorf("a message of %d bytes: %v", size, err)
	}
}

// FuzzAnswer is what a parent makes of any bytes a child sends.
func FuzzAnswer(f *testing.F) {
	for _, a := range []answer{{File: document.File{Blocks: []string{"text"}, Created: date("D:2026")}}, {Ready: true}, {Verdict: "x"}, {Broken: "y"}} {
		var b bytes.Buffer
		if err := writeAnswer(&b, a); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), a.Ready)
	}
	f.Fuzz(func(t *testing.T, raw []byte, ready bool) {
		c := child{out: bufio.NewReader(bytes.NewReader(raw))}
		a, err := c.answer(ready)
		if err != nil {
			if !reflect.DeepEqual(a, answer{}) {
				t.Errorf("an answer beside the error %v: %+v", err, a)
			}
			return
		}
		for _, text := range append(append(a.File.Blocks, a.File.Links...), a.File.Title, a.File.NoText) {
			if !utf8.ValidString(text) {
				t.Errorf("no text: %q", text)
			}
		}
	})
}

// FuzzRequest is what a child makes of any bytes of its parent, before PDFium sees
// them.
func FuzzRequest(f *testing.F) {
	var b bytes.Buffer
	_ = writeFrame(&b, []byte("%PDF-"))
	f.Add(b.Bytes())
	f.Add(bytes.Repeat([]byte{0xff}, headerSize))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if size, err := readSize(bytes.NewReader(raw), maxMemory); err == nil && (size < 0 || size > maxMemory) {
			t.Errorf("%d bytes", size)
		}
	})
}
