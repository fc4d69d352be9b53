package extract

import (
	"net/url"
	"path"
	"strings"

	"sitesync/internal/weburl"
)

// segments returns the parts of a URL's path that are not empty, decoded.
func segments(address string) []string {
	var parts []string
	for part := range strings.SplitSeq(weburl.Path(address), "/") {
		if part == "" {
			continue
		}
		if decoded, err := url.PathUnescape(part); err == nil {
			part = decoded
		}
		parts = append(parts, part)
	}
	return parts
}

// nameOf makes a readable name of the last part of a URL's path: of a file,
// without its extension. It is empty where the path holds no letter or digit.
func nameOf(address string) string {
	parts := segments(address)
	if len(parts) == 0 {
		return ""
	}
	last := parts[len(parts)-1]
	if ext := path.Ext(last); len(ext) > 1 && len(ext) <= 6 && hasLetter(ext) {
		last = strings.TrimSuffix(last, ext)
	}
	return clip(titled(last), maxTitle)
}
