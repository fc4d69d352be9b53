package office

import "encoding/xml"

// role is what an element does for the text.
type role int

const (
	roleNone  role = iota
	roleSkip       // is left out with all that is inside
	rolePara       // is a paragraph
	roleText       // holds characters of it
	roleBoth       // OpenDocument: a paragraph that holds characters itself
	roleSpace      // stands for white space
	roleDash       // stands for a hyphen
	roleRow        // is a table's row
	roleCell       // is a cell of it
	roleSheet      // is a table, in a workbook with a name of its own
	roleValue      // is what a sheet's cell holds
	roleHide       // hides what it belongs to, if its attributes say so
	roleLink       // is a link, and holds characters
)

func roleOf(name xml.Name) role {
	switch familyOf(name.Space) {
	case wordNames, drawNames, mathNames:
		return wordRole(name.Local)
	case sheetNames:
		return sheetRole(name.Local)
	case slideNames:
		if name.Local == "ph" || name.Local == "sld" {
			return roleHide
		}
	case compatNames:
		if name.Local == "Fallback" {
			return roleSkip
		}
	case openTextNames:
		return openTextRole(name.Local)
	case openNames:
		return openRole(name.Local)
	}
	return roleNone
}

func wordRole(local string) role {
	switch local {
	case "p":
		return rolePara
	case "t":
		return roleText
	case "tab", "br", "cr", "ptab":
		return roleSpace
	case "noBreakHyphen":
		return roleDash
	case "tr":
		return roleRow
	case "tc":
		return roleCell
	case "del", "moveFrom", "rt":
		return roleSkip
	case "vanish", "footnote", "endnote":
		return roleHide
	}
	return roleNone
}

// sheetRole is for sheets and their shared strings.
func sheetRole(local string) role {
	switch local {
	case "row", "si":
		return rolePara
	case "t":
		return roleText
	case "c":
		return roleSpace
	case "v":
		return roleValue
	case "rPh", "headerFooter":
		return roleSkip
	}
	return roleNone
}

func openTextRole(local string) role {
	switch local {
	case "p", "h":
		return roleBoth
	case "s", "tab", "line-break":
		return roleSpace
	case "tracked-changes", "note-citation", "ruby-text":
		return roleSkip
	case "a":
		return roleLink
	}
	return roleText
}

// openRole is for OpenDocument's tables, and what stands around the text.
func openRole(local string) role {
	switch local {
	case "table-row":
		return roleRow
	case "table-cell":
		return roleCell
	case "table":
		return roleSheet
	case "annotation", "notes", "tracked-changes", "forms":
		return roleSkip
	}
	return roleNone
}

// hides returns how many levels above the element what it hides stands; -1: it
// hides nothing.
func hides(w *walk, e *xml.StartElement) int {
	switch e.Name.Local {
	case "vanish": // of a run; a paragraph mark's own hides no text
		if w.at(1).name.Local == "rPr" && w.at(2).name.Local == "r" && !isOff(attr(e, wordNames, "val")) {
			return 2
		}
	case "footnote", "endnote": // separators are notes of other types
		if t := attr(e, wordNames, "type"); t != "" && t != "normal" {
			return 0
		}
	case "ph":
		switch attr(e, otherNames, "type") {
		case "hdr", "ftr", "dt", "sldNum": // p:sp/p:nvSpPr/p:nvPr/p:ph
			return 3
		}
	case "sld":
		if isOff(attr(e, otherNames, "show")) {
			return 0
		}
	}
	return -1
}

// isOff reads a boolean property, which is on where it has no value.
func isOff(value string) bool { return value == "0" || value == "false" || value == "off" }
