package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/document"
)

// maxLead is the most bytes a description taken from the content has.
const maxLead = 300

// descriptionField is what the page says of itself; Finish has more where it says
// nothing.
var descriptionField = defaultField{"Description", slices.Concat(
	metas("description"), []source{og("description")}, metas("twitter:description", "dcterms.description", "dc.description"),
), clipped(maxDescription)}

// lead returns the first good sentences of the content: of the first block that
// reads like prose and is not the title, else of the first block of some
// length.
func lead(blocks []document.Block, title string) string {
	spare := ""
	for _, b := range blocks {
		if strings.EqualFold(b.Text, title) {
			continue
		}
		if isProse(b.Text) {
			return cutSentence(b.Text)
		}
		if spare == "" && len(b.Text) >= 20 {
			spare = b.Text
		}
	}
	return cutSentence(spare)
}

func isProse(s string) bool {
	if len(s) < 40 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(`.!?…:"”»。`, last) || strings.Contains(s, ". ")
}

// cutSentence cuts s to maxLead bytes: after the last sentence that fits, else
// after the last word.
func cutSentence(s string) string {
	if len(s) <= maxLead {
		return s
	}
	head := clip(s, maxLead)
	end := -1
	for _, mark := range [...]string{". ", "! ", "? "} {
		end = max(end, strings.LastIndex(head, mark))
	}
	if end >= maxLead/5 {
		return head[:end+1]
	}
	head = clip(s, maxLead-len("…"))
	if space := strings.LastIndexByte(head, ' '); space > 0 {
		head = head[:space]
	}
	return head + "…"
}
