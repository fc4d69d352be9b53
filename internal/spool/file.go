package spool

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/fxamacker/cbor/v2"
)

// WriteFile creates or replaces the file at path with the output of write. It first writes and syncs a
// temporary file, then renames it to path. On an error, a file that was at path stays unchanged.
func WriteFile(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	out, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
	err = write(out)
	if err == nil {
		err = errors.Join(out.Chmod(mode), out.Sync())
	}
	err = errors.Join(err, out.Close())
	if err != nil {
		return err
	}
	return Replace(path, out.Name())
}

// Beside creates an empty file with a new name in the folder of path. The caller fills it and calls Replace.
func Beside(path string) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

// Replace renames the file source to path. The caller must have synced source to disk. After a kill or a
// power loss, path is either the complete old file or the complete new file.
func Replace(path, source string) error {
	if err := os.Rename(source, path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // some systems can't sync folders
		dir.Close()
	}
	return nil
}

// decoder decodes every value that Encode accepts: values of any size, and strings that are not valid UTF-8.
var decoder, _ = cbor.DecOptions{
	MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, UTF8: cbor.UTF8DecodeInvalid,
}.DecMode()

// Encode returns v in CBOR (RFC 8949). It panics if v holds a channel or a function.
func Encode(v any) []byte {
	raw, err := cbor.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// Decode decodes the result of Encode into v. It errs if raw is not exactly one value of v's type.
func Decode(raw []byte, v any) error { return decoder.Unmarshal(raw, v) }

// DecodeFirst decodes the value at the start of raw into v, and returns the remaining bytes.
func DecodeFirst(raw []byte, v any) (rest []byte, err error) { return decoder.UnmarshalFirst(raw, v) }
