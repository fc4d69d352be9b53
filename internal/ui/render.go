package ui

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"sync"
)

//go:embed templates
var sources embed.FS

// templates are parsed when the first page is asked for: most commands show none.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{}).ParseFS(sources, "templates/*.html"))
})

// frame is a page with what stands around it.
type frame struct {
	Title, Nav, Form, Flash string
	Stop                    bool
	Main                    template.HTML
}

// show writes a page made from the template of that name.
func (s *Server) show(w http.ResponseWriter, name, title string, data any) {
	s.mu.Lock()
	flash := s.flash
	s.flash = ""
	s.mu.Unlock()
	s.write(w, http.StatusOK, name, frame{Title: title, Nav: name, Form: s.guard.form, Flash: flash, Stop: s.o.Stop != nil}, data)
}

func (s *Server) write(w http.ResponseWriter, status int, name string, f frame, data any) {
	var main, page bytes.Buffer
	err := templates().ExecuteTemplate(&main, name, data)
	if err == nil {
		f.Main = template.HTML(main.String()) //nolint:gosec // a template escaped it
		err = templates().ExecuteTemplate(&page, "frame", f)
	}
	if err != nil {
		http.Error(w, "this page can't be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // who left does not want the rest
}

// refuse shows why a request is not answered, without the way to other pages.
func (s *Server) refuse(w http.ResponseWriter, status int, why string) {
	s.write(w, status, "refused", frame{Title: http.StatusText(status)}, why)
}
