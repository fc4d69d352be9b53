package push

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

const (
	maxText   = 2 << 10 // bytes of a text in a row that are held
	rawFactor = 64      // how many times as much of an answer is read as is held
)

// longText stands for a text of an answer that is too long to matter: no ID and no
// reason is as long. It is not empty, since a message says something by being there.
const longText = `"[long text]"`

// readShort reads a JSON text and returns it with longText in place of each string of
// more than most bytes: rows repeat whole documents, whose texts nobody reads. The
// result is valid JSON exactly where all that was read is. It ends after limit bytes,
// and then is no whole JSON text.
func readShort(from io.Reader, limit int64, most int) (body []byte, err error) {
	in := bufio.NewReaderSize(from, 32<<10)
	start, open, long := 0, false, false // where the last string begins, whether it goes on, and whether a part of it was taken out
	escaped, digits := false, 0          // the next byte is escaped; so many digits of \uXXXX are to come
	for int64(len(body)) < limit {
		piece, err := next(in, int(limit)-len(body), escaped || digits > 0)
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return body, err
		}
		body = append(body, piece...)
		b := piece[len(piece)-1]
		switch {
		case !open:
			start, open = len(body)-1, b == '"'
			continue
		case escaped:
			escaped = false
			if b == 'u' {
				digits = 4
			}
		case digits > 0:
			digits--
		case b == '\\':
			escaped = true
		case b == '"':
			open = false
		}
		if full := len(body)-start > most; escaped || digits > 0 || !full && (open || !long) {
			continue
		}
		part := body[start:]
		if open {
			part = append(part, '"')
		}
		if !json.Valid(part) { // so is the whole, and stays so
			open, long, most = false, false, int(limit)
			continue
		}
		if long = open; open {
			body = body[:start+1]
		} else {
			body = append(body[:start], longText...)
		}
	}
	return body, nil
}

// next reads some bytes, as far as the next quote or backslash, or only one.
func next(in *bufio.Reader, most int, one bool) ([]byte, error) {
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	piece, _ := in.Peek(min(in.Buffered(), most))
	if one {
		piece = piece[:1]
	} else if n := bytes.IndexAny(piece, `"\`); n >= 0 {
		piece = piece[:n+1]
	}
	_, _ = in.Discard(len(piece)) // they are there, and stay valid until the next read
	return piece, nil
}
