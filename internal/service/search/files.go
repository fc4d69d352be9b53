package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// checkFiles errs unless the index in a folder is of this version and each segment has
// the checksum at its end: the engine trusts its files, and maps them into memory.
func checkFiles(dir string) error {
	have, err := os.ReadFile(filepath.Join(dir, versionFile))
	if err != nil {
		return err
	}
	if string(have) != version {
		return fmt.Errorf("its version is %q, not %q", have, version)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "store", "*.zap"))
	if err != nil {
		return err
	}
	for _, path := range segments {
		if err := checkSegment(path); err != nil {
			return fmt.Errorf("segment %s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

func checkSegment(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	sum, want := crc32.NewIEEE(), make([]byte, 4)
	if _, err := io.CopyN(sum, file, max(0, info.Size()-4)); err != nil {
		return err
	}
	if _, err := io.ReadFull(file, want); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want) != sum.Sum32() {
		return errors.New("its checksum is wrong")
	}
	return nil
}
