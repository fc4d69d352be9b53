package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sitesync/internal/document"
)

// The titles that programs write on their own: what an empty window, a template,
// a scanner or a printer's driver is called, and names and paths of files.
var (
	programTitle = regexp.MustCompile(`(?i)^microsoft (word|powerpoint|excel|office|publisher)\b|^(untitled|unbenannt|uden titel|namnlös|sans titre|` +
		`document|dokument|doc|layout|slide|slide ?show|scan|scanned document|scan to pdf|image|img|book|presentation|powerpoint presentation|` +
		`powerpoint[ -](præsentation|präsentation)|title|titel|new|blank|report|print|print job|full page photo)([ _-]*(document|dokument))?[ _.-]*\d*$`)
	templateTitle = regexp.MustCompile(`(?i)template|skabelon|vorlage|dokumentmall`)
	fileTitle     = regexp.MustCompile(`(?i)\.(docx?|dotx?|docm|pdf|indd|qxd|qxp|pptx?|pptm|potx|xlsx?|xlsm|odt|odp|ods|rtf|txt|tex|dvi|e?ps|tiff?|jpe?g|png|pages|pub|cdr|ai|psd|html?|aspx?|php|p65|pmd|fm|wpd)$`)
)

// isUselessTitle reports whether the title in a file's metadata says nothing of
// the file: see the patterns; also the file's own name, and what has no letter.
func isUselessTitle(title, url string) bool {
	return !hasLetter(title) || programTitle.MatchString(title) || templateTitle.MatchString(title) || fileTitle.MatchString(title) ||
		isPath(title) || strings.EqualFold(titled(title), nameOf(url))
}

// isPath reports whether s is an address or the path of a file.
func isPath(s string) bool {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\\`) || strings.Contains(s, "://") {
		return true
	}
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// headingLike returns the first of a file's first blocks that reads like a
// heading: 4 to 120 characters, mostly letters, and no sentence.
func headingLike(blocks []document.Block) string {
	for _, b := range blocks[:min(len(blocks), 5)] {
		if isHeadingLike(b.Text) {
			return b.Text
		}
	}
	return ""
}

func isHeadingLike(s string) bool {
	count := utf8.RuneCountInString(s)
	if count < 4 || count > 120 || strings.Contains(s, ". ") && strings.HasSuffix(s, ".") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return !strings.ContainsRune(".,;:", last) && letters*2 > count
}
