package testsite

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"

	"github.com/klauspost/compress/flate"
)

// piece is a run of bytes in two forms: plain, and as deflate blocks that end on
// a byte boundary and refer to nothing before them, so that pieces can be joined
// in any order without being compressed again. To inflate a page made of them
// costs what it costs for a page compressed whole at level 1.
type piece struct{ plain, packed []byte }

// pack compresses once what is sent many times.
func pack(w *flate.Writer, plain []byte) piece {
	var buf bytes.Buffer
	packInto(&buf, w, plain)
	return piece{plain, buf.Bytes()}
}

// newPacker returns a writer for pack.
func newPacker(level int) *flate.Writer {
	w, err := flate.NewWriter(nil, level)
	if err != nil {
		panic(err) // only a level that does not exist can be refused
	}
	return w
}

// packInto compresses with a writer that was used before.
func packInto(buf *bytes.Buffer, w *flate.Writer, plain []byte) {
	w.Reset(buf)
	_, _ = w.Write(plain) // a bytes.Buffer takes all
	_ = w.Flush()         // not Close: that would end the stream
}

// writeGzip joins pieces to one gzip member (RFC 1952).
func writeGzip(w io.Writer, pieces iter.Seq[piece]) error {
	if _, err := w.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}); err != nil {
		return err
	}
	var sum, size uint32
	for p := range pieces {
		if _, err := w.Write(p.packed); err != nil {
			return err
		}
		sum = crc32.Update(sum, crc32.IEEETable, p.plain)
		size += uint32(len(p.plain)) // modulo 2^32, as the format wants it
	}
	end := []byte{3, 0} // an empty last block
	end = binary.LittleEndian.AppendUint32(end, sum)
	end = binary.LittleEndian.AppendUint32(end, size)
	_, err := w.Write(end)
	return err
}
