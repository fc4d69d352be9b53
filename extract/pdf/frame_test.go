package pdf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
)

// SHA-256 of the module as it is compiled, and as it is embedded. See README.md for how to
// bring both up to date.
const (
	moduleSum = "5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa"
	packedSum = "40fa66e084e5d3c47ddb2fe731c3a35159a4b63bae708c1c87ddd83f83bc71d7"
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

// FuzzAnswer is what a parent makes of any bytes a child sends.
func FuzzAnswer(f *testing.F) {
	for _, a := range []answer{{File: document.File{Blocks: []string{"text"}, Created: date("D:2026")}}, {Ready: true}, {Verdict: "x"}, {Broken: "y"}} {
		raw, err := cbor.Marshal(a)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, a.Ready)
	}
	f.Fuzz(func(t *testing.T, raw []byte, ready bool) {
		c := newProcess(bytes.NewReader(raw))
		c.ready = !ready
		a, err := c.answer()
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
