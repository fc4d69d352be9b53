package office

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// chunk reads a DOCX or HTML file that is embedded in a DOCX (ISO/IEC 29500-1, 17.17.2.1).
func (p *pack) chunk(name string) error {
	src, err := p.open(p.parts[name])
	if err != nil {
		return err
	}
	defer src.closer.Close()
	body, err := io.ReadAll(io.LimitReader(src.Reader, int64(p.left)))
	if err != nil {
		return err
	}
	p.left -= len(body)
	switch path.Ext(name) {
	case ".docx", ".docm", ".dotx":
		inner, err := openPack(body)
		if err != nil {
			return nil
		}
		inner.deep, inner.left, inner.elements, inner.out = p.deep, p.left, p.elements, p.out
		err = inner.readParts()
		p.left, p.elements, p.out = inner.left, inner.elements, inner.out
		if limit, isFull := errors.AsType[full](err); isFull {
			return limit
		}
	case ".htm", ".html", ".xhtml":
		root, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			return nil
		}
		for n := range root.Descendants() {
			if n.Parent.DataAtom == atom.Body {
				text := markup.TextOf(n, maxText)
				p.out.addBlock(text)
				p.out.size += len(text)
			}
		}
	}
	return nil
}

var emptyLines = regexp.MustCompile(`[\r\n]\s*[\r\n]`)

var errNoPlainText = errors.New("it is labelled text and is something else; correct its Content-Type")

// ReadText returns the first 4 MiB of a plain text file. Empty lines divide the text into blocks. Without
// empty lines, each line is a block. ReadText decodes UTF-8, and UTF-16 with a byte order mark. It reads
// other text as Windows-1252. ReadText errs if body is binary or HTML.
func ReadText(body []byte) (document.File, error) {
	text := body
	if len(body) > maxText {
		text = body[:max(bytes.LastIndexByte(body[:maxText], ' '), maxText/2)]
	}
	other := charmap.Windows1252.NewDecoder().Transformer
	if utf8.Valid(text) {
		other = transform.Nop
	}
	text, _, err := transform.Bytes(utf.BOMOverride(other), text)
	if err != nil {
		return document.File{}, err
	}
	if bytes.IndexByte(text, 0) >= 0 || strings.HasPrefix(http.DetectContentType(text), "text/html") {
		return document.File{}, errNoPlainText
	}
	parts := emptyLines.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), -1)
	if len(parts) == 1 {
		parts = strings.FieldsFunc(parts[0], func(r rune) bool { return r == '\r' || r == '\n' })
	}
	var out blocks
	for _, part := range parts {
		out.addBlock(markup.Clean(part))
	}
	if len(out.list) == 0 {
		return document.File{NoText: "it holds no text"}, nil
	}
	file := document.File{Blocks: out.list}
	if len(body) > maxText {
		file.Cut = document.BeyondText
	}
	return file, nil
}
