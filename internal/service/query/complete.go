package query

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"sitesync/internal/service/web"
)

const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// autocomplete serves GET and POST autocomplete: it completes the last word of "query". The response has the
// form that the hosted service documents, and also lists ignored parameters. Older clients send "text"
// instead of "query". They get an array of completed queries or, with a response type, TypedDocument objects.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	asked, err := decodeCompletion(c)
	if err != nil {
		return web.Reply{}, err
	}
	q := asked.Query
	q.All, q.Size, q.Completions = true, asked.PerPage, asked.PerPage
	found, _, err := f.run(c.Request.Context(), c.Customer, c.Engine, q, false)
	if err != nil {
		return web.Reply{}, err
	}
	if asked.text != "" && asked.responseType == "" {
		return web.OK(found.Texts, nil)
	}
	names := []string{"Id", "_type", "fc_Title", "Title", "Description", "Url"}
	results, err := f.shown(c.Request.Context(), c.Customer, found, names)
	id := f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, "")
	if asked.text != "" {
		suggestions := []TypedDocument{}
		for i, text := range found.Texts {
			title := TypedField{Field: "Title", Value: text, Values: []string{text}, Highlights: []string{}}
			suggestions = append(suggestions, TypedDocument{
				ResultIndex: i + 1, FieldNames: []string{"Title"}, Fields: map[string]TypedField{"Title": title},
			})
		}
		return web.OK(map[string]any{
			"Results": results, "TotalResults": found.Total, "QueryId": id, "Facets": struct{}{},
			"Suggestions": suggestions, "TotalSuggestions": found.Count,
		}, err)
	}
	type result struct {
		ID     string            `json:"id"`
		Fields map[string]string `json:"fields"`
	}
	short := []result{}
	for _, doc := range results {
		fields := map[string]string{}
		for _, name := range []string{"Title", "Url"} {
			if value := doc.Fields[name].Value; value != "" {
				fields[name] = value
			}
		}
		short = append(short, result{doc.ID, fields})
	}
	return web.OK(map[string]any{
		"results": short, "totalResults": found.Total, "suggestions": found.Texts, "totalSuggestions": found.Count,
		"queryId": id, "ignored": asked.ignored,
	}, err)
}

// decodeCompletion reads an autocomplete request. It ignores unknown keys; the response lists these keys.
func decodeCompletion(c *web.Call) (Request, error) {
	r := Request{Page: 1, PerPage: defaultCompletions, loose: !c.Strict, ignored: []string{}}
	body := c.Body
	if c.Request.Method == http.MethodGet {
		body = parameters(c.Request.URL.Query())
	}
	err := r.decode(body, map[string]any{
		"query": &r.Query.Text, "text": &r.text, "results": &r.PerPage,
		"filters": filters(&r.Query.Filters), "responsetype": &r.responseType,
	}, true)
	return r, cmp.Or(err, r.check(maxCompletions))
}

// parameters returns the parameters of a GET as a JSON object. It reads the values of "results" and "filters"
// as JSON, all others as strings. It returns nil if one of the two is not JSON.
func parameters(values url.Values) []byte {
	sent := map[string]any{}
	for name := range values {
		text := values.Get(name)
		switch sent[name] = text; strings.ToLower(name) {
		case "results":
			sent[name] = json.RawMessage(text)
		case "filters":
			sent[name] = json.RawMessage(cmp.Or(text, "null"))
		}
	}
	body, _ := json.Marshal(sent)
	return body
}
