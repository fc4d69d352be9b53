package pdf

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// cacheFolder returns the folder for PDFium's compiled code: the one that the
// owner names, else the user's cache, else the fallback, else "". What lies there
// is run, so a folder counts only when it is ours alone. The complaint says why
// the named one is not used.
func cacheFolder(named, fallback string) (folder, complaint string) {
	if named != "" {
		err := claim(named)
		if err == nil {
			return named, ""
		}
		complaint = fmt.Sprintf("extract.cache: %v; not used", err)
	}
	for _, dir := range []string{userCache(), fallback} {
		if dir != "" && claim(dir) == nil {
			return dir, complaint
		}
	}
	return "", complaint
}

// userCache returns the program's own part of the user's cache, or "" where the
// user has none and no home to make it in.
func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return ""
	}
	return filepath.Join(dir, "sitesync")
}

// forget removes the compiled code in a folder, which a power cut may have damaged,
// and reports whether there was any.
func forget(dir string) bool {
	kept, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	for _, name := range kept {
		err = errors.Join(err, os.Remove(name))
	}
	return err == nil && len(kept) > 0
}

// claim makes a folder where there is none, and errs where it is not ours alone.
func claim(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder, but a file or a link to one", dir)
	}
	return isOurs(dir, info)
}
