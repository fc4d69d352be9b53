package extract

import (
	"sitesync/extract/office"
	"sitesync/internal/document"
)

// open lets the reader of that kind of file read body.
func (e *Extractor) open(k kind, body []byte) (document.File, error) {
	switch k {
	case kindOffice:
		return office.Read(body)
	case kindText:
		return office.ReadText(body)
	case kindPDF:
		if e.options.PDF != nil {
			return e.options.PDF.Read(body)
		}
		return document.File{NoText: "nothing reads its format"}, nil
	}
	return document.File{}, ErrMislabelled
}
