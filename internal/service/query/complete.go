package query

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
)

const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// completed is the response of autocomplete as the vendor publishes it; Ignored is an extension.
type completed struct {
	Results          []completedResult `json:"results"`
	Suggestions      []string          `json:"suggestions"`
	TotalResults     int               `json:"totalResults"`
	TotalSuggestions int               `json:"totalSuggestions"`
	QueryID          string            `json:"queryId"`
	Ignored          []string          `json:"ignored,omitempty"` // parameters that had no effect
}

type completedResult struct {
	ID     string          `json:"id"`
	Fields completedFields `json:"fields"`
}

type completedFields struct {
	Title string `json:",omitempty"`
	URL   string `json:"Url,omitempty"`
}

// typedCompletion is the response for clients that send text instead of query, and a response type.
type typedCompletion struct {
	QueryID                        string          `json:"QueryId"`
	Results, Suggestions           []TypedDocument // a suggestion has only the field Title
	TotalResults, TotalSuggestions int
	Facets                         struct{} // always empty
}

// autocomplete serves GET and POST autocomplete: it completes the last word of a query. Older clients send
// text instead of query. They get a list of texts, or typed documents if they send a response type.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	asked, err := decodeCompletion(c)
	if err != nil {
		return web.Reply{}, err
	}
	q := asked.Query
	q.All, q.Size, q.Completions = true, asked.PerPage, asked.PerPage
	if _, err := f.scope(&q, c.Customer, c.Engine); err != nil {
		return web.Reply{}, err
	}
	found, err := search.Search(c.Request.Context(), f.Store, c.Customer, q)
	if err != nil {
		return web.Reply{}, err
	}
	if asked.text != "" && asked.kind == "" {
		return web.OK(found.Texts, nil)
	}
	names := []string{"Id", "_type", "fc_Title", "Title", "Description", "Url"}
	results, err := f.shown(c.Request.Context(), c.Customer, found, names)
	id := f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, "")
	if asked.text != "" {
		a := typedCompletion{id, results, []TypedDocument{}, found.Total, found.Count, struct{}{}}
		for i, text := range found.Texts {
			title := TypedField{Field: "Title", Value: text, Values: []string{text}, Highlights: []string{}}
			one := TypedDocument{ResultIndex: i + 1, FieldNames: []string{"Title"}}
			one.Fields = map[string]TypedField{"Title": title}
			a.Suggestions = append(a.Suggestions, one)
		}
		return web.OK(a, err)
	}
	a := completed{[]completedResult{}, found.Texts, found.Total, found.Count, id, asked.ignored}
	for _, doc := range results {
		fields := completedFields{doc.Fields["Title"].Value, doc.Fields["Url"].Value}
		a.Results = append(a.Results, completedResult{doc.ID, fields})
	}
	return web.OK(a, err)
}

// decodeCompletion reads an autocomplete request. It ignores unknown keys and lists them in the response.
func decodeCompletion(c *web.Call) (Request, error) {
	r := Request{Page: 1, PerPage: defaultCompletions, loose: !c.Strict}
	sent, err := r.parameters(c)
	if err != nil {
		return r, err
	}
	err = r.read(sent, map[string]any{
		"query": &r.Query.Text, "text": &r.text, "results": &r.PerPage, "filters": &r.Query.Filters, "responseType": &r.kind,
	}, true)
	return r, cmp.Or(err, r.check(maxCompletions))
}

// parameters returns the keys of a POST body, or the query parameters of a GET.
func (r *Request) parameters(c *web.Call) (sent []member, err error) {
	if c.Request.Method == http.MethodPost {
		return member{path: "the body", value: c.Body, loose: r.loose}.members("an object with a query")
	}
	values := c.Request.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text := values.Get(name)
		m := member{name: name, path: name, loose: true}
		m.value, _ = json.Marshal(text) // a string always encodes
		switch {
		case strings.EqualFold(name, "filters") && text == "":
			continue
		case strings.EqualFold(name, "filters"):
			m.value, m.loose = []byte(text), r.loose
		}
		sent = append(sent, m)
	}
	return sent, nil
}
