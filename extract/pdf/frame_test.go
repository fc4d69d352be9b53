package pdf

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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
	if err := writeValue(&b, kindFile, want); err != nil {
		t.Fatal(err)
	}
	c := child{out: bufio.NewReader(&b)}
	if got, err := c.answer(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := writeFrame(&b, kindVerdict, make([]byte, 5000)); err == nil || b.Len() != 0 {
		t.Error("more was written than is read")
	}
}

// FuzzAnswer is what a parent makes of any bytes a child sends.
func FuzzAnswer(f *testing.F) {
	for _, v := range []any{document.File{Blocks: []string{"text"}, Created: date("D:2026")}, readiness{Fault: "x"}} {
		for _, k := range []kind{kindFile, kindReady, kindVerdict, kindBroken} {
			var b bytes.Buffer
			if err := writeValue(&b, k, v); err != nil {
				f.Fatal(err)
			}
			f.Add(b.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := child{out: bufio.NewReader(bytes.NewReader(raw))}
		file, err := c.answer()
		if err != nil {
			if !reflect.DeepEqual(file, document.File{}) {
				t.Errorf("a file beside the error %v: %+v", err, file)
			}
			return
		}
		for _, text := range append(append(file.Blocks, file.Links...), file.Title, file.NoText) {
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
	_ = writeValue(&b, kindSettings, settings{Cache: "/c", Limit: 1})
	_ = writeFrame(&b, kindPDF, []byte("%PDF-"))
	f.Add(b.Bytes())
	b.Truncate(b.Len() - headerSize - len("%PDF-"))
	f.Add(append(b.Bytes(), protocol, ';', 0, 0, 0, 0)) // no such kind
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := bytes.NewReader(raw)
		var s settings
		if readValue(in, kindSettings, &s) != nil {
			return
		}
		if k, size, err := readHeader(in); err == nil && (k.limit() == 0 || size > maxMemory) {
			t.Errorf("kind %q with %d bytes", byte(k), size)
		}
	})
}
