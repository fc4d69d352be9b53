package document

import (
	"path"
	"strings"
)

// The media types of files that make documents.
const (
	MediaPDF  = "application/pdf"
	MediaDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	MediaPPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	MediaXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	MediaODT  = "application/vnd.oasis.opendocument.text"
	MediaODP  = "application/vnd.oasis.opendocument.presentation"
	MediaODS  = "application/vnd.oasis.opendocument.spreadsheet"
	MediaText = "text/plain"
)

// FileMedia returns the media type of the files whose URL path, file name or
// extension (with its dot) ends so; empty where such files make no document. What
// is written for programs, such as robots.txt, is none.
func FileMedia(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".pdf":
		return MediaPDF
	case ".docx":
		return MediaDOCX
	case ".pptx":
		return MediaPPTX
	case ".xlsx":
		return MediaXLSX
	case ".odt":
		return MediaODT
	case ".odp":
		return MediaODP
	case ".ods":
		return MediaODS
	case ".txt":
		if !forPrograms(name) {
			return MediaText
		}
	}
	return ""
}

// forPrograms reports whether a path names one of the files that programs look for
// at a fixed place (RFC 8615, RFC 9116, RFC 9309 and habit).
func forPrograms(path string) bool {
	path = strings.ToLower(strings.TrimPrefix(path, "/"))
	switch path {
	case "robots.txt", "llms.txt", "llms-full.txt", "humans.txt", "security.txt", "ads.txt", "app-ads.txt", "sitemap.txt":
		return true
	}
	return strings.HasPrefix(path, ".well-known/")
}

// IsFile reports whether a URL path answered with that media type is a file that
// makes a document. Many things are served as plain text; only .txt is such a file.
func IsFile(media, path string) bool {
	switch media {
	case MediaPDF, MediaDOCX, MediaPPTX, MediaXLSX, MediaODT, MediaODP, MediaODS:
		return true
	case MediaText:
		return FileMedia(path) == MediaText
	}
	return false
}
