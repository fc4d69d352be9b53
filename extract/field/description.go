package field

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// maxLead is the most bytes a description taken from the content has.
const maxLead = 300

// descriptionField is what the page says of itself.
var descriptionField = defaultField{"Description", slices.Concat(
	metas("description"), []source{og("description")}, metas("twitter:description", "dcterms.description", "dc.description"),
), clipped(maxDescription)}

// fileDescription is the link to a file that has no text.
var fileDescription = defaultField{"Description", []source{{linkText.name, func(v *Evidence) string {
	if len(v.Blocks) > 0 {
		return ""
	}
	return linkText.get(v)
}}}, clipped(maxDescription)}

// Lead returns the first good sentences of the content, for pages that say nothing of
// themselves: of the first block that reads like prose and is not the title, else of
// the first block of some length.
func Lead(blocks []document.Block, title string) string {
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
	head := markup.Clip(s, maxLead)
	end := max(strings.LastIndex(head, ". "), strings.LastIndex(head, "! "), strings.LastIndex(head, "? "))
	if end >= maxLead/5 {
		return head[:end+1]
	}
	head = markup.Clip(s, maxLead-len("…"))
	if space := strings.LastIndexByte(head, ' '); space > 0 {
		head = head[:space]
	}
	return head + "…"
}
