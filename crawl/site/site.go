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

// Options are the settings of `[site]` that say which URLs belong to the site.
type Options struct {
	Start, Include, Exclude, IgnoreParams, FollowOnly, NoFollow, FileHosts []string
	Via                                                                    map[string]string // live origin → origin that is asked in its place
	Folder                                                                 bool              // a folder stands for the network
}

// Site is the site of a configuration.
type Site struct {
	Start      []string              // canonical
	Canon      *weburl.Canonicalizer // writes the origins that stand for a start origin as that one
	FollowOnly weburl.Patterns       // pages that are followed, not indexed
	NoFollow   weburl.Patterns       // pages that are indexed, not followed
	Via        map[string]string     // live origin → staging origin

	ignoreParams []string
	origins      []string        // of the start URLs, as they come
	files        []string        // of which only files belong to the site
	onlyFiles    map[string]bool // those
	include      weburl.Patterns // empty: all
	exclude      weburl.Patterns // which wins
	live         map[string]string
	variants     *variants
}

// New returns the site of the options. All that is wrong with addresses and patterns is
// in the error.
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
	var starts []string // that are asked themselves
	for _, origin := range s.Origins() {
		if !s.Staged(origin) && !o.Folder {
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

// addFileHosts reads site.file_hosts: hosts of which only files belong to the site.
func (s *Site) addFileHosts(names []string) error {
	for _, name := range names {
		secure, err := s.Canon.URL("https://" + name + "/")
		plain, plainErr := s.Canon.URL("http://" + name + "/")
		if err := errors.Join(err, plainErr); err != nil {
			return fmt.Errorf("site.file_hosts: %w", err)
		}
		both := []string{weburl.Origin(secure), weburl.Origin(plain)}
		if slices.ContainsFunc(both, func(origin string) bool { return slices.Contains(s.origins, origin) || s.onlyFiles[origin] }) {
			continue // all of a start host belongs to the site
		}
		for _, origin := range both {
			s.files = append(s.files, origin)
			s.onlyFiles[origin] = true
		}
	}
	return nil
}

// addVia reads site.via: hosts that are asked in place of live ones.
func (s *Site) addVia(o Options) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(o.Via)) {
		live, err := weburl.ConfiguredOrigin(name)
		staging, stagingErr := weburl.ConfiguredOrigin(o.Via[name])
		switch {
		case errors.Join(err, stagingErr) != nil:
			err = fmt.Errorf("site.via: %w", errors.Join(err, stagingErr))
		case !slices.Contains(s.origins, live):
			err = fmt.Errorf("site.via: %s is no origin of site.start, which has %s", live, strings.Join(s.Origins(), ", "))
		case slices.Contains(s.origins, staging) || s.onlyFiles[staging]:
			err = fmt.Errorf("site.via: %s is asked in place of %s and can't be crawled itself; take it out of site.start and site.file_hosts", staging, live)
		case s.live[staging] != "":
			err = fmt.Errorf("site.via: %s can't stand for both %s and %s", staging, s.live[staging], live)
		case o.Folder:
			err = errors.New("site.via: site.folder is crawled already in place of the live host; remove one of the two")
		}
		faults = append(faults, err)
		s.Via[live], s.live[staging] = staging, live
	}
	return errors.Join(faults...)
}

// Hosts returns the origins of the start URLs as they come, and those of which only
// files belong to the site.
func (s *Site) Hosts() (starts, files []string) { return s.origins, s.files }

// Origins returns the origins of the start URLs, sorted: the scope.
func (s *Site) Origins() []string { return slices.Sorted(slices.Values(s.origins)) }

// FileOrigins returns the origins of which only files belong to the site, sorted.
func (s *Site) FileOrigins() []string { return slices.Sorted(slices.Values(s.files)) }

// OnlyFiles reports whether only files of a canonical URL's host belong to the site.
func (s *Site) OnlyFiles(url string) bool { return s.onlyFiles[weburl.Origin(url)] }

// Includes reports whether a canonical URL belongs to the site, and the rule that
// decided; that is empty when the URL belongs to it and no rule was needed.
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

// Owned errs, saying why, unless id is an address of the site in today's form, or one
// that today's rules write as such an address. It asks nobody: another form of a start
// origin does not belong to the site.
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

// Staged reports whether a staging host is asked in place of a URL's own.
func (s *Site) Staged(url string) bool { return len(s.Via) > 0 && s.Via[weburl.Origin(url)] != "" }

// Asked returns the addresses that are really asked for the start URLs.
func (s *Site) Asked() []string {
	all := slices.Clone(s.Start)
	for i, url := range all {
		if s.Staged(url) {
			all[i] = s.Via[weburl.Origin(url)] + weburl.Target(url)
		}
	}
	return all
}

// IsAsset reports whether a canonical URL names an image, a style sheet and the like. A
// colon in the name is a wiki's page about such a file.
func IsAsset(url string) bool {
	name := weburl.Path(url)
	name = name[strings.LastIndexByte(name, '/')+1:]
	return document.IsAsset(name) && !strings.Contains(name, ":")
}

// IsFile reports whether a canonical URL names a file that makes a document.
func IsFile(url string) bool { return document.FileMedia(weburl.Path(url)) != "" }

// WithSession returns where a redirect from a canonical URL leads that only writes a
// session into the page's own address, or another one: what is there is the page. It is
// empty for other redirects.
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
