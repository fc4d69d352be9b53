package service

import (
	"encoding/json"
	"time"

	"sitesync/internal/wire"
)

// toolKind is what tells one kind of search tools from the others.
type toolKind struct {
	kind     wire.Kind
	endpoint Endpoint
	id       string // the key of its ID
	check    rule   // of a whole tool
}

// newKind returns a kind with these members, beside those that only answers hold.
func newKind(kind wire.Kind, endpoint Endpoint, members ...member) toolKind {
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
	return newKind(wire.KindRanking, EndpointRankings,
		member{"name", filledText}, member{"WebsiteId", engineID()}, member{"pages", orElse("[]", listOf(entry))},
		member{"rankingterms", termList()}, member{"audiences", opaque},
	)
}

// quicklinkKind is section 2.5.
func quicklinkKind() toolKind {
	return newKind(wire.KindQuicklink, EndpointQuicklinks,
		member{"url", filledText}, member{"websiteid", engineID()}, member{"terms", termList()},
	)
}

// bannerKind is section 2.6; its window ends after it starts.
func bannerKind() toolKind {
	k := newKind(wire.KindBanner, EndpointBanners,
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
	return newKind(wire.KindSynonyms, EndpointSynonyms, member{"words", words}, member{"language", language})
}

func plainText() rule { return optional[string]("a string") }
func yesOrNo() rule   { return optional[bool]("true or false") }

// engineID is the rule for a tool's engine; in a page, 0 may stand for none.
func engineID() rule { return needed(atLeast(1)) }

func termList() rule {
	return orElse("[]", listOf(objectOf(member{"name", filledText})))
}
