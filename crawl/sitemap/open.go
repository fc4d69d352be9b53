package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// bufferSize is large enough that nearly every tag and text lies in it whole.
const bufferSize = 64 << 10

// open returns a reader of the text of r as UTF-8: unpacked when it begins like a
// gzip file, whatever its name says, without byte order mark, and failing past
// MaxBytes.
func open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, bufferSize)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1F, 0x8B}) {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%w at byte 0: %w", ErrBreaksOff, err)
		}
		in = bufio.NewReaderSize(unpacked, bufferSize)
	}
	limited := &limit{in: in, left: MaxBytes}
	return bufio.NewReaderSize(transform.NewReader(limited, unicode.BOMOverride(transform.Nop)), bufferSize), nil
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
