package plan

import (
	"fmt"
	"regexp"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// capped are the patterns of URLs that the crawl did not cover, by host.
type capped map[string][]*regexp.Regexp

func newCapped(caps []document.Cap) (capped, error) {
	all := capped{}
	for _, c := range caps {
		re, err := regexp.Compile(c.Pattern)
		if err != nil {
			return nil, fmt.Errorf("read the pattern of a cap: %w", err)
		}
		all[c.Host] = append(all[c.Host], re)
	}
	return all, nil
}

// covers returns the pattern of url that the crawl stopped following; empty: none.
func (c capped) covers(url string) string {
	host := weburl.Origin(url)
	for _, re := range c[host] {
		if re.MatchString(url[len(host):]) {
			return re.String()
		}
	}
	return ""
}
