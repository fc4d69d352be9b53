package service

import (
	"slices"
	"strings"
	"testing"
)

// TestToolPaths: paths have no version, IDs are plain numbers, and what the
// specification does not show is there only when asked for.
func TestToolPaths(t *testing.T) {
	plain, extended := open(t, Options{}), open(t, Options{Extended: true})
	create := func(l *local) {
		for _, sample := range toolSamples() {
			l.call(t.Context(), "POST", sample.path, "{"+sample.body)
		}
	}
	create(plain)
	create(extended)
	for request, status := range map[string]int{
		"GET /api/rankings": 405, "GET /api/rankings/site/7": 404, "DELETE /api/rankings/1": 405, "POST /api/quicklinks": 404, "GET /api/engine/7/quicklinks": 404,
		"GET /api/banners/site/7": 404, "PUT /api/banners/1": 405, "PUT /api/synonymsgroup": 405, "GET /api/synonymsgroup/1": 404, "GET /api/synonymsgroup/en": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		plain.refuses(status, method, path, `{}`)
		if got := extended.call(t.Context(), method, path, `{"groupId":1,`+synonyms); got.status == 404 {
			t.Errorf("extended, %s: got %+v", request, got)
		}
	}
	for _, l := range []*local{plain, extended} {
		for _, sample := range toolSamples() {
			for _, version := range []string{"/v3", "/v4"} {
				l.isNothing("POST", strings.Replace(sample.path, "/api", "/api"+version, 1), "{"+sample.body)
			}
			for _, id := range []string{"0", "-1", "01", "+1", "1.0", "0x1", "x", "%31x", "99999999999999999999", "9223372036854775807", "1%2F", "site"} {
				l.isNothing("GET", sample.path+"/"+id, ``)
				l.isNothing("PUT", sample.path+"/"+id, "{"+sample.body)
				l.isNothing("DELETE", sample.path+"/"+id, ``)
			}
			l.isNothing("POST", sample.path+"/", "{"+sample.body)
			l.isNothing("PATCH", sample.path, "{"+sample.body)
			l.isNothing("PATCH", sample.path+"/1", "{"+sample.body)
		}
		for _, path := range []string{"/api/engine/x/quicklinks", "/api/rankings/site/x", "/api/banners/site/-1", "/_/tools/10000001/x", "/_/tools/10000001/"} {
			l.isNothing("GET", path, ``)
		}
	}
}

// isNothing checks that a call is no operation: its path is unknown, or takes other
// methods.
func (l *local) isNothing(method, path, body string) {
	l.t.Helper()
	if got := l.call(l.t.Context(), method, path, body); got.status != 404 && (got.status != 405 || slices.Contains(strings.Split(got.header.Get("Allow"), ", "), method)) || !strings.HasPrefix(got.body, `{"message":"`) {
		l.t.Errorf("%s %s: want nothing there, got %+v", method, path, got)
	}
}
