package scout

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/document"
)

// shownFiles is how many sitemaps without fault are named, of each host.
const shownFiles = 20

// File counts what one sitemap file lists.
type File struct {
	Host, Name string
	URLs       int
	Outside    int      // of those, out of scope
	Elsewhere  int      // of those, on other hosts
	Other      string   // the first of the origins that are not the site's
	Maps       int      // other sitemaps
	Newest     int64    // the newest date, in Unix seconds
	Faults     []string // in words
}

// Sitemaps are the files of a site, in the order in which they were read.
type Sitemaps struct {
	files  []*File
	byName map[string]*File
}

// Host returns the host that a file belongs to; empty when the file was not read.
func (s *Sitemaps) Host(name string) string {
	if f := s.byName[name]; f != nil {
		return f.Host
	}
	return ""
}

// File returns the file of a name, which belongs to a host.
func (s *Sitemaps) File(host, name string) *File {
	if s.byName == nil {
		s.byName = map[string]*File{}
	}
	if s.byName[name] == nil {
		s.byName[name] = &File{Host: host, Name: name}
		s.files = append(s.files, s.byName[name])
	}
	return s.byName[name]
}

// Findings says what each sitemap of a host lists, and what is wrong with it.
func (s *Sitemaps) Findings(host string) (found []Finding) {
	sum := File{}
	hidden := 0
	for _, f := range s.files {
		if f.Host != host {
			continue
		}
		sum.URLs, sum.Outside, sum.Elsewhere, sum.Newest = sum.URLs+f.URLs, sum.Outside+f.Outside, sum.Elsewhere+f.Elsewhere, max(sum.Newest, f.Newest)
		if one := f.finding(); !one.OK || len(found) < shownFiles {
			found = append(found, one)
		} else {
			hidden++
		}
	}
	if len(found) < 2 {
		return found
	}
	all := Finding{Subject: "sitemaps", Of: host, OK: true, Text: "in all " + sum.text()}
	if hidden > 0 {
		all.Text += "; not named: " + document.Count(hidden, "file") + " without fault"
	}
	return append(found, all)
}

func (f *File) finding() Finding {
	one := Finding{Subject: "sitemap", Of: f.Name, Text: f.text()}
	switch {
	case len(f.Faults) > 0:
		one.Text, one.Next = f.Faults[0], "repair the file, or take it out of robots.txt or site.sitemaps"
		if more := len(f.Faults) - 1; more > 0 {
			one.Text += fmt.Sprintf(", and %s more", document.Count(more, "fault"))
		}
		if f.URLs+f.Maps > 0 {
			one.Text += "; " + f.text()
		}
	case f.URLs > 0 && f.URLs == f.Elsewhere:
		one.Next = fmt.Sprintf("none of it is of this site: should it be site.start = [%q]?", f.Other+"/")
	case f.URLs > 0 && f.URLs == f.Elsewhere+f.Outside:
		one.Next = "none of it is in scope: look at site.include and site.exclude"
	default:
		one.OK = true
	}
	return one
}

// text says in words what the file lists.
func (f *File) text() string {
	var all []string
	add := func(ok bool, format string, args ...any) {
		if ok {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	add(f.Maps > 0, "an index of %s", document.Count(f.Maps, "sitemap"))
	add(f.URLs > 0 || f.Maps == 0, "%s", document.Count(f.URLs, "URL"))
	add(f.Outside > 0, "%d out of scope", f.Outside)
	add(f.Elsewhere > 0, "%d on other hosts", f.Elsewhere)
	add(f.Newest > 0, "newest change %s", time.Unix(f.Newest, 0).UTC().Format(time.DateOnly))
	return strings.Join(all, ", ")
}
