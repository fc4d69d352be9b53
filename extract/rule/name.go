package rule

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxName = 100  // bytes of a field's name
	maxText = 2000 // bytes of a source or a transform
)

// ours are the fields that every document may have, as the service spells them.
var ours = [...]string{"Title", "Description", "Content", "Date", "Language", "Category"}

// CheckName returns why a name can't be that of a field: specification section
// 2.2, which keeps type and id beside the fields and tells Title from title.
func CheckName(name string) error {
	for _, own := range ours {
		if strings.EqualFold(name, own) {
			return must(name == own, "be written "+strconv.Quote(own)+", because the service tells upper and lower case apart")
		}
	}
	beside := strings.EqualFold(name, "type") || strings.EqualFold(name, "id")
	return cmp.Or(
		must(name != "", "not be empty"),
		must(len(name) <= maxName, "be at most "+strconv.Itoa(maxName)+" bytes long"),
		must(strings.TrimSpace(name) == name, "not begin or end with a space"),
		must(utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl), "not hold control characters"),
		must(!beside, "be another name: type and id stand beside a document's fields, not among them"),
		must(!strings.EqualFold(name, "Url"), "be another name: Url is the address by which a document is known"),
	)
}

// checkText bounds what the parsers read.
func checkText(text string) error {
	return cmp.Or(
		must(len(text) <= maxText, "be at most "+strconv.Itoa(maxText)+" bytes long"),
		must(utf8.ValidString(text), "be UTF-8"),
	)
}

func must(ok bool, what string) error {
	if ok {
		return nil
	}
	return errors.New("must " + what)
}
