package extract

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"sitesync/extract/office"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Why a body of a supported type makes no document.
var (
	// ErrEmpty: the HTML holds no element and no text.
	ErrEmpty = errors.New("the HTML is empty: it holds no element and no text")
	// ErrBinary: the body is labelled HTML and is something else.
	ErrBinary = errors.New("the body is labelled HTML but is binary data; correct its Content-Type")
	// ErrMislabelled: the body is labelled as a file and does not begin as one.
	ErrMislabelled = errors.New("the body does not begin as its media type says; correct its Content-Type")
)

// UnsupportedError says that a media type makes no document.
type UnsupportedError struct {
	Media string // as the server named it; empty when it named none
}

// Error names the media type.
func (e *UnsupportedError) Error() string {
	if e.Media == "" {
		return "the server names no media type, and the address does not end as a file's: .pdf, .docx, .txt and the like"
	}
	return fmt.Sprintf("media type %q is neither HTML, PDF, an office file nor a .txt file", e.Media)
}

type kind int

const (
	kindNone kind = iota
	kindHTML
	kindPDF
	kindOffice
	kindText
)

// kindOf believes the Content-Type, and the extension where the type says
// nothing.
func kindOf(p *document.Page) kind {
	path := weburl.Path(p.URL)
	switch p.Media {
	case "text/html", "application/xhtml+xml":
		return kindHTML
	case "application/x-pdf":
		return kindPDF
	case "", "application/octet-stream", "binary/octet-stream", "application/force-download", "application/x-download":
		k := kindOfFile(document.FileMedia(path), path)
		if k == kindNone && p.Media == "" && p.Root != nil {
			return kindHTML // crawl took it for HTML
		}
		return k
	}
	return kindOfFile(p.Media, path)
}

func kindOfFile(media, path string) kind {
	switch {
	case !document.IsFile(media, path):
		return kindNone
	case media == document.MediaPDF:
		return kindPDF
	case media == document.MediaText:
		return kindText
	}
	return kindOffice
}

// begins reports whether a file starts with the mark of its kind. A PDF's may
// come within the first KiB, as readers accept it; text has none.
func begins(body []byte, k kind) bool {
	switch k {
	case kindPDF:
		return bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-"))
	case kindOffice:
		return bytes.HasPrefix(body, []byte("PK\x03\x04")) || office.IsCompound(body)
	}
	return true
}

// looksBinary asks the bytes of an HTML page, where crawl hands them on.
func looksBinary(body []byte) bool {
	return len(body) > 0 && !strings.HasPrefix(http.DetectContentType(body), "text/")
}
