package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

func empty(kind wire.Kind) any {
	switch kind {
	case wire.KindRanking:
		return &wire.Ranking{Pages: []wire.RankedPage{}, RankingTerms: []wire.Term{}}
	case wire.KindQuicklink:
		return &wire.Quicklink{Terms: []wire.Term{}}
	case wire.KindBanner:
		return &wire.Banner{}
	}
	return &wire.SynonymGroup{}
}

// read converts a request body to the stored form of a tool, without its ID. Unknown keys are kept. Keys
// that occur only in responses get an empty value.
func read(kind wire.Kind, body []byte) ([]byte, error) {
	object, err := wire.ParseObject(body)
	if err != nil {
		return nil, web.BadRequest("the body must be an object")
	}
	answered := kind.ResponseOnly()
	for _, name := range answered {
		object.Drop(name)
	}
	tool, found := empty(kind), faults{}
	var mismatch *json.UnmarshalTypeError
	if err := json.Unmarshal(object.Bytes(), tool); errors.As(err, &mismatch) {
		found.add(mismatch.Field, "can't be a JSON "+mismatch.Value)
	} else {
		found.check(tool)
	}
	if len(found) > 0 {
		return nil, found.refusal(kind)
	}
	encoded, err := web.JSON(http.StatusOK, tool) // JSON, unlike json.Marshal, does not escape HTML
	if err != nil {
		return nil, err
	}
	stored, _ := wire.ParseObject(encoded.Body) // the encoded tool is always an object
	for name, value := range object.All() {
		if _, known := stored.Get(name); !known {
			stored.Set(name, value)
		}
	}
	for _, name := range answered[1:] {
		stored.Set(name, json.RawMessage(`""`))
	}
	if banner, is := tool.(*wire.Banner); is {
		stored.Set("engineIds", fmt.Appendf(nil, "[%d]", banner.WebsiteID))
	}
	return stored.Bytes(), nil
}

// faults maps the path of a key to the errors of its value (section 7).
type faults wire.FieldErrors

func (f faults) add(path, message string) { f[path] = append(f[path], message) }

// refusal returns a Problem that lists the errors. Synonyms get a plain message, because section 7 gives
// field errors only for the other kinds.
func (f faults) refusal(kind wire.Kind) error {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(f)) {
		all = append(all, path+": "+strings.Join(f[path], ", "))
	}
	refused := web.BadRequest("%s", strings.Join(all, "; "))
	if kind != wire.KindSynonyms {
		refused.Body = wire.FieldErrors(f)
	}
	return refused
}

// check adds an error for each missing required key and each invalid value (sections 2.4 to 2.7).
func (f faults) check(tool any) {
	switch t := tool.(type) {
	case *wire.Ranking:
		f.need("name", t.Name)
		f.needEngine("WebsiteId", t.WebsiteID)
		for i, p := range t.Pages {
			f.need(fmt.Sprintf("pages[%d].page.pageurl", i), p.Page.PageURL)
		}
		f.needTerms("rankingterms", t.RankingTerms)
		f.checkAudiences(t.Audiences)
	case *wire.Quicklink:
		f.need("url", t.URL)
		f.needEngine("websiteid", t.WebsiteID)
		f.needTerms("terms", t.Terms)
	case *wire.Banner:
		f.need("name", t.Name)
		f.need("htmlcode", t.HTMLCode)
		f.needEngine("websiteid", t.WebsiteID)
		f.needTerms("bannerterms", t.BannerTerms)
		f.checkAudiences(t.Audiences)
		f.checkWindow(t.From, t.To)
	case *wire.SynonymGroup:
		f.need("words", strings.Join(t.Words, ""))
		for i, word := range t.Words {
			f.need(fmt.Sprintf("words[%d]", i), word)
		}
		if !isLanguage(t.Language) {
			f.add("language", "must be two letters")
		}
	}
}

func (f faults) need(path, text string) {
	if strings.TrimSpace(text) == "" {
		f.add(path, "this field is required")
	}
}

func (f faults) needEngine(path string, id int64) {
	if id < 1 {
		f.add(path, "must be the ID of an engine")
	}
}

func (f faults) needTerms(path string, terms []wire.Term) {
	for i, term := range terms {
		f.need(fmt.Sprintf("%s[%d].name", path, i), term.Name)
	}
}

// checkAudiences accepts any array, because its entries are opaque.
func (f faults) checkAudiences(audiences json.RawMessage) {
	if len(audiences) > 0 && json.Unmarshal(audiences, new([]json.RawMessage)) != nil {
		f.add("audiences", "must be an array or null")
	}
}

// checkWindow checks the start and end of a banner's display period. An empty end is open.
func (f faults) checkWindow(from, to string) {
	start, errStart := time.Parse(time.RFC3339, from)
	end, errEnd := time.Parse(time.RFC3339, to)
	switch {
	case from != "" && errStart != nil:
		f.add("from", "must be a date-time of RFC 3339")
	case to != "" && errEnd != nil:
		f.add("to", "must be a date-time of RFC 3339")
	case from != "" && to != "" && !start.Before(end):
		f.add("to", "must be later than from")
	}
}

// isLanguage reports whether s has the form of a language code: two letters.
func isLanguage(s string) bool {
	letter := func(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
	return len(s) == 2 && letter(s[0]) && letter(s[1])
}
