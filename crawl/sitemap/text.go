package sitemap

import (
	"bufio"
	"bytes"
)

// readText reads one address a line. It skips blank lines and comments.
func (s *sink) readText(in *bufio.Reader) (kind Kind, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxText)
	begin := s.offset // of the line at hand
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		begin = s.offset
		advance, line := splitLine(data, atEOF)
		s.offset += int64(advance)
		return advance, line, nil
	})
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		switch {
		case len(line) == 0 || line[0] == '#':
		case isWebAddress(line):
			kind = kindText
			if err := s.put(Entry{Loc: string(line)}); err != nil {
				return kind, s.result(err)
			}
		case kind == "":
			return "", errOther
		default:
			s.note(begin, "%.40q is no address", line)
		}
	}
	if kind == "" {
		return "", errOther
	}
	if err = lines.Err(); err != nil {
		err = s.breakOff(err)
	}
	return kind, s.result(err)
}

// splitLine splits at LF, CR or both.
func splitLine(data []byte, atEOF bool) (advance int, line []byte) {
	if end := bytes.IndexAny(data, "\r\n"); end >= 0 {
		return end + 1, data[:end]
	}
	if atEOF && len(data) > 0 {
		return len(data), data
	}
	return 0, nil
}

func isWebAddress(line []byte) bool {
	scheme, _, found := bytes.Cut(bytes.ToLower(line[:min(len(line), len("https://"))]), []byte("://"))
	return found && (string(scheme) == "http" || string(scheme) == "https")
}
