package office

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"sitesync/internal/document"
)

var errNoPlainText = errors.New("it is labelled text and is something else; correct its Content-Type")

// ReadText returns what a plain text file says: a block a paragraph, or a line
// where no empty lines divide it, 10 MB at most. Text is UTF-16 where its first
// bytes say so, else UTF-8, else Windows-1252. It errs where body is no text.
func ReadText(body []byte) (document.File, error) {
	text, err := decodeText(body)
	if err != nil {
		return document.File{}, err
	}
	if bytes.IndexByte(text, 0) >= 0 || strings.HasPrefix(http.DetectContentType(text), "text/html") {
		return document.File{}, errNoPlainText
	}
	out := paragraphs(text)
	if len(out.list) == 0 {
		return document.File{NoText: "it holds no text"}, nil
	}
	return document.File{Blocks: out.list}, nil
}

func decodeText(body []byte) ([]byte, error) {
	if len(body) > maxText { // cut between words
		body = body[:max(bytes.LastIndexByte(body[:maxText], ' '), maxText/2)]
	}
	switch {
	case bytes.HasPrefix(body, []byte("\xff\xfe")), bytes.HasPrefix(body, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(body)
	case utf8.Valid(body):
		return bytes.TrimPrefix(body, []byte("\ufeff")), nil
	}
	return charmap.Windows1252.NewDecoder().Bytes(body)
}

func paragraphs(text []byte) (out blocks) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	divided := bytes.Contains(bytes.TrimSpace(text), []byte("\n\n"))
	var p paragraph
	for line := range bytes.Lines(text) {
		empty := len(bytes.TrimSpace(line)) == 0
		if empty || !divided {
			out.add(string(p.buf))
			p = paragraph{buf: p.buf[:0]}
		}
		p.write(line)
	}
	out.add(string(p.buf))
	return out
}
