package document

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Media types with special handling. formats.txt lists all known types.
const (
	MediaHTML  = "text/html"
	MediaXHTML = "application/xhtml+xml"
	MediaPDF   = "application/pdf"
	MediaDOCX  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	MediaText  = "text/plain"
)

type format struct {
	role  string // "page", "file", "left" (not read), "asset" or "vague" (a type that says little)
	media string
	ext   string
}

//go:embed formats.txt
var formatTable string

var formats = parseFormats(formatTable)

func parseFormats(table string) map[string]format {
	known, row := map[string]format{}, format{}
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "#" {
			continue
		}
		if words[0] != "same" {
			row = format{words[0], words[1], words[min(2, len(words)-1)]}
		}
		for _, word := range words[1:] {
			known[word] = row
		}
	}
	return known
}

// named returns the format that belongs to the extension of a URL path or file name. It is zero for text
// files that only programs read, such as robots.txt and files in .well-known/ (RFC 8615, RFC 9116, RFC 9309).
func named(name string) format {
	is := formats[strings.ToLower(path.Ext(name))]
	if is.media != MediaText {
		return is
	}
	name = strings.ToLower(strings.TrimPrefix(name, "/"))
	switch name {
	case "robots.txt", "llms.txt", "llms-full.txt", "humans.txt", "security.txt", "ads.txt", "app-ads.txt",
		"sitemap.txt":
		return format{}
	}
	if strings.HasPrefix(name, ".well-known/") {
		return format{}
	}
	return is
}

// NameMedia returns the media type that the extension of a URL path or file name suggests; empty if unknown.
func NameMedia(name string) string { return named(name).media }

// FileMedia returns the same as NameMedia if files of this type make documents, otherwise an empty string.
func FileMedia(name string) string {
	if is := named(name); is.role == "file" {
		return is.media
	}
	return ""
}

// IsAsset reports whether a file name has the extension of an image, a style sheet or the like.
func IsAsset(name string) bool { return named(name).role == "asset" }

// IsHTML reports whether a media type is HTML or XHTML.
func IsHTML(media string) bool { return formats[media].role == "page" }

// IsFile reports whether files of a media type make documents. For text/plain, MediaOf also checks the name.
func IsFile(media string) bool { return formats[media].role == "file" }

// WhyNoDocument returns the reason, for people, why a body of this media type makes no document.
func WhyNoDocument(media string) string {
	if is := formats[media]; is.role == "left" {
		return fmt.Sprintf("%s files (%s) are not read; save them as PDF or in today's format", is.ext, media)
	}
	return fmt.Sprintf("media type %q is neither HTML, PDF, an office file nor a .txt file", media)
}

// MediaOf returns the media type by which a body is read, and whether the body is a file that makes a
// document. head is the first KiB of the body. As in browsers (WHATWG MIME Sniffing, section 7), the
// Content-Type decides. If it is missing or says little, as application/octet-stream does, the name in
// Content-Disposition decides, or else urlPath. If neither has a known extension and there is no
// Content-Type, head decides. If head is empty, media may be empty, and text/plain may be wrong.
func MediaOf(header http.Header, urlPath string, head []byte) (media string, isFile bool) {
	media, _ = ContentType(header)
	is, name := formats[media], cmp.Or(named(FileName(header)), named(urlPath))
	switch seen := sniffed(header, head); media {
	case "", "unknown/unknown", "application/unknown":
		media, is = "", name
		if name.role == "" && len(head) > 0 {
			media, is = seen, formats[seen]
		}
	case MediaText:
		if formats[seen].media == MediaPDF || formats[seen].role == "vague" {
			is = formats[seen]
		}
	}
	if is.role == "vague" || is.role == "left" {
		is = cmp.Or(name, is)
	}
	return cmp.Or(is.media, media), is.role == "file" && (is.media != MediaText || name.media == MediaText)
}

// sniffed works like http.DetectContentType, but also recognises XHTML. It returns plain text for HTML if the
// server sends "X-Content-Type-Options: nosniff".
func sniffed(header http.Header, head []byte) string {
	media, _, _ := strings.Cut(http.DetectContentType(head), ";")
	isPage := media == MediaHTML || media == "text/xml" && bytes.Contains(head, []byte("http://www.w3.org/1999/xhtml"))
	switch {
	case isPage && strings.EqualFold(header.Get("X-Content-Type-Options"), "nosniff"):
		return MediaText
	case isPage && media != MediaHTML:
		return MediaXHTML
	}
	return media
}

var (
	partPattern  = regexp.MustCompile(`(?:"(?:\\.|[^"\\])*"?|[^",])+`)
	mediaPattern = regexp.MustCompile("^[-\\w!#$%&'*+.^`|~]+/[-\\w!#$%&'*+.^`|~]+$")
	namePattern  = regexp.MustCompile(`(?i)([-\w*]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"?|([^;]*))`)
)

// ContentType returns the media type in lower case and its parameters. Both may be empty. If the header has
// several values, the last well-formed one wins, as in browsers (WHATWG Fetch, "extract a MIME type"). But a
// value without a charset does not replace an earlier value of the same media type.
func ContentType(header http.Header) (media, parameters string) {
	for _, part := range partPattern.FindAllString(strings.Join(header.Values("Content-Type"), ","), -1) {
		name, rest, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		counts := name != media || strings.Contains(strings.ToLower(rest), "charset")
		if counts && name != "*/*" && mediaPattern.MatchString(name) {
			media, parameters = name, rest
		}
	}
	return media, parameters
}

// FileName returns the file name in the Content-Disposition header without folders, or "" if the header names
// no file. filename* (RFC 6266, section 4.3) wins over filename. Servers encode the name as percent escapes,
// encoded words (RFC 2047), raw UTF-8 or Latin-1. All are decoded.
func FileName(header http.Header) string {
	var name, extended string
	for _, m := range namePattern.FindAllStringSubmatch(header.Get("Content-Disposition"), -1) {
		switch value := strings.TrimSpace(m[2] + m[3]); strings.ToLower(m[1]) {
		case "filename":
			name = cmp.Or(name, strings.ReplaceAll(value, `\"`, `"`))
		case "filename*":
			if parts := strings.SplitN(value, "'", 3); len(parts) == 3 {
				extended = cmp.Or(extended, parts[2])
			}
		}
	}
	name = cmp.Or(extended, name)
	if decoded, err := new(mime.WordDecoder).DecodeHeader(name); err == nil {
		name = decoded
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if !utf8.ValidString(name) {
		name, _ = charmap.Windows1252.NewDecoder().String(name)
	}
	return strings.TrimSpace(name[strings.LastIndexAny(name, `/\`)+1:])
}
