package office

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// chunk reads a file that stands in a DOCX as a part of its text (ISO/IEC 29500-1,
// 17.17.2.1). A file of a kind that is not read says nothing.
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
		err = inner.read()
		p.left, p.elements, p.out = inner.left, inner.elements, inner.out
		if limit := full(""); errors.As(err, &limit) {
			return limit
		}
	case ".htm", ".html", ".xhtml":
		p.addHTML(body)
	case ".txt":
		if file, err := ReadText(body); err == nil {
			p.out.list, p.out.size = append(p.out.list, file.Blocks...), p.out.size+len(body)
		}
	}
	return nil
}

// addHTML adds a block for each paragraph of a page.
func (p *pack) addHTML(body []byte) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return
	}
	var open markup.Folder
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && !markup.KindOf(n.Parent).Is(markup.Blank):
			open.Write(n.Data)
			p.out.size += len(n.Data)
		case n.Type == html.ElementNode && (!markup.KindOf(n).Is(markup.Inline) || n.DataAtom == atom.Br):
			p.out.add(string(open.Buf))
			open = markup.Folder{}
		}
	}
	p.out.add(string(open.Buf))
}

var errNoPlainText = errors.New("it is labelled text and is something else; correct its Content-Type")

// ReadText returns what a plain text file says: a block a paragraph, or a line
// where no empty lines divide it, of the first 4 MiB. Text is UTF-16 where its first
// bytes say so, else UTF-8, else Windows-1252. It errs where body is no text.
func ReadText(body []byte) (document.File, error) {
	text, err := body, error(nil)
	if len(body) > maxText { // cut between words
		text = body[:max(bytes.LastIndexByte(body[:maxText], ' '), maxText/2)]
	}
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		text, err = utf.UTF16(utf.BigEndian, utf.UseBOM).NewDecoder().Bytes(text)
	case utf8.Valid(text):
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	default:
		text, err = charmap.Windows1252.NewDecoder().Bytes(text)
	}
	if err != nil {
		return document.File{}, err
	}
	if bytes.IndexByte(text, 0) >= 0 || strings.HasPrefix(http.DetectContentType(text), "text/html") {
		return document.File{}, errNoPlainText
	}
	var out blocks
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	divided := bytes.Contains(bytes.TrimSpace(text), []byte("\n\n"))
	var p markup.Folder
	for line := range bytes.Lines(text) {
		empty := len(bytes.TrimSpace(line)) == 0
		if empty || !divided {
			out.add(string(p.Buf))
			p = markup.Folder{Buf: p.Buf[:0]}
		}
		p.Write(string(line))
	}
	out.add(string(p.Buf))
	if len(out.list) == 0 {
		return document.File{NoText: "it holds no text"}, nil
	}
	file := document.File{Blocks: out.list}
	if len(body) > maxText {
		file.Cut = document.BeyondText
	}
	return file, nil
}
