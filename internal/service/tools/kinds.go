package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// toolKind is what tells one kind of search tools from the others.
type toolKind struct {
	kind  wire.Kind
	id    string // the key of its ID
	check rule   // of a whole tool
}

// newKind returns a kind with these members, beside those that only answers hold: what
// they would tell of, nothing here finds out, so they are empty.
func newKind(kind wire.Kind, members ...member) toolKind {
	answered := kind.ResponseOnly()
	for i, name := range answered {
		absent := `""`
		if i == 0 || name == "engineIds" {
			absent = "" // these are known
		}
		members = append(members, member{name, nil, absent})
	}
	return toolKind{kind, answered[0], objectOf(members...)}
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
	return newKind(wire.KindRanking,
		member{"name", filledText, must}, member{"WebsiteId", atLeast(1), must}, member{"pages", listOf(entry), "[]"},
		member{"rankingterms", terms(), "[]"}, audiences(),
	)
}

// quicklinkKind is section 2.5.
func quicklinkKind() toolKind {
	return newKind(wire.KindQuicklink,
		member{"url", filledText, must}, member{"websiteid", atLeast(1), must}, member{"terms", terms(), "[]"},
	)
}

// bannerKind is section 2.6; its window ends after it starts, and answers list its engine.
func bannerKind() toolKind {
	k := newKind(wire.KindBanner,
		member{"name", filledText, must}, member{"htmlcode", filledText, must}, member{"websiteid", atLeast(1), must}, member{"bannerterms", terms(), "[]"},
		member{"isDisabled", a[bool]("true or false"), "false"}, member{"from", instant, ""}, member{"to", instant, ""}, audiences(),
	)
	members := k.check
	k.check = func(v sent) json.RawMessage {
		stored := members(v)
		var b struct {
			From, To  *time.Time
			WebsiteID int64
		}
		if json.Unmarshal(stored, &b) != nil {
			return stored
		}
		if b.From != nil && b.To != nil && !b.From.Before(*b.To) {
			v.path = "to"
			return v.wrong("must be later than from")
		}
		return fmt.Appendf(stored[:len(stored)-1], `,"engineIds":[%d]}`, b.WebsiteID)
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
	return newKind(wire.KindSynonyms, member{"words", words, must}, member{"language", language, must})
}

func terms() rule { return listOf(objectOf(member{"name", filledText, must})) }

// audiences are opaque: they are kept byte for byte.
func audiences() member {
	return member{"audiences", a[[]json.RawMessage]("an array or null"), "null"}
}

// read returns the tool of a body as it is stored, except for its ID. What is wrong with
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
		refused.Fields = faults
	}
	return nil, refused
}

// isLanguage reports whether s has the form of a language, two letters.
func isLanguage(s string) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}

// A rule checks one value of a search tool and returns it as it is stored.
type rule func(sent) json.RawMessage

// sent is a value as it came. What is wrong with it is said under its path, section 7.
type sent struct {
	json   json.RawMessage
	path   string // "" for the whole body
	faults wire.FieldErrors
}

func (v sent) is(what any) bool { return json.Unmarshal(v.json, what) == nil }

func (v sent) wrong(format string, args ...any) json.RawMessage {
	v.faults[v.path] = append(v.faults[v.path], fmt.Sprintf(format, args...))
	return nil
}

func (v sent) missing() json.RawMessage { return v.wrong("this field is required") }

// a returns the rule that a value is a T.
func a[T any](what string) rule {
	return func(v sent) json.RawMessage {
		if !v.is(new(T)) {
			return v.wrong("must be %s", what)
		}
		return v.json
	}
}

// filledText is the rule for a string that must not be blank.
func filledText(v sent) json.RawMessage {
	var text string
	if v.is(&text) && strings.TrimSpace(text) == "" { // null as well
		return v.missing()
	}
	return a[string]("a string")(v)
}

// atLeast returns the rule for an integer.
func atLeast(least int64) rule {
	return func(v sent) json.RawMessage {
		var n int64
		if !v.is(&n) || n < least {
			return v.wrong("must be an integer, %d or more", least)
		}
		return v.json
	}
}

// instant is the rule for a date-time; it is stored in UTC.
func instant(v sent) json.RawMessage {
	var at time.Time
	isTime := v.is(&at)
	utc, err := json.Marshal(at.UTC()) // which may lie in a year that has no form
	if !isTime || err != nil {
		return v.wrong("must be a date-time of RFC 3339")
	}
	return utc
}

// maxEntries bounds each list of a search tool, and the unknown keys of each object.
const maxEntries = 1000

// listOf returns the rule for an array whose entries keep to another.
func listOf(entry rule) rule {
	return func(v sent) json.RawMessage {
		var entries []json.RawMessage
		if !v.is(&entries) || len(entries) > maxEntries {
			return v.wrong("must be an array of at most %d entries", maxEntries)
		}
		stored := make([][]byte, len(entries))
		for i, one := range entries {
			stored[i] = entry(sent{one, fmt.Sprintf("%s[%d]", v.path, i), v.faults})
		}
		return slices.Concat([]byte("["), bytes.Join(stored, []byte(",")), []byte("]"))
	}
}

// member is one key of an object.
type member struct {
	name   string
	rule   rule   // nil: only answers hold it, always what absent says
	absent string // what is stored where it is null or not there: must, JSON, or "" for nothing
}

// must is the absent of a member that must be there.
const must = "must"

// objectOf returns the rule for an object: its members in their order, under their very
// names, then what else came, byte for byte.
func objectOf(members ...member) rule {
	return func(v sent) json.RawMessage {
		object, err := wire.ParseObject(v.json)
		if err != nil {
			return v.wrong("must be an object")
		}
		var stored [][]byte
		keep := func(name string, value json.RawMessage) {
			key, _ := json.Marshal(name) // a string always encodes
			stored = append(stored, slices.Concat(key, []byte(":"), value))
		}
		for _, m := range members {
			value := sent{nil, strings.TrimPrefix(v.path+"."+m.name, "."), v.faults}
			value.json, _ = object.Get(m.name)
			object.Drop(m.name)
			switch isNull := value.json == nil || string(value.json) == "null"; {
			case m.rule == nil && m.absent != "":
				keep(m.name, json.RawMessage(m.absent))
				continue
			case m.rule == nil || isNull && m.absent == "":
				continue
			case isNull && m.absent == must:
				value.missing()
				continue
			case isNull:
				value.json = json.RawMessage(m.absent)
			}
			if checked := m.rule(value); checked != nil {
				keep(m.name, checked)
			}
		}
		known := len(stored)
		for name, value := range object.All() {
			keep(name, value)
		}
		if len(stored)-known > maxEntries {
			return v.wrong("must have at most %d keys that are not known", maxEntries)
		}
		return slices.Concat([]byte("{"), bytes.Join(stored, []byte(",")), []byte("}"))
	}
}
