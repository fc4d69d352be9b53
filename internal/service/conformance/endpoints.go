package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const unknownID = 2147483647

// endpoint is an operation with a request that changes nothing: a service refuses the request even with valid
// credentials.
type endpoint struct {
	request
	takes string // accepted schemes of specification section 5.3; "any" means also no credentials
}

func (e endpoint) takesScheme(scheme string) bool {
	return e.takes == "any" || strings.Contains(e.takes, scheme)
}

// endpoints returns every operation of sections 4.1 to 4.4. It leaves out operations on an engine (a site
// search) if the target has none.
func (s *session) endpoints() []endpoint {
	paths := s.versioned("v4", "crawler") + "/paths"
	// The operator is invalid. If a service accepts the filter anyway, it matches no document.
	filter := s.encode(object{"Url": object{"operator": "none", "values": []string{s.root}}})
	all := []endpoint{
		{request{method: "PUT", path: s.indexPath(), body: `{}`}, "Basic"},
		{request{method: "PATCH", path: s.indexPath(), body: `{}`}, "Basic"},
		{request{method: "DELETE", path: s.indexPath()}, "Basic"},
		{request{method: "POST", path: s.indexPath() + "/bulk-delete", body: filter}, "Basic"},
		{request{method: "POST", path: paths, body: `{}`}, "Basic"},
		{request{method: "DELETE", path: "/api/synonymsgroup"}, "Basic"},
		{request{method: "POST", path: "/api/synonymsgroup", body: `[]`}, "Basic"},
		{request{method: "POST", path: "/api/rankings", body: `[]`}, "Basic"},
		{request{method: "POST", path: "/api/banners", body: `[]`}, "Basic"},
	}
	for _, one := range []string{"GET rankings", "PUT rankings", "GET quicklinks", "PUT quicklinks", "DELETE quicklinks", "GET banners", "DELETE banners"} {
		method, kind, _ := strings.Cut(one, " ")
		r := request{method: method, path: fmt.Sprintf("/api/%s/%d", kind, unknownID)}
		if method == "PUT" {
			r.body = `[]`
		}
		all = append(all, endpoint{r, "Basic"})
	}
	for _, e := range []struct{ version, path, takes string }{
		{"v3", "search/pushstat/querylog", "SiteKey"}, {"v3", "search/pushstat/clicklog", "SiteKey"}, {"v4", "feedback", "any"},
		{"v4", "search/answer/feedback", "SiteKey"}, {"v4", "search/summarize/feedback", "SiteKey or Basic"}, {"v4", "search/answer/click", "SiteKey or Basic"},
	} {
		if s.target.EngineID != 0 {
			all = append(all, endpoint{s.engineCall(e.version, e.path, `[]`), e.takes})
		}
	}
	return all
}

func (s *session) writes() []endpoint {
	return slices.DeleteFunc(s.endpoints(), func(e endpoint) bool { return e.method == http.MethodGet || e.method == http.MethodDelete })
}
