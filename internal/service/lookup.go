package service

import (
	"net/http"
	"slices"
	"strings"
)

// operation returns what a method does at the path of a request; false for nothing.
func (s *Service) operation(r *http.Request, method string) (route, bool) {
	probe := r.WithContext(r.Context())
	probe.Method = method
	_, pattern := s.mux.Handler(probe)
	to, known := s.operations[pattern]
	return to, known
}

// other answers what is no operation: 405 where the path has others, by the schemes
// that those take, and else 404 to whoever has credentials.
func (s *Service) other(w http.ResponseWriter, r *http.Request) {
	to := route{endpoint: EndpointOther, handle: unknownPath}
	var allow []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if known, ok := s.operation(r, method); ok {
			allow = append(allow, method)
			to.takes |= known.takes
		}
	}
	if allow == nil {
		to.takes = takesBasic | takesSiteKey
	} else {
		to.handle = func(*call) (reply, error) {
			answer := problem{http.StatusMethodNotAllowed, "this path takes " + strings.Join(allow, ", ")}.reply()
			answer.allow = allow
			return answer, nil
		}
	}
	s.answer(to)(w, r)
}

// unknownPath answers 404 to whoever has credentials, and so lets a client try
// them with a read.
func unknownPath(*call) (reply, error) { return notFound(), nil }

// showIndex is GET /_/, which needs no credentials: what there is beside the specified
// interface.
func (s *Service) showIndex(w http.ResponseWriter, _ *http.Request) {
	own := []string{"GET /_/openapi.json"}
	for pattern, to := range s.operations {
		if to.endpoint == endpointOwn {
			own = append(own, pattern)
		}
	}
	slices.Sort(own)
	answer, _ := jsonReply(http.StatusOK, map[string][]string{"own": own}) // strings always encode
	answer.write(w)
}
