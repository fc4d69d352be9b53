package sitemap

import (
	"bufio"
	"bytes"
)

// markupScanner cuts XML into text and tags, without checking more of it than
// it needs. What it returns is valid until the next call.
type markupScanner struct {
	in     *bufio.Reader
	offset int64 // bytes read so far
	kept   []byte
}

// upTo returns what stands before end; whole is false when that is more than
// maxText bytes and only its beginning and last few bytes are returned.
func (s *markupScanner) upTo(end string) (data []byte, whole bool, err error) {
	chunk, err := s.in.ReadSlice(end[len(end)-1])
	s.offset += int64(len(chunk))
	if err == nil && len(chunk) <= maxText && (len(end) == 1 || bytes.HasSuffix(chunk, []byte(end))) {
		return chunk[:len(chunk)-len(end)], true, nil // nearly always
	}
	s.kept, whole = s.kept[:0], true
	for {
		s.kept = append(s.kept, chunk...)
		if over := len(s.kept) - len("-->"); over > maxText {
			whole = false
			s.kept = append(s.kept[:maxText], s.kept[over:]...)
		}
		if bytes.HasSuffix(s.kept, []byte(end)) {
			return s.kept[:len(s.kept)-len(end)], whole, nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return s.kept, whole, err
		}
		chunk, err = s.in.ReadSlice(end[len(end)-1])
		s.offset += int64(len(chunk))
	}
}

// tag returns what stands between "<" and ">", quotes heeded. Comments and
// instructions come back empty, a CDATA section as text.
func (s *markupScanner) tag() (tag, text []byte, whole bool, err error) {
	data, whole, err := s.upTo(">")
	if err != nil {
		return nil, nil, false, err
	}
	switch {
	case len(data) == 0 || data[0] != '!' && data[0] != '?':
		if len(data) == 0 || data[0] == '/' || openQuote(data, 0) == 0 {
			return data, nil, whole, nil
		}
		tag, err = s.quotedTag(data)
		return tag, nil, whole, err
	case bytes.HasPrefix(data, []byte("![CDATA[")):
		text, all, err := s.through(data, len("![CDATA["), "]]")
		return nil, text, whole && all, err
	case bytes.HasPrefix(data, []byte("!--")):
		_, _, err = s.through(data, len("!--"), "--")
	case data[0] == '?':
		_, _, err = s.through(data, 1, "?")
	case bytes.IndexByte(data, '[') >= 0: // a DOCTYPE with declarations, none of which is heeded
		_, _, err = s.through(data, bytes.IndexByte(data, '[')+1, "]")
	}
	return nil, nil, true, err
}

// through returns what stands between data[from:], which ended at a ">", and
// the first end that is followed by ">".
func (s *markupScanner) through(data []byte, from int, end string) (text []byte, whole bool, err error) {
	data = data[from:]
	if bytes.HasSuffix(data, []byte(end)) {
		return data[:len(data)-len(end)], true, nil
	}
	head := append(bytes.Clone(data), '>')
	rest, whole, err := s.upTo(end + ">")
	return append(head, rest...), whole, err
}

// quotedTag goes on reading a tag that has a ">" inside a quoted value. Of a
// tag longer than maxText the head is returned.
func (s *markupScanner) quotedTag(data []byte) ([]byte, error) {
	tag := bytes.Clone(data)
	for quote := openQuote(tag, 0); quote != 0; {
		more, _, err := s.upTo(">")
		if err != nil {
			return nil, err
		}
		quote = openQuote(more, quote)
		if len(tag)+len(more) <= maxText {
			tag = append(append(tag, '>'), more...)
		}
	}
	return tag, nil
}

// openQuote returns the quotation mark that is open at the end of b when quote
// was open at its beginning; 0 for none.
func openQuote(b []byte, quote byte) byte {
	for _, c := range b {
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote
}
