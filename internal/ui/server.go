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

// Ledger is an open ledger, as far as the pages read it.
type Ledger interface {
	Identity() (string, error)
	Generation() (uint64, error)
	Count() (map[document.Push]int, error)
	Text(id string) (doc document.Document, found bool, err error)
	Run(id string) (run document.Summary, found bool, err error)
	History() iter.Seq2[document.Summary, error]
	Entries(run string) iter.Seq2[document.Entry, error]
}

// Answer is the output of a command, its messages, and its exit code.
type Answer struct {
	Out, Err string
	Exit     int
}

// Says returns the output and messages of a command, as a page shows them.
func (a Answer) Says() string {
	return strings.TrimPrefix(strings.TrimSpace(a.Out+a.Err), "sitesync: ")
}

// into decodes the output of a command from JSON. If that fails, it returns the command's message.
func (a Answer) into(page any) (fault string) {
	if json.Unmarshal([]byte(a.Out), page) != nil {
		return Answer{Err: a.Err}.Says()
	}
	return ""
}

// Options says what the pages show. Search is required. Without a Ledger there is no other page.
type Options struct {
	Port   string                                                           // of the address in the browser
	Ledger func(ctx context.Context, use func(Ledger) error) error          // opens the ledger for reading while use runs
	Run    func(ctx context.Context, command string, args ...string) Answer // runs a command of the program
	Site   func(ctx context.Context) (*site.Site, error)                    // every known URL, and the faults of the site
	Search Search
	Plan   string                       // file of the plan to show; empty: none yet
	Dir    string                       // folder for new plans
	Stop   func()                       // ends the program; nil: there is no button for it
	Looked func() (looked, found int64) // how many URLs the command plan has read and found; nil: unknown
}

// Server shows the pages.
type Server struct {
	o     Options
	ctx   context.Context //nolint:containedctx // ends the work in the background
	work  sync.WaitGroup
	mux   *http.ServeMux
	guard *guard
	nav   []link

	templates func() *template.Template // parses them for the first page: most commands show none

	mu     sync.Mutex
	flash  string // the first line of the next page
	plan   *pending
	making context.CancelFunc // ends the making of a plan; nil: none is being made
	site   *siteView
}

//go:embed static
var static embed.FS

// New returns a server. Its work in the background ends with ctx; Wait waits for that.
func New(ctx context.Context, o Options) *Server {
	s := &Server{o: o, ctx: ctx, mux: http.NewServeMux()}
	s.guard = &guard{port: o.Port, token: rand.Text(), base: "/" + rand.Text(), origin: http.NewCrossOriginProtection()}
	s.templates = sync.OnceValue(func() *template.Template { return parse(s.guard.base) })
	files, _ := fs.Sub(static, "static") // it is embedded
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
		{Name: "Overview", Path: "/"}, s.nav[0], {Name: "Plan", Path: "/plan/changes"}, {Name: "Nights", Path: "/nights"},
		{Name: "Searches", Path: "/searches"}, {Name: "Site", Path: "/site/faults"}, {Name: heldName, Path: "/held"}, {Name: "Why", Path: "/why"},
	}
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

// Wait waits until the work in the background has ended.
func (s *Server) Wait() { s.work.Wait() }

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
		http.Error(w, why, status) // no page: its links would show the secret
	default:
		http.StripPrefix(s.guard.base, s.mux).ServeHTTP(w, r)
	}
}

// homePage is the overview.
type homePage struct {
	Plan        planPage
	Nights      *nights
	Mark, Class string // how the last run ended, and the class of that badge
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	if s.o.Ledger == nil {
		s.lead(w, r, "/search")
		return
	}
	page := homePage{Nights: s.readNights(r.Context(), nightsAtHome), Plan: s.planOf(w, r, "")}
	if len(page.Nights.Runs) > 0 {
		page.Mark, page.Class = mark(page.Nights.Runs[0].Exit)
	}
	s.show(w, r, "home", "Overview", page)
}

// mark returns what the exit code of a run means for the owner, and the class of its badge.
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
