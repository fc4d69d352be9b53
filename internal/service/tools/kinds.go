package tools

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/fault"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// toolKind is what tells one kind of search tools from the others.
type toolKind struct {
	kind     wire.Kind
	endpoint fault.Endpoint
	id       string // the key of its ID
	check    rule   // of a whole tool
}

// newKind returns a kind with these members, beside those that only answers hold.
func newKind(kind wire.Kind, endpoint fault.Endpoint, members ...member) toolKind {
	answered := kind.ResponseOnly()
	for _, name := range answered {
		members = append(members, member{name, ofAnswers})
	}
	return toolKind{kind, endpoint, answered[0], objectOf(members...)}
}

// rankingKind is section 2.4; each page needs its rank, showpage and URL.
func rankingKind() toolKind {
	page := objectOf(
		member{"name", plainText()}, member{"pageid", plainText()}, member{"pageurl", filledText},
		member{"searchable", yesOrNo()}, member{"websiteid", atLeast(0)},
	)
	entry := objectOf(
		member{"rank", needed(atLeast(0))}, member{"showpage", needed(yesOrNo())}, member{"page", orElse("{}", page)}, member{"websiteid", atLeast(0)},
	)
	return newKind(wire.KindRanking, fault.EndpointRankings,
		member{"name", filledText}, member{"WebsiteId", engineID()}, member{"pages", orElse("[]", listOf(entry))},
		member{"rankingterms", termList()}, member{"audiences", opaque},
	)
}

// quicklinkKind is section 2.5.
func quicklinkKind() toolKind {
	return newKind(wire.KindQuicklink, fault.EndpointQuicklinks,
		member{"url", filledText}, member{"websiteid", engineID()}, member{"terms", termList()},
	)
}

// bannerKind is section 2.6; its window ends after it starts.
func bannerKind() toolKind {
	k := newKind(wire.KindBanner, fault.EndpointBanners,
		member{"name", filledText}, member{"htmlcode", filledText}, member{"websiteid", engineID()}, member{"bannerterms", termList()},
		member{"isDisabled", orElse("false", yesOrNo())}, member{"from", instant}, member{"to", instant}, member{"audiences", opaque},
	)
	members := k.check
	k.check = func(v sent) json.RawMessage {
		stored := members(v)
		var window struct{ From, To *time.Time }
		if json.Unmarshal(stored, &window) == nil && window.From != nil && window.To != nil && !window.From.Before(*window.To) {
			v.path = "to"
			return v.wrong("must be later than from")
		}
		return stored
	}
	return k
}

// synonymsKind is section 2.7: at least one word, and a language of two letters.
func synonymsKind() toolKind {
	words := func(v sent) json.RawMessage {
		stored := listOf(filledText)(v)
		if string(stored) == "[]" { // null as well
			return v.missing()
		}
		return stored
	}
	language := func(v sent) json.RawMessage {
		var text string
		if v.is(&text) && text != "" && !isLanguage(text) {
			return v.wrong("must be two letters")
		}
		return filledText(v)
	}
	return newKind(wire.KindSynonyms, fault.EndpointSynonyms, member{"words", words}, member{"language", language})
}

func plainText() rule { return optional[string]("a string") }
func yesOrNo() rule   { return optional[bool]("true or false") }

// engineID is the rule for a tool's engine; in a page, 0 may stand for none.
func engineID() rule { return needed(atLeast(1)) }

func termList() rule {
	return orElse("[]", listOf(objectOf(member{"name", filledText})))
}

// fieldProblem is a search tool that is refused with the field errors of section 7.
type fieldProblem struct {
	status int
	faults wire.FieldErrors
}

// Error names every path and what is wrong there.
func (p fieldProblem) Error() string {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(p.faults)) {
		all = append(all, path+": "+strings.Join(p.faults[path], ", "))
	}
	return strings.Join(all, "; ")
}

func (p fieldProblem) Reply() web.Reply {
	answer, _ := web.JSON(p.status, p.faults) // strings always encode
	return answer
}

// read returns the tool of a body as it is stored, but for its ID. What is wrong with
// synonyms is {message}, since section 7 gives field errors to the other kinds alone.
func (k toolKind) read(c *web.Call) ([]byte, error) {
	faults := wire.FieldErrors{}
	stored := k.check(sent{c.Body, "", faults})
	refused := fieldProblem{cmp.Or(c.Switches.FieldErrorStatus, http.StatusBadRequest), faults}
	switch {
	case len(faults) == 0:
		return stored, nil
	case faults[""] != nil:
		return nil, web.BadRequest("the body %s", faults[""][0])
	case k.kind == wire.KindSynonyms:
		return nil, web.BadRequest("%s", refused)
	}
	return nil, refused
}

// isLanguage reports whether s has the form of a language, two letters.
func isLanguage(s string) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}
