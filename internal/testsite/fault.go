package testsite

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Fault changes an answer before it is sent, or the way it is sent. It may be
// called from several requests at once.
type Fault func(r *http.Request, a *Answer)

// rule says where faults apply.
type rule struct {
	pattern string
	faults  []Fault
}

// Fault makes a path misbehave, in place of the faults that the same pattern had.
// A pattern that ends in "*" means all paths that begin so, "*" the whole site;
// several patterns that match apply in the order in which they were set.
func (s *Site) Fault(pattern string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heal(pattern)
	s.faults = append(s.faults, rule{pattern, faults})
}

// Heal ends the faults that were set with this very pattern.
func (s *Site) Heal(pattern string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heal(pattern)
}

func (s *Site) heal(pattern string) {
	s.faults = slices.DeleteFunc(s.faults, func(r rule) bool { return r.pattern == pattern })
}

func (s *Site) faultsOf(uri string) []Fault {
	var all []Fault
	for _, r := range s.faults {
		prefix, open := strings.CutSuffix(r.pattern, "*")
		if uri == r.pattern || open && strings.HasPrefix(uri, prefix) {
			all = append(all, r.faults...)
		}
	}
	return all
}

// Times lets a fault happen to the first n requests only.
func Times(n int, f Fault) Fault {
	var seen atomic.Int64
	return func(r *http.Request, a *Answer) {
		if seen.Add(1) <= int64(n) {
			f(r, a)
		}
	}
}

// After spares the first n requests: the site falls ill in the middle of a run.
func After(n int, f Fault) Fault {
	var seen atomic.Int64
	return func(r *http.Request, a *Answer) {
		if seen.Add(1) > int64(n) {
			f(r, a)
		}
	}
}

// Header sends another value of a header: a charset or media type that the body
// belies, control characters, a false ETag. Empty leaves the header out.
func Header(name, value string) Fault {
	return func(_ *http.Request, a *Answer) { a.set(name, value) }
}

// Headers sends n more headers, each with a value of so many bytes.
func Headers(n, size int) Fault {
	value := strings.Repeat("x", size)
	return func(_ *http.Request, a *Answer) {
		for i := range n {
			a.set("X-More-"+strconv.Itoa(i), value)
		}
	}
}

// Say answers with a status and an HTML page in place of the one that is there.
func Say(status int, title, text string) Fault {
	body := Markup{Title: title, Main: "<p>" + text + "</p>"}.String()
	return func(_ *http.Request, a *Answer) {
		a.Status, a.Body = status, []byte(body)
		a.Header = http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	}
}

// Status answers with a bare error page; retryAfter, seconds or an HTTP date, is
// sent unless empty.
func Status(status int, retryAfter string) Fault {
	say := Say(status, http.StatusText(status), "Please try again later.")
	return func(r *http.Request, a *Answer) {
		say(r, a)
		if retryAfter != "" {
			a.Header.Set("Retry-After", retryAfter)
		}
	}
}

// Maintenance answers 503 with a page that says so.
func Maintenance() Fault {
	return Say(http.StatusServiceUnavailable, "Down for maintenance", "We are working on the site and will be back soon.")
}

// LoginWall sends every request to /login, which answers 200 with a form.
func LoginWall() Fault {
	form := Say(http.StatusOK, "Sign in", `<form method="post" action="/login"><input name="user"><input type="password" name="password"></form>`)
	return func(r *http.Request, a *Answer) {
		form(r, a)
		if r.URL.Path != "/login" {
			a.Status = http.StatusFound
			a.Header.Set("Location", "/login")
		}
	}
}

// BasicAuth answers 401 to requests without these credentials (RFC 7617).
func BasicAuth(user, password string) Fault {
	refuse := Say(http.StatusUnauthorized, "Unauthorized", "Sign in to read this page.")
	return func(r *http.Request, a *Answer) {
		if u, p, ok := r.BasicAuth(); ok && u == user && p == password {
			return
		}
		refuse(r, a)
		a.Header.Set("WWW-Authenticate", `Basic realm="staging"`)
	}
}

// Hold keeps the whole answer back until gate is closed or gives a value, or
// the client has gone.
func Hold(gate <-chan struct{}) Fault {
	return func(r *http.Request, _ *Answer) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	}
}
