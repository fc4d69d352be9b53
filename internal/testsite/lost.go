package testsite

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
)

// Lost sets what the site shows for pages that do not exist. In body and headers "%p"
// stands for the path that was asked for, "%x" for the ID of the request.
func (s *Site) Lost(p Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = &p
}

// lostAt returns what the site shows for a path where there is no page.
func (s *Site) lostAt(uri string) Page {
	if s.lost == nil {
		text := Markup{Title: "Page not found", Main: "<p>We looked, and there is nothing at this address.</p>"}
		return Page{Status: http.StatusNotFound, Body: text.String()}
	}
	s.missed++
	id := sha256.Sum256(fmt.Append(nil, s.missed))
	fill := strings.NewReplacer("%p", uri, "%x", fmt.Sprintf("%x-%x", id[:4], id[4:10]))
	p := *s.lost
	p.Body, p.Header = fill.Replace(p.Body), map[string]string{}
	for name, value := range s.lost.Header {
		p.Header[name] = fill.Replace(value)
	}
	return p
}

// Vanish answers as if there were no page, with another status unless that is 0.
func (s *Site) Vanish(status int) Fault {
	return func(r *http.Request, a *Answer) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p := s.lostAt(r.RequestURI)
		if status != 0 {
			p.Status = status
		}
		*a = *p.answer("/", false)
	}
}

// lostCommands set what Lost takes.
func lostCommands() []command {
	return []command{
		{"lost CODE TITLE|TEXT", func(s *Site, w []string) error {
			status, err := number(w[0], "")
			title, text, _ := strings.Cut(w[1], "|")
			if err == nil {
				s.Lost(Page{Status: status, Body: Markup{Title: title, Main: "<p>" + text + "</p>"}.String()})
			}
			return err
		}},
		{"astray LOCATION [STATUS]", func(s *Site, w []string) error {
			status, err := number(w[1], "302")
			if err == nil {
				s.Lost(Page{Status: status, Header: map[string]string{"Location": w[0]}})
			}
			return err
		}},
	}
}
