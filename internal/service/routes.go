package service

import (
	"net/http"
	"slices"
)

// schemes are the credentials that an endpoint takes, specification section 5.3.
type schemes uint8

const (
	takesBasic schemes = 1 << iota
	takesSiteKey
	takesNone
)

// challenges are the schemes as WWW-Authenticate names them (RFC 9110, section 11.6.1).
func (s schemes) challenges() (all []string) {
	if s&takesSiteKey != 0 {
		all = append(all, `SiteKey realm="Site Search Service"`)
	}
	if s&takesBasic != 0 {
		all = append(all, `Basic realm="Site Search Service", charset="UTF-8"`)
	}
	return all
}

// route is one operation of the service.
type route struct {
	pattern  string // of http.ServeMux
	endpoint Endpoint
	takes    schemes
	handle   handler
}

func (s *Service) routes() {
	for _, r := range slices.Concat(s.indexRoutes(), s.toolRoutes(), s.eventRoutes(), s.searchRoutes(), s.answerRoutes(), s.ownRoutes()) {
		s.mux.HandleFunc(r.pattern, s.answer(r))
		s.operations[r.pattern] = r
	}
	for _, rest := range []string{"/api/", "/api", "/_/", "/_"} { // the mux would redirect those without a slash
		s.mux.HandleFunc(rest, s.other)
	}
	s.mux.HandleFunc("GET /_/{$}", s.showIndex)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { notFound().write(w) })
}

// indexRoutes are those of section 4.1.
func (s *Service) indexRoutes() []route {
	const documents = "/api/v4/{customer}/index/{crawler}/documents"
	return []route{
		{"PUT " + documents, EndpointPut, takesBasic, s.writeDocuments},
		{"PATCH " + documents, EndpointPatch, takesBasic, s.writeDocuments},
		{"DELETE " + documents, EndpointDelete, takesBasic, s.deleteDocument},
		{"POST " + documents + "/bulk-delete", EndpointBulkDelete, takesBasic, s.bulkDelete},
		{"POST /api/v4/{customer}/crawler/{crawler}/paths", EndpointPaths, takesBasic, s.queuePaths},
	}
}

// ownRoutes are this package's own.
func (s *Service) ownRoutes() []route {
	const crawler = "/_/crawlers/{customer}/{crawler}/"
	return []route{
		{"GET " + crawler + "documents", endpointOwn, takesBasic, s.showDocuments},
		{"GET " + crawler + "queue", endpointOwn, takesBasic, s.showQueue},
		{"PUT " + crawler + "active", endpointOwn, takesBasic, s.putActive},
		{"GET /_/crawlers/{customer}", endpointOwn, takesBasic, s.showCrawlers},
	}
}
