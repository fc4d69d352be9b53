package ui

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/worddiff"
)

//go:embed templates
var sources embed.FS

const (
	lineBytes  = 200
	fieldBytes = 2000
)

func parse(base string) *template.Template {
	all := report.Rows
	for _, name := range []string{"frame", "plan", "more", "site"} {
		source, _ := sources.ReadFile("templates/" + name + ".html")
		all += string(source)
	}
	all = strings.ReplaceAll(all, `="/`, `="`+base+`/`)
	return template.Must(template.New("").Funcs(template.FuncMap{
		"n": document.Number[int], "count": document.Count, "diff": worddiff.Diff, "days": report.Days,
		"status": statusClass,
		"short":  func(s any) string { return document.Cut(fmt.Sprint(s), lineBytes) },
		"clip":   func(s string) string { return document.Cut(s, fieldBytes) },
		"when":   func(unix int64) string { return time.Unix(unix, 0).Local().Format("2 January 2006, 15:04") },
		"took": func(ms int64) string {
			return time.Duration(ms * int64(time.Millisecond)).Round(100 * time.Millisecond).String()
		},
		"past":  func(s document.Summary) string { return report.Outcome(&s) },
		"parts": parts,
	}).Parse(all))
}

type frame struct {
	Title, Flash string
	Stop         bool
	Pages        []link
	Main         template.HTML
}

type link struct {
	Name, Path string
	Here       bool
	Count      int // number of changes that a brake (a limit) holds, for the menu entry "Held"
}

const heldName = "Held"

// heldNow returns the number of held changes. A run of a part of the site does not count those of other
// parts. So heldNow returns the largest count since the last run of the whole site, including that run.
func (s *Server) heldNow(ctx context.Context) (n int) {
	_ = s.o.Ledger(ctx, func(l Ledger) error { // if this fails, the menu shows no number
		for run, err := range l.History() {
			n = max(n, run.Counts.Held)
			if err != nil || !run.Unsent && !run.Part {
				return err
			}
		}
		return nil
	})
	return n
}

func (s *Server) lack(w http.ResponseWriter, r *http.Request, why string) {
	s.show(w, r, lacking, http.StatusText(http.StatusNotFound), why)
}

const lacking = "refused"

func (s *Server) show(w http.ResponseWriter, r *http.Request, name, title string, data any) {
	f := frame{Title: title, Stop: s.o.Stop != nil && name != "stopped"}
	s.mu.Lock()
	f.Flash, s.flash = s.flash, ""
	s.mu.Unlock()
	folder := func(path string) string { return strings.Split(path, "/")[1] }
	for _, page := range s.nav {
		if page.Name == heldName && s.o.Ledger != nil {
			page.Count = s.heldNow(r.Context())
		}
		page.Path, page.Here = s.guard.base+page.Path, folder(page.Path) == folder(r.URL.Path)
		f.Pages = append(f.Pages, page)
	}
	var main, page bytes.Buffer
	err := s.templates().ExecuteTemplate(&main, name, data)
	if err == nil {
		f.Main = template.HTML(main.String()) // the template has escaped it
		err = s.templates().ExecuteTemplate(&page, "frame", f)
	}
	if err != nil {
		http.Error(w, "this page can't be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if name == lacking {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = page.WriteTo(w)
}

func (s *Server) lead(w http.ResponseWriter, r *http.Request, path string) {
	http.Redirect(w, r, s.guard.base+path, http.StatusSeeOther)
}

func again(w http.ResponseWriter) { w.Header().Set("Refresh", "2") }
