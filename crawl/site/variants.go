package site

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/weburl"
)

// variants holds the variants of each start origin: the same host with http or https, with or without "www.".
// If the root page of a variant redirects to the start origin, the start origin replaces the variant in URLs.
// A root page is requested when a URL first names its variant. variants is safe for concurrent use.
type variants struct {
	ask func(variant, start string) (leads string, err error)
	all map[string]*variant
	mu  sync.Mutex
}

type variant struct {
	starts []string // start origins that differ from the variant only in scheme and "www."
	before string   // start origin that replaced the variant in the previous crawl
	asked  bool
	home   string // start origin that replaces the variant; empty if none does
	unsure string // reason why a root page could not be requested; empty if no request failed
}

func newVariants(starts, hosts []string) *variants {
	v := &variants{all: map[string]*variant{}}
	for _, start := range starts {
		for _, origin := range formsOf(start) {
			if slices.Contains(hosts, origin) {
				continue
			}
			if v.all[origin] == nil {
				v.all[origin] = &variant{}
			}
			v.all[origin].starts = append(v.all[origin].starts, start)
		}
	}
	return v
}

// formsOf returns origin with http and https, each with and without "www."; nil if origin names a port.
func formsOf(origin string) (forms []string) {
	host := weburl.Host(origin)
	if strings.Contains(host, ":") {
		return nil
	}
	hosts := []string{host}
	if bare, ok := strings.CutPrefix(host, "www."); ok {
		hosts = append(hosts, bare)
	} else if _, err := netip.ParseAddr(host); err != nil {
		hosts = append(hosts, "www."+host)
	}
	for _, host := range hosts {
		forms = append(forms, "https://"+host, "http://"+host)
	}
	return forms
}

func (v *variants) home(origin string) string {
	x := v.all[origin]
	if x == nil || v.ask == nil {
		return ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.follow(origin, x)
	return x.home
}

// follow finds the start origin to which a variant redirects. The way may lead through another variant, such
// as from http to https and then to "www.". If a request fails, the result of the previous crawl counts.
func (v *variants) follow(origin string, x *variant) {
	if x.asked {
		return
	}
	x.asked = true
	leads, err := v.ask(origin, x.starts[0])
	switch next := v.all[leads]; {
	case err != nil:
		x.unsure = err.Error()
	case slices.Contains(x.starts, leads):
		x.home = leads
	case next != nil:
		v.follow(leads, next)
		x.unsure = next.unsure
		if slices.Contains(x.starts, next.home) {
			x.home = next.home
		}
	}
	if x.home == "" && x.unsure != "" {
		x.home = x.before
	}
}

// AskBy sets the function ask, which requests the root page of a variant of the start origin start. ask
// returns the origin to which the root page redirects. It errs if the request fails.
func (s *Site) AskBy(ask func(variant, start string) (leads string, err error)) { s.variants.ask = ask }

// Recall stores a result of the previous crawl: the start origin start replaced the origins in folded.
func (s *Site) Recall(start string, folded []string) {
	for _, origin := range folded {
		if x := s.variants.all[origin]; x != nil && slices.Contains(x.starts, start) {
			x.before = start
		}
	}
}

// Folded returns the origins that the start origin start replaces, sorted. fresh is true if at least one of
// these replacements is new since the previous crawl.
func (s *Site) Folded(start string) (folded []string, fresh bool) {
	for _, origin := range slices.Sorted(maps.Keys(s.variants.all)) {
		x := s.variants.all[origin]
		if x.home != start && (x.asked || x.before != start) {
			continue
		}
		folded = append(folded, origin)
		fresh = fresh || x.before != start
	}
	return folded, fresh
}

// Unsure returns the reason why it is unknown whether a start origin replaces the origin of url. The reason
// is "" if no request failed.
func (s *Site) Unsure(url string) string {
	x := s.variants.all[weburl.Origin(url)]
	if x == nil || x.unsure == "" {
		return ""
	}
	return fmt.Sprintf("whether %s redirects to %s can't be told: %s", weburl.Origin(url), x.starts[0], x.unsure)
}

// Leads returns the origin to which resp, the response for the root page of variant, redirects; "" if resp is
// no redirect. It errs for status 429 and 5xx.
func Leads(variant string, resp *http.Response) (string, error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		if target, err := weburl.NewCanonicalizer(nil).Resolve(variant+"/", resp.Header.Get("Location")); err == nil {
			return weburl.Origin(target), nil
		}
	}
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return "", fmt.Errorf("its root page answered %d", resp.StatusCode)
	}
	return "", nil
}
