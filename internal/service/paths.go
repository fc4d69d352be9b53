package service

import (
	"fmt"
	"net/http"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/wire"
)

// maxURL is how long a queued URL may be, in bytes.
const maxURL = 8192

func (s *Service) pathRoutes() {
	s.route("/api/v4/{customer}/crawler/{crawler}/paths", methods{
		http.MethodPost: s.answer(EndpointPaths, s.queuePaths),
	})
}

// queuePaths is POST paths, specification section 4.1: each well-formed URL is
// Ok, whether the crawler is active or not (section 3); any other is Invalid.
func (s *Service) queuePaths(c *call) (apply, error) {
	urls, err := decodeArray[string](c, "an array of URL strings")
	if err != nil {
		return nil, err
	}
	c.ids = urls
	return func() (reply, error) {
		statuses := pathStatuses(urls)
		err := s.store.update(c.customer, c.crawler, func(x *index) error { return x.queue(statuses) })
		if err != nil {
			return reply{}, err
		}
		return jsonReply(http.StatusOK, statuses)
	}, nil
}

func pathStatuses(urls []string) []wire.PathStatus {
	statuses := make([]wire.PathStatus, len(urls))
	for i, url := range urls {
		statuses[i] = wire.PathStatus{URL: url, Status: "Invalid"}
		if isWebURL(url) {
			statuses[i].Status = "Ok"
		}
	}
	return statuses
}

// isWebURL reports whether s is an absolute http or https URL as it stands: the
// WHATWG parser alone would trim spaces and supply missing slashes.
func isWebURL(s string) bool {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return false
	}
	if len(s) > maxURL || rest == "" || strings.ContainsFunc(s, isSpaceOrControl) || strings.ContainsRune(`/\?#`, rune(rest[0])) {
		return false
	}
	parsed, err := whatwg.Parse(s)
	return err == nil && parsed.Hostname() != ""
}

func isSpaceOrControl(r rune) bool { return r <= ' ' || r == 0x7f }

// queue stores the accepted URLs of an inactive crawler; an active one takes
// them at once.
func (x *index) queue(statuses []wire.PathStatus) error {
	for _, status := range statuses {
		if status.Status != "Ok" || x.active() {
			continue
		}
		b, err := x.ensure("queue")
		if err != nil {
			return err
		}
		if err := b.Put([]byte(status.URL), nil); err != nil {
			return fmt.Errorf("queue %s: %w", status.URL, err)
		}
	}
	return nil
}

func (x *index) active() bool {
	b := x.bucket()
	return b != nil && b.Get([]byte("active")) != nil
}

func (x *index) setActive(active bool) error {
	b, err := x.ensure()
	if err != nil {
		return err
	}
	if !active {
		return b.Delete([]byte("active"))
	}
	if b.Bucket([]byte("queue")) != nil {
		if err := b.DeleteBucket([]byte("queue")); err != nil {
			return err
		}
	}
	return b.Put([]byte("active"), []byte("1"))
}
