package office

import "encoding/xml"

// family is a namespace as this package knows it, whichever edition's it is.
type family int

const (
	otherNames    family = iota
	wordNames            // WordprocessingML
	drawNames            // DrawingML: text on slides
	slideNames           // PresentationML
	sheetNames           // SpreadsheetML
	mathNames            // Office Math
	compatNames          // markup compatibility
	relNames             // r:id
	coreNames            // Dublin Core, in both kinds of metadata
	openTextNames        // OpenDocument: text
	openNames            // its other families, whose names do not meet
	linkNames            // XLink
)

const openSpace = "urn:oasis:names:tc:opendocument:xmlns:"

// familyOf knows the transitional and the strict namespaces of ISO/IEC 29500, and
// those of ISO/IEC 26300.
func familyOf(space string) family {
	switch space {
	case "http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main":
		return wordNames
	case "http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main":
		return drawNames
	case "http://schemas.openxmlformats.org/presentationml/2006/main", "http://purl.oclc.org/ooxml/presentationml/main":
		return slideNames
	case "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main":
		return sheetNames
	case "http://schemas.openxmlformats.org/officeDocument/2006/math", "http://purl.oclc.org/ooxml/officeDocument/math":
		return mathNames
	case "http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships":
		return relNames
	case "http://schemas.openxmlformats.org/markup-compatibility/2006":
		return compatNames
	case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/":
		return coreNames
	case openSpace + "text:1.0":
		return openTextNames
	case openSpace + "table:1.0", openSpace + "presentation:1.0", openSpace + "office:1.0", openSpace + "meta:1.0", openSpace + "manifest:1.0":
		return openNames
	case "http://www.w3.org/1999/xlink":
		return linkNames
	}
	return otherNames
}

// attr returns the value of the first attribute of that name; otherNames stands for
// none as well.
func attr(e *xml.StartElement, space family, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local && familyOf(a.Name.Space) == space {
			return a.Value
		}
	}
	return ""
}
