package crawl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
)

var (
	errSitemapHTML  = errors.New("it is an HTML page, not a sitemap")
	errSitemapOther = errors.New("it is neither XML nor a list of addresses")
)

// readTextSitemap reads one address a line. Blank lines and comments are
// passed over.
func readTextSitemap(in *bufio.Reader, offset int64, sink *sitemapSink) (SitemapKind, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxSitemapText)
	begin := offset // of the line at hand
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		begin = offset
		advance, line, err := splitLine(data, atEOF)
		offset += int64(advance)
		return advance, line, err
	})
	kind := SitemapKind("")
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		switch {
		case len(line) == 0 || line[0] == '#':
		case isWebAddress(line):
			kind = SitemapText
			if err := sink.put(SitemapEntry{Loc: string(line)}, begin); err != nil {
				return kind, sink.end(err)
			}
		case kind == "":
			return "", errSitemapOther
		default:
			sink.note(begin, fmt.Sprintf("%q is no address", clip(string(line), 40)))
		}
	}
	switch err := lines.Err(); {
	case kind == "":
		return "", errSitemapOther
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
