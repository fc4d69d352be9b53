package conformance

import (
	"fmt"
	"net/http"
	"slices"
)

func pathRules() []rule {
	return []rule{
		{"4.1 each queued URL is Ok, a malformed one Invalid", true, pathsStatuses},
		{"3 an inactive crawler keeps its queue", true, pathsInactive},
		{"4.1 the queue takes an array of strings", true, func(s *session) {
			for _, body := range []string{`{}`, `"https://conformance.invalid/"`, `[1]`, `[null]`, `[["https://conformance.invalid/"]]`} {
				s.refused(s.paths(body), http.StatusBadRequest)
			}
		}},
	}
}

func (s *session) paths(body string) request {
	return request{method: http.MethodPost, path: s.versioned("v4", "crawler") + "/paths", body: body}
}

// activate makes the crawler (content source) active or inactive. Activation empties the crawler's URL queue.
func (s *session) activate(active bool) {
	s.Helper()
	path := fmt.Sprintf("/_/crawlers/%d/%s/active", s.target.CustomerID, s.target.CrawlerID)
	s.ok(request{method: http.MethodPut, path: path, body: fmt.Sprint(active)})
}

func (s *session) emptyQueue() {
	s.activate(true)
	s.activate(false)
}

func (s *session) queued() []string {
	s.Helper()
	var queue struct {
		Active bool
		URLs   []string
	}
	path := fmt.Sprintf("/_/crawlers/%d/%s/queue", s.target.CustomerID, s.target.CrawlerID)
	s.decode(s.ok(request{method: http.MethodGet, path: path}), &queue)
	return queue.URLs
}

func pathsStatuses(s *session) {
	s.Cleanup(s.emptyQueue)
	want := map[string]string{
		s.root: "Ok", s.root + "ø?a=|": "Ok", "HTTP://conformance.invalid:8080/": "Ok",
		"": "Invalid", "/news": "Invalid", "conformance.invalid/": "Invalid", "ftp://conformance.invalid/": "Invalid", "https://": "Invalid",
		"https:///news": "Invalid", "https://a b/": "Invalid", " " + s.root: "Invalid", "https://[::1/": "Invalid", "https://x:99999/": "Invalid",
	}
	var urls []string
	for url := range want {
		urls = append(urls, url)
	}
	var got []struct{ URL, Status string }
	s.decode(s.ok(s.paths(s.encode(urls))), &got)
	if len(got) != len(urls) {
		s.Fatalf("want %d statuses, got %v", len(urls), got)
	}
	for i, url := range urls {
		if got[i].URL != url || got[i].Status != want[url] {
			s.Errorf("%q: want %s, got %v", url, want[url], got[i])
		}
	}
}

func pathsInactive(s *session) {
	s.Cleanup(s.emptyQueue)
	body := s.encode([]string{s.root + "b", s.root + "a", s.root + "b"})
	for _, step := range []struct {
		active bool
		want   []string
	}{{false, []string{s.root + "a", s.root + "b"}}, {true, []string{}}} {
		s.activate(step.active)
		var got []struct{ URL, Status string }
		s.decode(s.ok(s.paths(body)), &got)
		for _, one := range got {
			if one.Status != "Ok" {
				s.Errorf("active %v: want Ok, got %v", step.active, one)
			}
		}
		if queued := s.queued(); len(got) != 3 || !slices.Equal(queued, step.want) {
			s.Errorf("active %v: want %v queued, got %v", step.active, step.want, queued)
		}
	}
}
