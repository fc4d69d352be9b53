package service

import (
	"cmp"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/wire"
)

// maxURL is how long a queued URL may be, in bytes.
const maxURL = 8192

// queuePaths is POST paths, specification section 4.1: each well-formed URL is
// Ok, whether the crawler is active or not (section 3); any other is Invalid. An
// active crawler takes its URLs at once.
func (s *Service) queuePaths(c *call) (reply, error) {
	urls, err := decodeArray[string](c, "an array of URL strings")
	if err != nil {
		return reply{}, err
	}
	statuses := make([]wire.PathStatus, len(urls))
	err = s.update(c.customer, c.crawler, func(x *index) (err error) {
		for i, url := range urls {
			statuses[i] = wire.PathStatus{URL: url, Status: "Invalid"}
			if isWebURL(url) {
				statuses[i].Status = "Ok"
			}
			if refusal, ok := c.switches.refusal(EndpointPaths, url); ok {
				statuses[i].Status = cmp.Or(refusal.Reason, "Invalid")
			}
			if err == nil && statuses[i].Status == "Ok" && x.bucket("active") == nil {
				err = x.store("queue", url, nil)
			}
		}
		return err
	})
	return okReply(statuses, err)
}

// isWebURL reports whether s is an absolute http or https URL as it stands: the
// WHATWG parser alone would trim spaces and supply missing slashes.
func isWebURL(s string) bool {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return false
	}
	isSpaceOrControl := func(r rune) bool { return r <= ' ' || r == 0x7f }
	if len(s) > maxURL || rest == "" || strings.ContainsFunc(s, isSpaceOrControl) || strings.ContainsRune(`/\?#`, rune(rest[0])) {
		return false
	}
	parsed, err := whatwg.Parse(s)
	return err == nil && parsed.Hostname() != ""
}
