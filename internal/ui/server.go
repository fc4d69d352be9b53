package ui

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
)

// Ledger is what the pages ask of a ledger while it is open.
type Ledger interface {
	Identity() (string, error)
	Generation() (uint64, error)
	Count() (map[document.Push]int, error)
	Text(id string) (doc document.Document, found bool, err error)
	Run(id string) (run document.Summary, found bool, err error)
	History() iter.Seq2[document.Summary, error]
	Entries(run string) iter.Seq2[document.Entry, error]
}

// Answer is what a command wrote, and its exit code.
type Answer struct {
	Out, Err string
	Exit     int
}

// Says returns the message of a command, as a page shows it.
func (a Answer) Says() string {
	return strings.TrimPrefix(strings.TrimSpace(a.Out+a.Err), "sitesync: ")
}

// into decodes what a command wrote as JSON; else it returns the message.
func (a Answer) into(page any) (fault string) {
	if json.Unmarshal([]byte(a.Out), page) != nil {
		return Answer{Err: a.Err}.Says()
	}
	return ""
}

// Options says what the pages show. Without a Ledger they are the search alone.
type Options struct {
	Port   string                                                           // of the address in the browser
	Ledger func(ctx context.Context, use func(Ledger) error) error          // opens it for reading, as briefly as can be
	Run    func(ctx context.Context, command string, args ...string) Answer // runs a command of the program
	Site   func(ctx context.Context) (*site.Site, error)                    // every known URL, and the faults of the site
	Search Search
	Plan   string                       // file of the plan to show; empty: none yet
	Dir    string                       // folder for plans that are made here
	Stop   func()                       // ends the program; nil: the pages can't
	Looked func() (looked, found int64) // how far the command plan is; nil: unknown
}

// Server shows the pages.
type Server struct {
	o     Options
	ctx   context.Context //nolint:containedctx // of what works between two requests
	work  errgroup.Group
	mux   *http.ServeMux
	guard *guard
	nav   []link

	templates func() *template.Template // are parsed for the first page: most commands show none

	mu     sync.Mutex
	flash  string // what the next page says first
	plan   *pending
	making context.CancelFunc // ends the plan that is being made; nil: none is
	site   *siteView
}

//go:embed static
var static embed.FS

// New returns a server of what o names. What it does in the background ends with ctx; Wait
// waits for that.
func New(ctx context.Context, o Options) *Server {
	s := &Server{o: o, ctx: ctx, mux: http.NewServeMux(), guard: &guard{port: o.Port, token: rand.Text(), base: "/" + rand.Text(), origin: http.NewCrossOriginProtection()}}
	s.templates = sync.OnceValue(func() *template.Template { return parse(s.guard.base) })
	files, _ := fs.Sub(static, "static") // it is there
	s.mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(files)))
	s.mux.HandleFunc("GET /static/style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, report.Style)
	})
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("POST /stop", s.stop)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.lack(w, r, "There is no page "+r.URL.Path+".")
	})
	if o.Search != nil {
		s.nav = append(s.nav, link{Name: "Search", Path: "/search", under: []string{"search"}})
		s.mux.HandleFunc("GET /search", s.search)
	}
	if o.Ledger == nil {
		return s
	}
	s.nav = append(append([]link{{Name: "Overview", Path: "/", under: []string{""}}}, s.nav...),
		link{Name: "Plan", Path: "/plan/changes", under: []string{"plan"}},
		link{Name: "Nights", Path: "/nights", under: []string{"nights", "night"}},
		link{Name: "Searches", Path: "/searches", under: []string{"searches"}},
		link{Name: "Site", Path: "/site/faults", under: []string{"site"}},
		link{Name: heldName, Path: "/held", under: []string{"held"}}, link{Name: "Why", Path: "/why", under: []string{"why"}})
	for _, part := range parts() {
		s.mux.HandleFunc("GET /plan/"+part, func(w http.ResponseWriter, r *http.Request) {
			s.show(w, r, "plan", "Plan", s.planOf(w, r, part))
		})
	}
	s.mux.HandleFunc("GET /nights", func(w http.ResponseWriter, r *http.Request) {
		s.show(w, r, "nights", "Nights", s.readNights(r.Context(), nightsAtOnce))
	})
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /plan/change": s.showChange, "POST /plan/new": s.newPlan, "POST /plan/cancel": s.cancelPlan,
		"GET /night": s.showNight, "GET /site/faults": s.showSite, "GET /site/urls": s.showSite,
		"GET /why": s.why, "GET /searches": s.showSearches, "GET /held": s.showHeld, "POST /approve": s.approve,
	} {
		s.mux.HandleFunc(pattern, handle)
	}
	if o.Plan != "" {
		s.plan = s.openPlan(o.Plan)
	}
	return s
}

// Wait waits until nothing works in the background any more.
func (s *Server) Wait() { _ = s.work.Wait() } // each keeps its own error

// Token returns the secret of the link that opens the pages: /?token=TOKEN.
func (s *Server) Token() string { return s.guard.token }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	status, why := s.guard.check(w, r)
	switch {
	case status == http.StatusSeeOther:
		s.lead(w, r, "/")
	case status != http.StatusOK:
		http.Error(w, why, status) // a page would have the secret in its links
	default:
		http.StripPrefix(s.guard.base, s.mux).ServeHTTP(w, r)
	}
}

// homePage is what there is at a glance.
type homePage struct {
	Plan   planPage
	Nights *nights
	Search bool
	Mark   string // of the last run, with its class
	Class  string
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	if s.o.Ledger == nil {
		s.lead(w, r, "/search")
		return
	}
	page := homePage{Nights: s.readNights(r.Context(), nightsAtHome), Search: s.o.Search != nil}
	page.Plan = s.planOf(w, r, "")
	if len(page.Nights.Runs) > 0 {
		page.Mark, page.Class = mark(page.Nights.Runs[0].Exit)
	}
	s.show(w, r, "home", "Overview", page)
}

// mark says what the exit code of a run means for its owner, and of which class that is.
func mark(exit int) (words, class string) {
	switch exit {
	case 0:
		return "fine", string(document.KindNew)
	case 3, 4: // new failures, changes that are held
		return "look here", string(document.Held)
	}
	return "failed", string(document.KindDeleted)
}

func (s *Server) stop(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "stopped", "Stopped", nil)
	if s.o.Stop != nil {
		s.o.Stop()
	}
}

// later is what is read in the background; before ready is closed nothing else is touched.
type later[T any] struct {
	ready chan struct{}
	value T
	err   error
}

// patience is how long a page waits for what is read in the background, before it says so
// and is asked for again.
const patience = 150 * time.Millisecond

// begin begins to read.
func begin[T any](s *Server, read func(ctx context.Context) (T, error)) *later[T] {
	l := &later[T]{ready: make(chan struct{})}
	s.work.Go(func() error {
		defer close(l.ready)
		l.value, l.err = read(s.ctx)
		return nil
	})
	return l
}

// wait reports whether it is read already.
func (l *later[T]) wait() bool {
	select {
	case <-l.ready:
		return true
	case <-time.After(patience):
		return false
	}
}
