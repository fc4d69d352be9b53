package extract

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"sitesync/internal/document"
)

// Why a body of a supported type makes no document.
var (
	// ErrEmpty: the HTML holds no element and no text.
	ErrEmpty = errors.New("the HTML is empty: it holds no element and no text")
	// ErrBinary: the body is labelled HTML and is something else.
	ErrBinary = errors.New("the body is labelled HTML but is binary data; correct its Content-Type")
	// ErrMislabelled: the body is labelled PDF or DOCX and does not begin as one.
	ErrMislabelled = errors.New("the body does not begin as its media type says; correct its Content-Type")
)

// UnsupportedError says that a media type makes no document.
type UnsupportedError struct {
	Media string // as the server named it; empty when it named none
}

// Error names the media type.
func (e *UnsupportedError) Error() string {
	if e.Media == "" {
		return "the server names no media type, and the address ends in neither .pdf nor .docx"
	}
	return fmt.Sprintf("media type %q is neither HTML, PDF nor DOCX", e.Media)
}

type kind int

const (
	kindNone kind = iota
	kindHTML
	kindPDF
	kindDOCX
)

const docxMedia = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// kindOf believes the Content-Type, and the extension where the type says
// nothing.
func kindOf(p *document.Page) kind {
	switch p.Media {
	case "text/html", "application/xhtml+xml":
		return kindHTML
	case "application/pdf", "application/x-pdf":
		return kindPDF
	case docxMedia:
		return kindDOCX
	case "", "application/octet-stream", "binary/octet-stream", "application/force-download", "application/x-download":
		return kindByName(p)
	}
	return kindNone
}

func kindByName(p *document.Page) kind {
	path := strings.ToLower(pathOf(p.URL))
	switch {
	case strings.HasSuffix(path, ".pdf"):
		return kindPDF
	case strings.HasSuffix(path, ".docx"):
		return kindDOCX
	case p.Media == "" && p.Root != nil:
		return kindHTML // crawl took it for HTML
	}
	return kindNone
}

// begins reports whether a file starts with the mark of its kind. A PDF's may
// come within the first KiB, as readers accept it.
func begins(body []byte, k kind) bool {
	if k == kindPDF {
		return bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-"))
	}
	return bytes.HasPrefix(body, []byte("PK\x03\x04"))
}

// looksBinary asks the bytes of an HTML page, where crawl hands them on.
func looksBinary(body []byte) bool {
	return len(body) > 0 && !strings.HasPrefix(http.DetectContentType(body), "text/")
}
