package query

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// The bounds of an autocompletion.
const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// completed is the answer to autocomplete as the vendor publishes it. Ignored is ours.
type completed struct {
	Results          []completedResult `json:"results"`
	Suggestions      []string          `json:"suggestions"`
	TotalResults     int               `json:"totalResults"`
	TotalSuggestions int               `json:"totalSuggestions"`
	QueryID          string            `json:"queryId"`
	Ignored          []string          `json:"ignored,omitempty"` // parameters for which nothing was done
}

type completedResult struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"` // Title and Url
}

// typedCompletion is the answer for those who ask by text and for objects.
type typedCompletion struct {
	QueryID                        string          `json:"QueryId"`
	Results, Suggestions           []TypedDocument // suggestions have a title
	TotalResults, TotalSuggestions int
	Facets                         map[string]search.Facet
}

// completion asks for an autocompletion.
type completion struct {
	search.Query
	byText, typed bool // asked by text, as older clients do; and then for objects
	ignored       []string
}

// autocomplete is GET and POST autocomplete: what begins with the last word of a query.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	asked, err := decodeCompletion(c)
	if err != nil {
		return web.Reply{}, err
	}
	q := asked.Query
	a := completed{Results: []completedResult{}, Suggestions: []string{}, QueryID: f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, ""), Ignored: asked.ignored}
	objects := typedCompletion{QueryID: a.QueryID, Results: []TypedDocument{}, Suggestions: []TypedDocument{}, Facets: map[string]search.Facet{}}
	if _, err := f.scope(&q, c.Customer, c.Engine); err != nil {
		return web.Reply{}, err
	}
	found, err := search.Complete(c.Request.Context(), f.Store, c.Customer, q, q.Size)
	if err != nil {
		return web.Reply{}, err
	}
	room := answerRoom
	err = f.Store.Stored(c.Request.Context(), c.Customer, found.Hits, func(doc wire.Document) {
		one := typed(doc, []string{"Id", "_type", "fc_Title", "Title", "Description", "Url"}, false, found.Marker, &room)
		one.ResultIndex = len(objects.Results) + 1
		objects.Results = append(objects.Results, one)
		fields := map[string]string{}
		for _, name := range []string{"Title", "Url"} {
			if value := one.Fields[name].Value; value != "" {
				fields[name] = value
			}
		}
		a.Results = append(a.Results, completedResult{doc.ID, fields})
	})
	a.Suggestions = append(a.Suggestions, found.Texts...)
	a.TotalResults, a.TotalSuggestions = found.Total, found.Count
	return asked.reply(a, objects, err)
}

// reply returns the answer in the shape that is asked for.
func (c completion) reply(a completed, objects typedCompletion, err error) (web.Reply, error) {
	if !c.byText {
		return web.OK(a, err)
	}
	if !c.typed {
		return web.OK(a.Suggestions, err)
	}
	for i, text := range a.Suggestions {
		title := TypedField{Field: "Title", Value: text, Values: []string{text}, Highlights: []string{}}
		objects.Suggestions = append(objects.Suggestions, TypedDocument{ResultIndex: i + 1, Fields: map[string]TypedField{"Title": title}, FieldNames: []string{"Title"}})
	}
	objects.TotalResults, objects.TotalSuggestions = a.TotalResults, a.TotalSuggestions
	return web.OK(objects, err)
}

// decodeCompletion reads what an autocompletion asks for, and lists the keys that are not known.
func decodeCompletion(c *web.Call) (asked completion, err error) {
	sent, err := completionKeys(c)
	asked.Size = defaultCompletions
	for _, m := range sent {
		name := m.name
		if !c.Strict {
			name = strings.ToLower(name)
		}
		switch name {
		case "query":
			err = m.into(&asked.Text, "a string")
		case "results":
			if m.into(&asked.Size, "") != nil || asked.Size < 1 || asked.Size > maxCompletions {
				err = web.BadRequest("results must be one number, 1 to %d", maxCompletions)
			}
		case "filters":
			asked.Filters, err = m.filters()
			err = cmp.Or(err, checkFilters(map[string]search.Filters{name: asked.Filters}))
		case "responsetype", "responseType":
			var kind string
			asked.typed = m.into(&kind, "") == nil && kind != ""
			if c.Strict && !strings.EqualFold(kind, "JsonObject") {
				err = web.BadRequest("responseType must be JsonObject")
			}
		case "text":
			if asked.byText = !c.Strict; asked.byText {
				var text string
				err = m.into(&text, "a string")
				asked.Text = cmp.Or(asked.Text, text)
				break
			}
			fallthrough
		default:
			asked.ignored = append(asked.ignored, m.name)
		}
		if err != nil {
			return asked, err
		}
	}
	if err == nil && (strings.TrimSpace(asked.Text) == "" || !utf8.ValidString(asked.Text)) {
		err = web.BadRequest("query is required, once")
	}
	return asked, err
}

// completionKeys returns the keys of a body, or the parameters of an address, each of which
// comes once.
func completionKeys(c *web.Call) (sent []member, err error) {
	if c.Request.Method == http.MethodPost {
		sent, err = member{path: "the body", value: c.Body, loose: !c.Strict}.members("an object with a query")
		return slices.DeleteFunc(sent, func(m member) bool { return string(m.value) == "null" }), err
	}
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		return nil, web.BadRequest("the parameters can't be read")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text := values[name][0]
		value, _ := json.Marshal(text) // a text always encodes
		switch {
		case len(values[name]) > 1:
			return nil, web.BadRequest("%.100s comes twice", name)
		case !utf8.ValidString(text):
			return nil, web.BadRequest("%.100s is no UTF-8", name)
		case name == "filters" && text == "":
			continue
		case name == "filters":
			value = []byte(text)
		}
		sent = append(sent, member{name, name, value, name != "filters" || !c.Strict})
	}
	return sent, nil
}
