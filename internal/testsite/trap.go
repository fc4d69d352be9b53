package testsite

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Trap makes pages without end below a path: for every request target that begins
// with it and has no page of its own. make gets what stands behind the path, and returns an
// empty page where there is none.
func (s *Site) Trap(path string, make func(rest string) Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.traps = append(s.traps, trap{path, make})
}

type trap struct {
	path string
	make func(rest string) Page
}

func (s *Site) trapped(uri string) (Page, bool) {
	for _, t := range s.traps {
		if rest, ok := strings.CutPrefix(uri, t.path); ok {
			p := t.make(rest)
			if p.Body == "" {
				continue
			}
			p.Header = map[string]string{"ETag": ""} // made for who asks, as such pages are
			return p, true
		}
	}
	return Page{}, false
}

// Calendar makes days without end, path followed by a number: each names the next
// and, where text is not empty, holds it and a sentence of its own.
func (s *Site) Calendar(path, text string) {
	s.Trap(path, func(rest string) Page {
		day, err := strconv.Atoi(rest)
		if err != nil {
			return Page{}
		}
		main := fmt.Sprintf("<p>Day %d</p>", day)
		if text != "" {
			main = fmt.Sprintf("<p>%s: %s</p>", text, Words(day))
		}
		return Page{Body: Markup{Title: "Calendar", Main: main, Links: []string{path + strconv.Itoa(day+1)}}.String()}
	})
}

// Words spells a number, digit by digit: a text for each that no other has, without
// digits.
func Words(n int) string {
	digits := [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	var words []string
	for _, digit := range strconv.Itoa(max(n, 0)) {
		words = append(words, digits[digit-'0'])
	}
	return strings.Join(words, " ")
}

// Repeat makes pages at path and below it that hold a relative link, which leads one
// segment deeper from each.
func (s *Site) Repeat(path string) {
	s.Trap(path+"/", func(rest string) Page {
		return Page{Body: Markup{Title: "Section", Main: "<p>Below: " + rest + "</p>", Links: []string{"more/"}}.String()}
	})
}

// Facets makes a list at path that takes filters, names in alphabetical order with
// so many values each: every page links to those with one filter more behind its own.
func (s *Site) Facets(path string, values int, names ...string) {
	s.Trap(path, func(rest string) Page {
		query, last := "?", ""
		if rest != "" {
			last, _, _ = strings.Cut(rest[strings.LastIndexAny(rest, "?&")+1:], "=")
			query = rest + "&"
		}
		m := Markup{Title: "Shop", Main: "<p>Goods: " + rest + "</p>"}
		for i := range values * len(names) {
			if name := names[i/values]; name > last {
				m.Links = append(m.Links, fmt.Sprintf("%s%s%s=%s", path, query, name, Words(i%values)))
			}
		}
		return Page{Body: m.String()}
	})
}

var rootLink = regexp.MustCompile(`href="(/[^"?]*)"`)

// Sessions adds a session's ID to every link of a page: another one on each page.
func Sessions(name string) Fault {
	return func(r *http.Request, a *Answer) {
		id := fmt.Sprintf("%x", sha256.Sum256([]byte(r.RequestURI)))[:32]
		a.Body = rootLink.ReplaceAll(a.Body, fmt.Appendf(nil, `href="${1}?%s=%s"`, name, id))
	}
}

// Visit begins another visit: from now on all links carry its session. form is an address
// with "%p" in place of the path. The addresses of earlier visits stay good.
func (s *Site) Visit(form string) {
	s.mu.Lock()
	s.visits = append(s.visits, form)
	s.mu.Unlock()
	s.Fault("*", func(_ *http.Request, a *Answer) {
		a.Body = rootLink.ReplaceAllFunc(a.Body, func(link []byte) []byte {
			path := rootLink.FindSubmatch(link)[1]
			return fmt.Appendf(nil, `href="%s"`, strings.Replace(form, "%p", string(path), 1))
		})
		a.set("ETag", "")
		a.set("Last-Modified", "")
	})
}

// visited returns the path of an address that carries a session.
func (s *Site) visited(uri string) (path string, ok bool) {
	for _, form := range s.visits {
		before, after, _ := strings.Cut(form, "%p")
		if rest, found := strings.CutPrefix(uri, before); found && strings.HasSuffix(rest, after) {
			return strings.TrimSuffix(rest, after), true
		}
	}
	return "", false
}
