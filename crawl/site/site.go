package site

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Options are the settings in section `[site]` of the configuration that say which URLs belong to the site.
type Options struct {
	Start        []string
	Folder       string // local folder to crawl as if it were served at the start URL; empty: crawl by HTTP
	Include      []string
	Exclude      []string
	IgnoreParams []string
	FollowOnly   []string          // patterns of pages that are not indexed, but whose links are followed
	NoFollow     []string          // patterns of pages that are indexed, but whose links are not followed
	FileHosts    []string          // hosts whose linked files belong to the site
	Via          map[string]string // live origin → origin to request instead
}

// Site decides which URLs belong to the crawled site.
type Site struct {
	Start      []string              // canonical URLs
	Canon      *weburl.Canonicalizer // replaces variants of a start URL's origin, such as http for https
	FollowOnly weburl.Patterns
	NoFollow   weburl.Patterns
	Via        map[string]string // live origin → staging origin

	ignoreParams []string
	origins      []string
	files        []string
	onlyFiles    map[string]bool
	include      weburl.Patterns
	exclude      weburl.Patterns
	live         map[string]string
	variants     *variants
}

// New returns the Site that o describes. The error joins all faults in addresses and patterns.
func New(o Options) (*Site, error) {
	s := &Site{
		Canon: weburl.NewCanonicalizer(o.IgnoreParams), ignoreParams: o.IgnoreParams,
		Via: map[string]string{}, live: map[string]string{}, onlyFiles: map[string]bool{},
	}
	var faults []error
	for _, raw := range o.Start {
		url, err := s.Canon.URL(raw)
		if err != nil {
			faults = append(faults, fmt.Errorf("site.start: %w", err))
			continue
		}
		s.Start = append(s.Start, url)
		if origin := weburl.Origin(url); !slices.Contains(s.origins, origin) {
			s.origins = append(s.origins, origin)
		}
	}
	patterns := func(key string, texts []string) weburl.Patterns {
		all, err := weburl.ReadPatterns(key, texts)
		faults = append(faults, err)
		return all
	}
	s.include, s.exclude = patterns("site.include", o.Include), patterns("site.exclude", o.Exclude)
	s.FollowOnly, s.NoFollow = patterns("site.follow_only", o.FollowOnly), patterns("site.no_follow", o.NoFollow)
	faults = append(faults, s.addFileHosts(o.FileHosts), s.addVia(o))
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	var starts []string
	for _, origin := range s.Origins() {
		if !s.Staged(origin) && o.Folder == "" {
			starts = append(starts, origin)
		}
	}
	s.variants = newVariants(starts, slices.Concat(s.origins, s.files))
	if len(s.variants.all)+len(s.live) > 0 {
		s.Canon = s.Canon.WithHome(func(origin string) string {
			if live := s.live[origin]; live != "" {
				return live
			}
			return s.variants.home(origin)
		})
	}
	return s, nil
}

func (s *Site) addFileHosts(names []string) error {
	for _, name := range names {
		secure, err := s.Canon.URL("https://" + name + "/")
		plain, plainErr := s.Canon.URL("http://" + name + "/")
		if err := errors.Join(err, plainErr); err != nil {
			return fmt.Errorf("site.file_hosts: %w", err)
		}
		both := []string{weburl.Origin(secure), weburl.Origin(plain)}
		known := slices.Concat(s.origins, s.files)
		if slices.Contains(known, both[0]) || slices.Contains(known, both[1]) {
			continue
		}
		for _, origin := range both {
			s.files = append(s.files, origin)
			s.onlyFiles[origin] = true
		}
	}
	return nil
}

func (s *Site) addVia(o Options) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(o.Via)) {
		live, err := weburl.ConfiguredOrigin(name)
		staging, stagingErr := weburl.ConfiguredOrigin(o.Via[name])
		switch {
		case errors.Join(err, stagingErr) != nil:
			err = fmt.Errorf("site.via: %w", errors.Join(err, stagingErr))
		case !slices.Contains(s.origins, live):
			err = fmt.Errorf("site.via: %s is no origin of site.start, which has %s",
				live, strings.Join(s.Origins(), ", "))
		case slices.Contains(s.origins, staging) || s.onlyFiles[staging]:
			err = fmt.Errorf("site.via: %s is asked in place of %s and can't be crawled itself; "+
				"take it out of site.start and site.file_hosts", staging, live)
		case s.live[staging] != "":
			err = fmt.Errorf("site.via: %s can't stand for both %s and %s", staging, s.live[staging], live)
		case o.Folder != "":
			err = errors.New("site.via: site.folder already replaces the live host; remove one of the two")
		}
		faults = append(faults, err)
		s.Via[live], s.live[staging] = staging, live
	}
	return errors.Join(faults...)
}

// Hosts returns the origins of the start URLs in the order of the configuration, and the origins of which
// only files belong to the site.
func (s *Site) Hosts() (starts, files []string) { return s.origins, s.files }

// Origins returns the origins of the start URLs, sorted.
func (s *Site) Origins() []string { return slices.Sorted(slices.Values(s.origins)) }

// FileOrigins returns the origins of which only files belong to the site, sorted.
func (s *Site) FileOrigins() []string { return slices.Sorted(slices.Values(s.files)) }

// OnlyFiles reports whether only files of a canonical URL's host belong to the site.
func (s *Site) OnlyFiles(url string) bool { return s.onlyFiles[weburl.Origin(url)] }

// Includes reports whether a canonical URL belongs to the site. why names the rule that decided. why is empty
// if the URL belongs to the site and matches no rule.
func (s *Site) Includes(url string) (ok bool, why string) {
	origin := weburl.Origin(url)
	switch {
	case s.onlyFiles[origin] && !IsFile(url):
		return false, "site.file_hosts: only files (PDF, DOCX and the like) of " + origin + " belong to the site"
	case !s.onlyFiles[origin] && !slices.Contains(s.origins, origin):
		return false, "other origin " + origin
	}
	if rule := s.exclude.Find(url); rule != "" {
		return false, rule
	}
	rule := s.include.Find(url)
	if rule == "" && len(s.include) > 0 {
		return false, "no site.include matches"
	}
	return true, rule
}

// Owned errs, with the reason, unless id, a document's URL, belongs to the site. It makes no requests. A URL
// with http for https, or with "www." before a start host, does not belong to the site.
func (s *Site) Owned(id string) error {
	if !utf8.ValidString(id) {
		return fmt.Errorf("%q is not valid UTF-8", id)
	}
	if len(id) > weburl.MaxLen {
		return fmt.Errorf("%s has %d bytes; an ID has %d at most", id, len(id), weburl.MaxLen)
	}
	url, err := weburl.NewCanonicalizer(s.ignoreParams).URL(id)
	if err != nil {
		return err
	}
	if ok, why := s.Includes(url); !ok {
		return fmt.Errorf("%s is out of scope: %s", id, why)
	}
	return nil
}

// Staged reports whether a staging host is requested in place of the host of url.
func (s *Site) Staged(url string) bool { return len(s.Via) > 0 && s.Via[weburl.Origin(url)] != "" }

// Asked returns the start URLs as they are requested, with staging hosts in place of live ones.
func (s *Site) Asked() []string {
	all := slices.Clone(s.Start)
	for i, url := range all {
		if s.Staged(url) {
			all[i] = s.Via[weburl.Origin(url)] + weburl.Target(url)
		}
	}
	return all
}

// IsAsset reports whether a canonical URL names an image, a style sheet or the like. A name with a colon is
// no asset: it is a wiki's page about such a file.
func IsAsset(url string) bool {
	name := weburl.Path(url)
	name = name[strings.LastIndexByte(name, '/')+1:]
	return document.IsAsset(name) && !strings.Contains(name, ":")
}

// IsFile reports whether a canonical URL names a file that is indexed, such as a PDF.
func IsFile(url string) bool { return document.FileMedia(weburl.Path(url)) != "" }

// WithSession returns the absolute URL of location if the redirect from url to location only adds or changes
// a session ID, and so leads to the same page. For any other redirect it returns "".
func (s *Site) WithSession(url, location string) string {
	target, err := s.Canon.Resolve(url, location)
	if location == "" || err != nil {
		return ""
	}
	form, session := weburl.SessionForm(target)
	own, _ := weburl.SessionForm(url)
	raw := weburl.Join(url, location)
	if target != url && !(session && form == own) || weburl.Origin(raw) != weburl.Origin(url) || raw == url {
		return ""
	}
	return raw
}
