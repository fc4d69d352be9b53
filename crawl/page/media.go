package page

import (
	"errors"
	"mime"
	"path"
	"strings"

	"sitesync/internal/document"
)

// MediaHTML is the media type of a page.
const MediaHTML = "text/html"

// IsHTML reports whether a media type is that of a page.
func IsHTML(media string) bool { return media == MediaHTML || media == "application/xhtml+xml" }

// MediaType returns the media type that a Content-Type names; where it names none,
// a mere octet stream, or what servers say that are older than today's formats, the
// path's extension decides.
func MediaType(contentType, urlPath string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	switch media {
	case "", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download",
		"application/zip", "application/x-zip-compressed", "application/msword", "application/vnd.ms-powerpoint", "application/vnd.ms-excel":
		if byName := mediaOf(urlPath); byName != "" {
			return byName
		}
		if media == "" {
			return MediaHTML
		}
	case "application/x-pdf":
		return document.MediaPDF
	}
	return media
}

func mediaOf(urlPath string) string {
	switch strings.ToLower(path.Ext(urlPath)) {
	case ".html", ".htm", ".xhtml":
		return MediaHTML
	}
	return document.FileMedia(urlPath)
}
