package crawl

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"sitesync/crawl/sitemap"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// shownMaps is how many sitemaps without fault are named, of each host.
const shownMaps = 20

// tally is what one sitemap file lists.
type tally struct {
	host                     *host
	file                     string
	urls, outside, elsewhere int
	maps                     int    // other sitemaps
	other                    string // the first of the origins that are not the site's
	newest                   int64
	faults                   []string
}

// count takes in an entry of a sitemap.
func (k *checker) count(h *host, file string, e sitemap.Entry) {
	t := k.tallyOf(h, file)
	url, err := k.canon.Resolve(file, e.Loc)
	switch {
	case e.Loc == "": // the file begins, perhaps once more
		*t = tally{host: h, file: file}
		return
	case e.Sitemap:
		t.maps++
		return
	case err != nil || e.Alternate:
		return
	}
	t.urls++
	t.newest = max(t.newest, e.Lastmod)
	if origin := weburl.Origin(url); k.hosts[origin] == nil {
		t.elsewhere++
		t.other = cmp.Or(t.other, origin)
	} else if ok, _ := k.inScope(url); !ok {
		t.outside++
	}
}

// tallyOf returns the tally of a file.
func (k *checker) tallyOf(h *host, file string) *tally {
	t := k.tallies[file]
	if t == nil {
		t = &tally{host: h, file: file}
		k.tallies[file], k.maps = t, append(k.maps, t)
	}
	return t
}

// sitemaps says what each sitemap of a host lists, and what is wrong with it.
func (k *checker) sitemaps(h *host) []Finding {
	for _, w := range k.faultsOf(h) {
		t := k.tallyOf(h, w.URL)
		t.faults = append(t.faults, w.Text)
	}
	sum := tally{host: h, file: h.origin}
	var found []Finding
	hidden := 0
	for _, t := range k.maps {
		if t.host != h {
			continue
		}
		sum.add(t)
		if f := t.finding(); !f.OK || len(found) < shownMaps {
			found = append(found, f)
		} else {
			hidden++
		}
	}
	switch {
	case len(found) == 0:
		return []Finding{k.noSitemap(h)}
	case len(found) > 1:
		f := Finding{Subject: "sitemaps", Of: h.origin, OK: true, Text: "in all " + sum.text()}
		if hidden > 0 {
			f.Text += fmt.Sprintf("; %d files without fault are not named", hidden)
		}
		found = append(found, f)
	}
	return found
}

// faultsOf takes the warnings about a host's sitemaps. What lies elsewhere and gave
// nothing belongs to the first host.
func (k *checker) faultsOf(h *host) (faults []document.Warning) {
	for _, w := range k.warnings.all() {
		owner := k.hosts[weburl.Origin(w.URL)]
		if t := k.tallies[w.URL]; t != nil {
			owner = t.host
		}
		if w.Kind == "sitemap" && (owner == h || owner == nil && h.index == 0) {
			faults = append(faults, w)
		}
	}
	return faults
}

func (k *checker) noSitemap(h *host) Finding {
	f := Finding{Subject: "sitemap", Of: h.origin, OK: true, Text: "none; pages are found by their links"}
	if k.opts.AutoSitemaps {
		f.Text = "none: robots.txt names none, and /sitemap.xml is not there; pages are found by their links"
	}
	if !k.opts.Links && k.folder == nil {
		f.OK, f.Next = false, "nothing leads to other pages: set site.links = true, or name sitemaps in site.sitemaps"
	}
	return f
}

func (t *tally) add(other *tally) {
	t.urls, t.outside, t.elsewhere = t.urls+other.urls, t.outside+other.outside, t.elsewhere+other.elsewhere
	t.newest = max(t.newest, other.newest)
}

func (t *tally) finding() Finding {
	f := Finding{Subject: "sitemap", Of: t.file, OK: true, Text: t.text()}
	switch {
	case len(t.faults) > 0:
		f.OK, f.Next = false, "repair the file, or take it out of robots.txt or site.sitemaps"
		f.Text = t.faults[0]
		if more := len(t.faults) - 1; more > 0 {
			f.Text += fmt.Sprintf(", and %s more", plural(more, "fault"))
		}
		if t.urls+t.maps > 0 {
			f.Text += "; " + t.text()
		}
	case t.urls > 0 && t.urls == t.elsewhere:
		f.OK, f.Next = false, fmt.Sprintf("none of it is of this site: should it be site.start = [%q]?", t.other+"/")
	case t.urls > 0 && t.urls == t.elsewhere+t.outside:
		f.OK, f.Next = false, "none of it is in scope: look at site.include and site.exclude"
	}
	return f
}

// text says what the file lists, in words.
func (t *tally) text() string {
	var all []string
	if t.maps > 0 {
		all = append(all, "an index of "+plural(t.maps, "sitemap"))
	}
	if t.urls > 0 || t.maps == 0 {
		all = append(all, plural(t.urls, "URL"))
	}
	if t.outside > 0 {
		all = append(all, fmt.Sprintf("%d out of scope", t.outside))
	}
	if t.elsewhere > 0 {
		all = append(all, fmt.Sprintf("%d on other hosts", t.elsewhere))
	}
	if t.newest > 0 {
		all = append(all, "newest change "+day(time.Unix(t.newest, 0)))
	}
	return strings.Join(all, ", ")
}
