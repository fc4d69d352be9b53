package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
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

// decodeTool converts a request body to the stored form of a tool, without its ID. Unknown keys are kept. Keys
// that occur only in responses get an empty value.
func decodeTool(kind wire.Kind, body []byte) ([]byte, error) {
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
		found.must(false, mismatch.Field, "can't be a JSON "+mismatch.Value)
	} else {
		found.check(tool)
	}
	if len(found) > 0 {
		return nil, found.refusal(kind)
	}
	encoded, err := web.JSON(http.StatusOK, tool) // web.JSON, unlike json.Marshal, does not escape HTML
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

// faults maps the path of a key to the errors of its value (specification section 7).
type faults wire.FieldErrors

func (f faults) must(valid bool, path, message string) {
	if !valid {
		f[path] = append(f[path], message)
	}
}

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
		f.must(t.WebsiteID > 0, "WebsiteId", noEngine)
		for i, p := range t.Pages {
			f.need(fmt.Sprintf("pages[%d].page.pageurl", i), p.Page.PageURL)
		}
		f.needTerms("rankingterms", t.RankingTerms)
		f.must(isAudiences(t.Audiences), "audiences", noAudiences)
	case *wire.Quicklink:
		f.need("url", t.URL)
		f.must(t.WebsiteID > 0, "websiteid", noEngine)
		f.needTerms("terms", t.Terms)
	case *wire.Banner:
		f.need("name", t.Name)
		f.need("htmlcode", t.HTMLCode)
		f.must(t.WebsiteID > 0, "websiteid", noEngine)
		f.needTerms("bannerterms", t.BannerTerms)
		f.must(isAudiences(t.Audiences), "audiences", noAudiences)
		start, errStart := time.Parse(time.RFC3339, t.From)
		end, errEnd := time.Parse(time.RFC3339, t.To)
		f.must(t.From == "" || errStart == nil, "from", "must be a date-time of RFC 3339")
		f.must(t.To == "" || errEnd == nil, "to", "must be a date-time of RFC 3339")
		f.must(errStart != nil || errEnd != nil || start.Before(end), "to", "must be later than from")
	case *wire.SynonymGroup:
		f.need("words", strings.Join(t.Words, ""))
		for i, word := range t.Words {
			f.need(fmt.Sprintf("words[%d]", i), word)
		}
		f.must(language.MatchString(t.Language), "language", "must be two letters")
	}
}

const (
	noEngine    = "must be the ID of an engine"
	noAudiences = "must be an array or null"
)

// isAudiences accepts null and any array, because the specification does not define the entries.
func isAudiences(value json.RawMessage) bool {
	return len(value) == 0 || json.Unmarshal(value, new([]json.RawMessage)) == nil
}

func (f faults) need(path, text string) {
	f.must(strings.TrimSpace(text) != "", path, "this field is required")
}

func (f faults) needTerms(path string, terms []wire.Term) {
	for i, term := range terms {
		f.need(fmt.Sprintf("%s[%d].name", path, i), term.Name)
	}
}

var language = regexp.MustCompile("^[a-zA-Z]{2}$")
