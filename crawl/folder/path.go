package folder

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// comparablePath returns a percent-encoded path in one form (RFC 3986, section
// 6.2.2): unreserved characters plain, other encodings in upper case, and what
// a path can't hold encoded, a percent sign alone too. "%2F" stays distinct from "/".
func comparablePath(escaped string) string {
	var b strings.Builder
	for i := 0; i < len(escaped); i++ {
		c := escaped[i]
		if octet, ok := escapedOctet(escaped[i:]); ok {
			i += 2
			if isUnreserved(octet) {
				b.WriteByte(octet)
			} else {
				fmt.Fprintf(&b, "%%%02X", octet)
			}
		} else if isUnreserved(c) || strings.IndexByte("/!$&'()*+,;=:@", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// escapedOctet returns the octet whose percent-encoding s begins with.
func escapedOctet(s string) (octet byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	decoded, err := url.PathUnescape(s[:3])
	if err != nil {
		return 0, false
	}
	return decoded[0], true
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// fileName returns the file name, relative and in the system's form, that a
// percent-encoded path stands for: decoded once, segment by segment. It is not
// ok for paths that no file can have, among them the two files of rules.
func fileName(escaped string) (name string, ok bool) {
	if strings.HasSuffix(escaped, "/") {
		escaped += "index.html"
	}
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	for i, segment := range segments {
		decoded, err := url.PathUnescape(segment)
		if err != nil || decoded == "" || decoded == "." || decoded == ".." || strings.ContainsAny(decoded, "/\x00") {
			return "", false
		}
		segments[i] = decoded
	}
	name = path.Join(segments...)
	if name == redirectsFile || name == headersFile {
		return "", false
	}
	name, err := filepath.Localize(name)
	return name, err == nil
}

// pathURL returns the canonical form of a file's path: what the URL standard
// percent-encodes in paths, and what would mean something else there.
func pathURL(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"#%<>?\\^`{}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
