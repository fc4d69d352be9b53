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

// WriteFile writes a file that appears under its name only when it is whole and on disk;
// what was there is replaced. On an error that stays as it was.
func WriteFile(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	out, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(out.Name()) // the first error is the one to tell
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

// Beside makes an empty file in the folder of path, under a name that nothing has: what is
// written there gets the name path by Replace.
func Beside(path string) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}

// Replace gives the file with, which is on disk, the name path, whatever has that
// name. A kill or a power cut leaves one of the two there, whole.
func Replace(path, with string) error {
	if err := os.Rename(with, path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // some systems can't: there the name may be late
		dir.Close()
	}
	return nil
}

// decoder reads what Encode wrote, whatever it is: its size is bounded by who keeps the
// bytes, and text is whatever a page made of it. A count in the bytes is believed only as
// far as there are bytes for it.
var decoder, _ = cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, UTF8: cbor.UTF8DecodeInvalid}.DecMode()

// Encode returns the CBOR form of a value of ours (RFC 8949), of which every kind has one.
func Encode(v any) []byte {
	raw, err := cbor.Marshal(v)
	if err != nil {
		panic(err) // a channel or a function in it: a mistake of ours
	}
	return raw
}

// Decode reads what Encode wrote into v. It errs where raw is not one whole value of that
// kind.
func Decode(raw []byte, v any) error { return decoder.Unmarshal(raw, v) }

// DecodeFirst is Decode of the value that raw begins with; it returns what stands behind.
func DecodeFirst(raw []byte, v any) (rest []byte, err error) { return decoder.UnmarshalFirst(raw, v) }
