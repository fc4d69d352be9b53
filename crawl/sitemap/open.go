package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// bufferSize is large enough that nearly every tag and text lies in it whole.
const bufferSize = 64 << 10

// open returns a reader of the text of r as UTF-8: unpacked when it
// begins like a gzip file, whatever its name says, without byte order mark, and
// failing past MaxBytes.
func open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, bufferSize)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1F, 0x8B}) {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, breakAt(0, err)
		}
		in = bufio.NewReaderSize(unpacked, bufferSize)
	}
	limited := &limit{in: in, left: MaxBytes}
	mark, _ := in.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte{0xFE, 0xFF}), bytes.HasPrefix(mark, []byte{0xFF, 0xFE}):
		decoder := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
		return bufio.NewReaderSize(transform.NewReader(limited, decoder), bufferSize), nil
	case bytes.Equal(mark, []byte("\uFEFF")):
		_, _ = in.Discard(3) // peeked: it is there
	}
	return bufio.NewReaderSize(limited, bufferSize), nil
}

var errSize = errors.New("it is over 50 MiB; split the file")

// limit fails, rather than ends, when there is more than it may read.
type limit struct {
	in   *bufio.Reader
	left int
}

func (l *limit) Read(p []byte) (int, error) {
	if l.left == 0 {
		if _, err := l.in.Peek(1); err != nil {
			return 0, err
		}
		return 0, errSize
	}
	n, err := l.in.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
