package office

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sitesync/internal/document"
)

var (
	errLong     = fmt.Errorf("it holds more than %d MB or %d elements before the first text", maxInflated>>20, maxElements)
	errPassword = errors.New("it asks for a password")
	errNothing  = errors.New("it is an archive, and neither an Office nor an OpenDocument file")
	errBinary   = errors.New("it is a file of Office 97-2003 (.doc, .xls, .ppt), which is not read; save it in today's format")
)

// IsCompound reports whether body begins as a compound file: one of Office
// 97-2003, or the shell of an encrypted one of today ([MS-CFB] 2.2, [MS-OFFCRYPTO]
// 2.3.4).
func IsCompound(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
}

// Read returns what an Office Open XML or OpenDocument file says. Its text is cut
// at 10 MB, or where the file has given as much as is looked at. It errs where
// body is no such file, is damaged, or was made to harm; one that asks for a
// password has no text.
func Read(body []byte) (document.File, error) {
	if IsCompound(body) {
		return readCompound(body)
	}
	p, err := openPack(body)
	if err != nil {
		return document.File{}, err
	}
	return p.result()
}

func (p *pack) result() (document.File, error) {
	err := p.read()
	switch {
	case errors.Is(err, errPassword):
		return document.File{NoText: errPassword.Error()}, nil
	case errors.Is(err, errFull) && len(p.out.list) == 0:
		return document.File{}, errLong
	case err != nil && !errors.Is(err, errFull):
		return document.File{}, err
	}
	p.file.Blocks = p.out.list
	if len(p.file.Blocks) == 0 {
		p.file.NoText = noText
	}
	return p.file, nil
}

const noText = "it holds no text, or pictures alone"

func readCompound(body []byte) (document.File, error) {
	name := strings.Join(strings.Split("EncryptedPackage", ""), "\x00") // UTF-16, as all names in there
	if bytes.Contains(body, []byte(name)) {
		return document.File{NoText: errPassword.Error()}, nil
	}
	return document.File{}, errBinary
}

func (p *pack) read() error {
	rels, err := p.relations("")
	if err != nil {
		return err
	}
	if main := rels.first("officeDocument"); main != "" {
		return p.readOffice(main, rels.first("core-properties"))
	}
	if p.parts["content.xml"] != nil {
		return p.readOpen()
	}
	return errNothing
}

// readOffice reads an Office Open XML file, which the root of its main part tells
// the kind of.
func (p *pack) readOffice(main, core string) error {
	if err := p.walkAny(core, &properties{file: &p.file}); err != nil {
		return err
	}
	root, err := p.root(main)
	if err != nil {
		return err
	}
	switch familyOf(root.Space) {
	case wordNames:
		return p.readDocument(main)
	case slideNames:
		return p.readSlides(main)
	case sheetNames:
		return p.readSheets(main)
	}
	return fmt.Errorf("read part %s: <%s> is no document, presentation or workbook", main, root.Local)
}

// readDocument reads the main part of a DOCX, and its notes after it.
func (p *pack) readDocument(main string) error {
	rels, err := p.chapter(main, &story{out: &p.out})
	if err != nil {
		return err
	}
	for _, kind := range []string{"footnotes", "endnotes"} {
		if _, err := p.chapter(rels.first(kind), &story{out: &p.out}); err != nil {
			return err
		}
	}
	return nil
}

// readOpen reads an OpenDocument file. An encrypted one says so in its manifest.
func (p *pack) readOpen() error {
	if err := p.walkAny("META-INF/manifest.xml", manifest{}); err != nil {
		return err
	}
	if err := p.walkAny("meta.xml", &properties{file: &p.file}); err != nil {
		return err
	}
	_, err := p.chapter("content.xml", &story{out: &p.out, link: p.link})
	return err
}

// chapter lets s take in a part, if there is such a part, and returns its
// relations. What was open when it had to be cut counts.
func (p *pack) chapter(part string, s *story) (relations, error) {
	if part == "" {
		return nil, nil
	}
	rels, err := p.relations(part)
	if err != nil {
		return nil, err
	}
	err = p.walkAny(part, s)
	s.close()
	return rels, err
}
