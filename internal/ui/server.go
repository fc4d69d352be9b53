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

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
)

// Ledger is an open ledger (the record of what the index holds) with the methods that the pages call.
type Ledger interface {
	Identity() (string, error)
	Generation() (uint64, error)
	Count() (map[document.Push]int, error)
	Text(id string) (doc document.Document, found bool, err error)
	Run(id string) (run document.Summary, found bool, err error)
	History() iter.Seq2[document.Summary, error]
	Entries(run string) iter.Seq2[document.Entry, error]
}

// Answer is the result of a command: standard output, standard error and the exit code.
type Answer struct {
	Out, Err string
	Exit     int
}

// Says returns the command's output and error messages, without a leading program name.
func (a Answer) Says() string {
	return strings.TrimPrefix(strings.TrimSpace(a.Out+a.Err), "sitesync: ")
}

// into decodes the command's JSON output into page. If the output is not JSON, it returns the error messages.
func (a Answer) into(page any) (fault string) {
	if json.Unmarshal([]byte(a.Out), page) != nil {
		return Answer{Err: a.Err}.Says()
	}
	return ""
}

// Options configure a Server. Search is required. If Ledger is nil, the search page is the only page.
type Options struct {
	Port   string                                                  // port in the browser's URL
	Ledger func(ctx context.Context, use func(Ledger) error) error // calls use with an open ledger
	Run    func(ctx context.Context, command string, args ...string) Answer
	Site   func(ctx context.Context) (*site.Site, error)
	Search Search
	Plan   string                       // file of the plan (changes to send) to show; empty: none yet
	Dir    string                       // folder for the files of new plans
	Stop   func()                       // ends the program; nil: the pages have no stop button
	Looked func() (looked, found int64) // number of URLs read and found for a new plan; may be nil
}

// Server is the http.Handler of all pages.
type Server struct {
	o     Options
	ctx   context.Context //nolint:containedctx // its end stops background work
	work  sync.WaitGroup
	mux   *http.ServeMux
	guard *guard
	nav   []link

	templates func() *template.Template

	mu     sync.Mutex
	flash  string
	plan   *pending
	making context.CancelFunc // cancels the plan in the making; nil if there is no such plan
	site   *siteView
}

//go:embed static
var static embed.FS

// New returns a server. When ctx ends, background work ends; call Wait to wait for that.
func New(ctx context.Context, o Options) *Server {
	s := &Server{o: o, ctx: ctx, mux: http.NewServeMux()}
	s.guard = &guard{port: o.Port, token: rand.Text(), base: "/" + rand.Text(), origin: http.NewCrossOriginProtection()}
	s.templates = sync.OnceValue(func() *template.Template { return parse(s.guard.base) })
	files, _ := fs.Sub(static, "static")
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
	s.mux.HandleFunc("GET /search", s.search)
	s.nav = []link{{Name: "Search", Path: "/search"}}
	if o.Ledger == nil {
		return s
	}
	s.nav = []link{
		{Name: "Overview", Path: "/"}, s.nav[0], {Name: "Plan", Path: "/plan/changes"},
		{Name: "Nights", Path: "/nights"}, {Name: "Searches", Path: "/searches"},
		{Name: "Site", Path: "/site/faults"}, {Name: heldName, Path: "/held"}, {Name: "Why", Path: "/why"},
	}
	for _, part := range parts() {
		s.mux.HandleFunc("GET /plan/"+part, func(w http.ResponseWriter, r *http.Request) {
			s.show(w, r, "plan", "Plan", s.planOf(w, r, part))
		})
	}
	s.mux.HandleFunc("GET /nights", func(w http.ResponseWriter, r *http.Request) {
		s.show(w, r, "nights", "Nights", s.readNights(r.Context(), maxRunsInNights))
	})
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /plan/change": s.showChange, "POST /plan/new": s.newPlan, "POST /plan/cancel": s.cancelPlan,
		"GET /nights/{run}": s.showNight, "GET /site/faults": s.showSite, "GET /site/urls": s.showSite,
		"GET /why": s.why, "GET /searches": s.showSearches, "GET /held": s.showHeld, "POST /approve": s.approve,
	} {
		s.mux.HandleFunc(pattern, handle)
	}
	if o.Plan != "" {
		s.plan = s.openPlan(o.Plan)
	}
	return s
}

// Wait waits until all background work has ended.
func (s *Server) Wait() { s.work.Wait() }

// Token returns the token of the link that opens the pages: /?token=TOKEN.
func (s *Server) Token() string { return s.guard.token }

// ServeHTTP answers a request. It refuses requests that have neither the token nor the secret path.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	status, why := s.guard.check(w, r)
	switch {
	case status == http.StatusSeeOther:
		s.lead(w, r, "/")
	case status != http.StatusOK:
		http.Error(w, why, status) // plain text, because the links of a page contain the secret
	default:
		http.StripPrefix(s.guard.base, s.mux).ServeHTTP(w, r)
	}
}

type homePage struct {
	Plan        planPage
	Nights      *nights
	Mark, Class string
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	if s.o.Ledger == nil {
		s.lead(w, r, "/search")
		return
	}
	page := homePage{Nights: s.readNights(r.Context(), maxRunsInOverview), Plan: s.planOf(w, r, "")}
	if len(page.Nights.Runs) > 0 {
		page.Mark, page.Class = mark(page.Nights.Runs[0].Exit)
	}
	s.show(w, r, "home", "Overview", page)
}

func mark(exit int) (words, class string) {
	switch exit {
	case 0:
		return "fine", string(document.KindNew)
	case 3, 4: // exit codes: 3 new failures, 4 changes held by a limit
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
