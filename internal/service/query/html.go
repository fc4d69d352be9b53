package query

import (
	"cmp"
	"html/template"
	"strings"
)

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

// rendered returns an answer whose results and facets are HTML: what JsonHtml asks for.
func rendered(a Answer) (map[string]any, error) {
	var results, facets strings.Builder
	err := cmp.Or(parts.ExecuteTemplate(&results, "results", a), parts.ExecuteTemplate(&facets, "facets", a))
	meant := ""
	if len(a.Suggestions) > 0 {
		meant = a.Suggestions[0].Text
	}
	return map[string]any{
		"SearchResult": results.String(), "Facets": facets.String(), "DidYouMean": meant, "RelatedSearchesResult": "", "TotalDocuments": a.TotalDocument, "QueryId": a.QueryID,
		"FixedQuery": a.FixedQuery, "ResponseTime": a.ResponseTime, "Banners": a.Banners, "Ignored": a.Ignored,
	}, err
}
