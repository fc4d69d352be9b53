//go:build ignore

// Update fetches the package of asset.go with npm, and writes its module,
// compressed, and its licences beside it. See README.md.
//
//	go run update.go [VERSION]
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

const name = "@embedpdf/pdfium"

func main() {
	log.SetFlags(0)
	version := "2.15.1"
	if len(os.Args) > 1 {
		version = os.Args[1]
	}
	if err := update(version); err != nil {
		log.Fatal(err)
	}
}

func update(version string) error {
	dir, err := os.MkdirTemp("", "pdfium")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	pack := exec.Command("npm", "pack", name+"@"+version)
	pack.Dir, pack.Stderr = dir, os.Stderr
	if err := pack.Run(); err != nil {
		return fmt.Errorf("fetch %s %s: %w", name, version, err)
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("find the archive in %s: %d files, %w", dir, len(archives), err)
	}
	if err := exec.Command("tar", "-xzf", archives[0], "-C", dir).Run(); err != nil {
		return fmt.Errorf("unpack %s: %w", archives[0], err)
	}
	module, err := os.ReadFile(filepath.Join(dir, "package", "dist", "pdfium.wasm"))
	if err != nil {
		return err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	packed := enc.EncodeAll(module, nil)
	fmt.Printf("Version      = %q\nmoduleSum = \"%x\"\npackedSum = \"%x\"\n", version, sha256.Sum256(module), sha256.Sum256(packed))
	for _, licence := range []string{"LICENSE", "LICENSE.pdfium"} {
		text, err := os.ReadFile(filepath.Join(dir, "package", licence))
		if err == nil {
			err = os.WriteFile(licence, text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile("pdfium.wasm.zst", packed, 0o644)
}
