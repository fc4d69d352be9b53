package run

import (
	"slices"
	"strings"
	"sync/atomic"

	"sitesync/internal/cli/app"
	"sitesync/internal/weburl"
)

// part is the value of one --only flag: a URL, or a glob for the paths of one origin or of all origins.
type part struct {
	name   string
	url    string // canonical URL; empty if the part is a glob
	origin string // scheme, host and port; empty if any origin matches
	glob   weburl.Patterns
	met    atomic.Bool
}

// parts limits a run to the URLs that match at least one part. If it is empty, the run covers the whole site.
type parts []*part

// readOnly parses the values of --only, and returns the parts and the URLs among them. It errs on a value
// that is neither a URL nor a glob.
func readOnly(only []string) (all parts, urls []string, err error) {
	canon := weburl.NewCanonicalizer(nil)
	for _, name := range only {
		p := &part{name: name}
		path := name
		if scheme, rest, full := strings.Cut(name, "://"); full {
			host, glob, _ := strings.Cut(rest, "/")
			path = "/" + glob
			asURL := name
			if isGlob := strings.ContainsAny(glob, "*{"); isGlob {
				asURL = scheme + "://" + host + "/"
			}
			url, err := canon.URL(asURL)
			if err != nil {
				return nil, nil, app.Usagef("--only %q: %w", name, err)
			}
			p.origin = weburl.Origin(url)
			if asURL == name {
				p.url, urls = url, append(urls, url)
			}
		}
		if p.url == "" {
			p.glob, err = weburl.ReadPatterns("--only", []string{path})
			if err != nil {
				return nil, nil, app.Usage(err)
			}
		}
		all = append(all, p)
	}
	return all, urls, nil
}

// check errs if a part names an origin that is not one of the given origins of the site.
func (all parts) check(origins ...[]string) error {
	for _, p := range all {
		if known := slices.Concat(origins...); p.origin != "" && !slices.Contains(known, p.origin) {
			return app.Usagef("--only %q is not on the site; site.start and site.file_hosts name %s",
				p.name, strings.Join(known, ", "))
		}
	}
	return nil
}

// cover reports whether a part matches a canonical URL, and marks matching parts as met. It is
// concurrency-safe.
func (all parts) cover(url string) (covered bool) {
	for _, p := range all {
		if url == p.url || p.url == "" && (p.origin == "" || p.origin == weburl.Origin(url)) && p.glob.Match(url) {
			p.met.Store(true)
			covered = true
		}
	}
	return covered
}
