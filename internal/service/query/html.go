package query

import (
	"html/template"
	"strings"
)

// parts are the HTML templates of a response. The vendor's script recognizes clicks and chosen facet values
// by their attributes.
var parts = template.Must(template.New("").Funcs(template.FuncMap{"marked": marked}).Parse(`
{{- define "SearchResult"}}<ul class="search-results">{{range .TypedDocuments}}
<li class="search-results-item">
<a href="{{(index .Fields "Url").Value}}" data-cludo-result="searchresult" data-cludo-index="{{.ResultIndex}}">
<h2>{{marked (index .Fields "Title")}}</h2><p>{{marked (index .Fields "Description")}}</p></a></li>{{end}}
</ul>{{end}}
{{- define "Facets"}}{{range .Facets}}{{$field := .FieldName}}
<ul class="search-facets" data-facet="{{$field}}">{{range .Items}}
<li><a href="#" data-facet="{{$field}}" data-value="{{.Key}}">{{.Key}} <span>{{.Count}}</span></a></li>{{end}}
</ul>{{end}}{{end}}
{{- define "DidYouMean"}}{{range .Suggestions}}<a href="#">{{.Text}}</a>{{end}}{{end}}`))

// marked returns a field as HTML, with the query's words in <b>.
func marked(field TypedField) template.HTML {
	if len(field.Highlights) > 0 {
		return template.HTML(strings.Join(field.Highlights, " … ")) //nolint:gosec // they are escaped
	}
	return template.HTML(template.HTMLEscapeString(field.Value)) //nolint:gosec // as said
}

// rendered returns the response of type JsonHtml, with results, facets and suggestions as HTML.
func rendered(a Answer) (map[string]any, error) {
	all := map[string]any{
		"TotalDocuments": a.TotalDocument, "QueryId": a.QueryID, "FixedQuery": a.FixedQuery,
		"ResponseTime": a.ResponseTime, "Banners": a.Banners, "RelatedSearchesResult": "", "Ignored": a.Ignored,
	}
	for _, name := range []string{"SearchResult", "Facets", "DidYouMean"} {
		var html strings.Builder
		if err := parts.ExecuteTemplate(&html, name, a); err != nil {
			return nil, err
		}
		all[name] = html.String()
	}
	return all, nil
}
