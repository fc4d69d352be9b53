package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
)

var (
	errHTML  = errors.New("it is an HTML page, not a sitemap")
	errOther = errors.New("it is neither XML nor a list of addresses")
)

// readText reads one address a line. Blank lines and comments are
// passed over.
func readText(in *bufio.Reader, offset int64, sink *sink) (Kind, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxText)
	begin := offset // of the line at hand
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		begin = offset
		advance, line, err := splitLine(data, atEOF)
		offset += int64(advance)
		return advance, line, err
	})
	kind := Kind("")
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		switch {
		case len(line) == 0 || line[0] == '#':
		case isWebAddress(line):
			kind = kindText
			if err := sink.put(Entry{Loc: string(line)}, begin); err != nil {
				return kind, sink.end(err)
			}
		case kind == "":
			return "", errOther
		default:
			sink.note(begin, fmt.Sprintf("%.40q is no address", line))
		}
	}
	switch err := lines.Err(); {
	case kind == "":
		return "", errOther
	case err != nil:
		return kind, sink.end(breakAt(offset, err))
	}
	return kind, sink.end(nil)
}

// splitLine splits at LF, CR or both.
func splitLine(data []byte, atEOF bool) (advance int, line []byte, _ error) { //nolint:unparam // a bufio.SplitFunc
	if end := bytes.IndexAny(data, "\r\n"); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

func isWebAddress(line []byte) bool {
	scheme, _, found := bytes.Cut(line, []byte("://"))
	return found && (bytes.EqualFold(scheme, []byte("http")) || bytes.EqualFold(scheme, []byte("https")))
}
