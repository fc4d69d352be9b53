package tools

import (
	"cmp"
	"encoding/json"
	"maps"
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
		members = append(members, member{name: name})
	}
	return toolKind{kind, endpoint, answered[0], objectOf(members...)}
}

// rankingKind is section 2.4; each page needs its rank, showpage and URL.
func rankingKind() toolKind {
	text, yesOrNo := a[string]("a string"), a[bool]("true or false")
	page := objectOf(
		member{"name", text, ""}, member{"pageid", text, ""}, member{"pageurl", filledText, must},
		member{"searchable", yesOrNo, ""}, member{"websiteid", atLeast(0), ""},
	)
	entry := objectOf(
		member{"rank", atLeast(0), must}, member{"showpage", yesOrNo, must}, member{"page", page, "{}"}, member{"websiteid", atLeast(0), ""},
	)
	return newKind(wire.KindRanking, fault.EndpointRankings,
		member{"name", filledText, must}, member{"WebsiteId", atLeast(1), must}, member{"pages", listOf(entry), "[]"},
		member{"rankingterms", terms(), "[]"}, audiences(),
	)
}

// quicklinkKind is section 2.5.
func quicklinkKind() toolKind {
	return newKind(wire.KindQuicklink, fault.EndpointQuicklinks,
		member{"url", filledText, must}, member{"websiteid", atLeast(1), must}, member{"terms", terms(), "[]"},
	)
}

// bannerKind is section 2.6; its window ends after it starts.
func bannerKind() toolKind {
	k := newKind(wire.KindBanner, fault.EndpointBanners,
		member{"name", filledText, must}, member{"htmlcode", filledText, must}, member{"websiteid", atLeast(1), must}, member{"bannerterms", terms(), "[]"},
		member{"isDisabled", a[bool]("true or false"), "false"}, member{"from", instant, ""}, member{"to", instant, ""}, audiences(),
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
		if string(stored) == "[]" {
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
	return newKind(wire.KindSynonyms, fault.EndpointSynonyms, member{"words", words, must}, member{"language", language, must})
}

func terms() rule { return listOf(objectOf(member{"name", filledText, must})) }

// audiences are opaque: they are kept byte for byte.
func audiences() member {
	return member{"audiences", a[[]json.RawMessage]("an array or null"), "null"}
}

// read returns the tool of a body as it is stored, but for its ID. What is wrong with
// synonyms is {message}, since section 7 gives field errors to the other kinds alone.
func (k toolKind) read(c *web.Call) ([]byte, error) {
	faults := wire.FieldErrors{}
	stored := k.check(sent{c.Body, "", faults})
	var all []string
	for _, path := range slices.Sorted(maps.Keys(faults)) {
		all = append(all, path+": "+strings.Join(faults[path], ", "))
	}
	refused := web.BadRequest("%s", strings.Join(all, "; "))
	switch {
	case len(faults) == 0:
		return stored, nil
	case faults[""] != nil:
		return nil, web.BadRequest("the body %s", faults[""][0])
	case k.kind != wire.KindSynonyms:
		refused.Status, refused.Fields = cmp.Or(c.Switches.FieldErrorStatus, refused.Status), faults
	}
	return nil, refused
}

// isLanguage reports whether s has the form of a language, two letters.
func isLanguage(s string) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}
