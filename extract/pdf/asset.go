package pdf

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Version is that of the package @embedpdf/pdfium which the module comes from.
const Version = "2.15.1"

// SHA-256 of the module as it is compiled, and as it is embedded. See README.md
// for how to bring both up to date.
const (
	moduleSum = "5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa"
	packedSum = "40fa66e084e5d3c47ddb2fe731c3a35159a4b63bae708c1c87ddd83f83bc71d7"
)

// maxModule bounds what the embedded bytes may unpack to.
const maxModule = 32 << 20

//go:embed pdfium.wasm.zst
var packed []byte

// module returns PDFium as WebAssembly.
func module() ([]byte, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxModule))
	if err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	defer dec.Close()
	wasm, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack PDFium: %w", err)
	}
	if sum := sha256.Sum256(wasm); hex.EncodeToString(sum[:]) != moduleSum {
		return nil, errors.New("unpack PDFium: it is not the module that this program was built for")
	}
	return wasm, nil
}
