package office

import (
	"bytes"
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"path"
	"strings"

	"sitesync/internal/document"
)

var (
	errLong = fmt.Errorf("it holds more than %d MB or %d elements before the first text",
		maxInflated>>20, maxElements)
	errPassword = errors.New("it asks for a password")
	errNothing  = errors.New("it is an archive, and neither an Office nor an OpenDocument file")
	errBinary   = errors.New("it is a file of Office 97-2003 (.doc, .xls, .ppt), which is not read; " +
		"save it in today's format")
)

//go:embed names.txt
var names string

// families maps the addresses of XML namespaces to their names in names.txt. roles maps elements to their
// effect on the text. codes maps the IDs of built-in number formats to their format codes.
var families, roles, codes = parseNames(names)

func parseNames(names string) (families map[string]string, roles map[xml.Name]role, codes map[string]string) {
	families, roles, codes = map[string]string{}, map[xml.Name]role{}, map[string]string{}
	for line := range strings.Lines(names) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		for _, word := range words[2:] {
			switch words[0] {
			case "space":
				families[word] = words[1]
			case "format":
				codes[word] = words[1]
			default:
				family, local, _ := strings.Cut(word, ":")
				roles[xml.Name{Space: family, Local: local}] = role(words[1])
			}
		}
	}
	return families, roles, codes
}

// attr returns the value of the first attribute with this local name and family, or "". names.txt lists the
// namespaces of each family. Attributes in other namespaces, or in none, have the family "".
func attr(e *xml.StartElement, family, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local && families[a.Name.Space] == family {
			return a.Value
		}
	}
	return ""
}

// IsCompound reports whether body begins as a compound file ([MS-CFB] 2.2): a file of Office 97-2003, or an
// encrypted file of newer versions ([MS-OFFCRYPTO] 2.3.4).
func IsCompound(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
}

// Read returns the text of an Office Open XML or OpenDocument file, at most 4 MiB. A file with a password
// gives no text. Read errs if body is damaged, a zip bomb or another kind of file.
func Read(body []byte) (document.File, error) {
	if IsCompound(body) {
		name := strings.Join(strings.Split("EncryptedPackage", ""), "\x00") // such files have names in UTF-16
		if bytes.Contains(body, []byte(name)) {
			return document.File{NoText: errPassword.Error()}, nil
		}
		return document.File{}, errBinary
	}
	p, err := openPack(body)
	if err != nil {
		return document.File{}, err
	}
	return p.result()
}

// result reads the file. Reaching a limit is an error only if no text was found before.
func (p *pack) result() (document.File, error) {
	err := p.readParts()
	limit, isFull := errors.AsType[full](err)
	switch {
	case errors.Is(err, errPassword):
		return document.File{NoText: errPassword.Error()}, nil
	case isFull && len(p.out.list) == 0:
		return document.File{}, errLong
	case err != nil && !isFull:
		return document.File{}, err
	}
	p.file.Blocks, p.file.Cut = p.out.list, string(limit)
	if len(p.file.Blocks) == 0 {
		p.file.NoText = "it holds no text, or pictures alone"
	}
	return p.file, nil
}

func (p *pack) readParts() error {
	rels, err := p.relations("")
	if err != nil {
		return err
	}
	main, core := rels.byKind["officeDocument"], rels.byKind["core-properties"]
	if main == "" { // OpenDocument has no relationships
		main, core = "content.xml", "meta.xml"
	}
	if p.parts[main] == nil {
		return errNothing
	}
	// The manifest shows that an OpenDocument file is encrypted (ISO/IEC 26300-3, 4.4).
	err = p.walk("META-INF/manifest.xml", handler{start: func(_ *walk, e *xml.StartElement) error {
		if families[e.Name.Space] == "open" && e.Name.Local == "encryption-data" {
			return errPassword
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if err := p.readProperties(core); err != nil {
		return err
	}
	if rels, err = p.relations(main); err != nil {
		return err
	}
	lists, err := p.lists(rels)
	if err != nil {
		return err
	}
	book, err := p.workbook(rels)
	if err != nil {
		return err
	}
	s := &story{out: &p.out, pack: p, parts: rels.byID, lists: lists, book: book, hiddenStyles: map[string]bool{}}
	err = p.tell(main, s)
	for _, kind := range []string{"footnotes", "endnotes"} {
		if err == nil {
			err = p.chapter(rels.byKind[kind], &story{out: &p.out})
		}
	}
	return err
}

// chapter reads a part and its relationships; s gathers the text. If part is "", chapter does nothing.
func (p *pack) chapter(part string, s *story) error {
	if part == "" {
		return nil
	}
	rels, err := p.relations(part)
	if err != nil {
		return err
	}
	s.pack, s.parts = p, rels.byID
	return p.tell(part, s)
}

// tell reads a part; s gathers the text. If a limit stops the reading, tell closes the open paragraphs.
func (p *pack) tell(part string, s *story) error {
	err := p.walk(part, handler{s.start, s.text, s.end})
	for len(s.paras) > 0 {
		s.endPara()
	}
	return err
}

// relations are the relationships of a part to other parts (ISO/IEC 29500-2, 6.5). byID maps the ID of a
// relationship to a part's name. byKind maps a kind to the name of the first part of that kind.
type relations struct{ byKind, byID map[string]string }

// relations reads the relationships of a part, or of the file if part is empty. It adds hyperlinks to p.file.
func (p *pack) relations(part string) (found relations, err error) {
	found = relations{map[string]string{}, map[string]string{}}
	dir, name := path.Split(part)
	err = p.walk(dir+"_rels/"+name+".rels", handler{start: func(_ *walk, e *xml.StartElement) error {
		if e.Name.Local != "Relationship" {
			return nil
		}
		kind := attr(e, "", "Type")
		kind = kind[strings.LastIndexByte(kind, '/')+1:] // transitional and strict URLs end in the same word
		target := attr(e, "", "Target")
		if attr(e, "", "TargetMode") == "External" {
			if kind == "hyperlink" {
				p.link(target)
			}
			return nil
		}
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		found.byID[attr(e, "", "Id")] = partName(target)
		if found.byKind[kind] == "" {
			found.byKind[kind] = partName(target)
		}
		return nil
	}})
	return found, err
}
