package ui

import (
	"context"
	"embed"
	"io/fs"
	"iter"
	"net/http"
	"sync"

	"sitesync/internal/document"
)

// Ledger is what the pages ask of a ledger while it is open.
type Ledger interface {
	Identity() (string, error)
	Generation() (uint64, error)
	Text(id string) (doc document.Document, found bool, err error)
	History() iter.Seq2[document.Summary, error]
	Entries(run string) iter.Seq2[document.Entry, error]
}

// Answer is what a command wrote, and its exit code.
type Answer struct {
	Out, Err string
	Exit     int
}

// Options says what the pages show. What is nil has no pages.
type Options struct {
	Port   string                                                           // of the address in the browser
	Ledger func(ctx context.Context, use func(Ledger) error) error          // opens it for reading, as briefly as can be
	Run    func(ctx context.Context, command string, args ...string) Answer // runs a command of the program
	Search Search
	Plan   string // file of the plan to show; empty: none yet
	Dir    string // folder for plans that are made here
	Saved  string // file of the saved queries
	Stop   func() // ends the program; nil: the pages can't
}

// Server shows the pages.
type Server struct {
	o     Options
	mux   *http.ServeMux
	guard *guard

	mu    sync.Mutex
	flash string // what the next page says first
}

//go:embed static
var static embed.FS

// New returns a server of what o names.
func New(o Options) *Server {
	s := &Server{o: o, mux: http.NewServeMux(), guard: newGuard(o.Port)}
	files, _ := fs.Sub(static, "static") // it is there
	s.mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(files)))
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("POST /stop", s.stop)
	return s
}

// Token returns the secret of the link that opens the pages: /?token=TOKEN. It is good
// for one use.
func (s *Server) Token() string { return s.guard.token }

// ServeHTTP answers one request. Only the style and the script are shown to those without
// a session.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	status, why := s.guard.check(w, r)
	switch {
	case status == http.StatusSeeOther:
		http.Redirect(w, r, "/", status)
	case status != http.StatusOK:
		s.refuse(w, status, why)
	default:
		s.mux.ServeHTTP(w, r)
	}
}

func (s *Server) home(w http.ResponseWriter, _ *http.Request) {
	s.show(w, "home", "Overview", nil)
}

func (s *Server) stop(w http.ResponseWriter, _ *http.Request) {
	s.show(w, "stopped", "Stopped", nil)
	if s.o.Stop != nil {
		s.o.Stop()
	}
}
