package query

import (
	"html/template"
	"strings"

	"sitesync/internal/service/tools"
)

// pageOf is an answer to a search whose results and facets are HTML: what JsonHtml asks for.
type pageOf struct {
	SearchResult, Facets  string
	DidYouMean            string // a query
	RelatedSearchesResult string // nothing
	TotalDocuments        int
	QueryID               string `json:"QueryId"`
	FixedQuery            string
	ResponseTime          int64
	Banners               []tools.Banner
	Ignored               []string `json:",omitempty"`
}

// parts are the HTML of an answer. Its attributes are those by which the vendor's script knows
// a click and a chosen value.
var parts = template.Must(template.New("").Funcs(template.FuncMap{"marked": marked}).Parse(`
{{- define "results"}}<ul class="search-results">{{range .TypedDocuments}}
<li class="search-results-item"><a href="{{(index .Fields "Url").Value}}" data-cludo-result="searchresult" data-cludo-index="{{.ResultIndex}}">
<h2>{{marked (index .Fields "Title")}}</h2><p>{{marked (index .Fields "Description")}}</p></a></li>{{end}}
</ul>{{end}}
{{- define "facets"}}{{range .Facets}}{{$field := .FieldName}}<ul class="search-facets" data-facet="{{$field}}">{{range .Items}}
<li><a href="#" data-facet="{{$field}}" data-value="{{.Key}}">{{.Key}} <span>{{.Count}}</span></a></li>{{end}}
</ul>{{end}}{{end}}`))

// marked returns a field with the words searched for in <b>.
func marked(field TypedField) template.HTML {
	if len(field.Highlights) > 0 {
		return template.HTML(strings.Join(field.Highlights, " … ")) //nolint:gosec // they are escaped
	}
	return template.HTML(template.HTMLEscapeString(field.Value)) //nolint:gosec // as said
}

func rendered(a Answer) (pageOf, error) {
	var results, facets strings.Builder
	if err := parts.ExecuteTemplate(&results, "results", a); err != nil {
		return pageOf{}, err
	}
	if err := parts.ExecuteTemplate(&facets, "facets", a); err != nil {
		return pageOf{}, err
	}
	page := pageOf{results.String(), facets.String(), "", "", a.TotalDocument, a.QueryID, a.FixedQuery, a.ResponseTime, a.Banners, a.Ignored}
	if len(a.Suggestions) > 0 {
		page.DidYouMean = a.Suggestions[0].Text
	}
	return page, nil
}
