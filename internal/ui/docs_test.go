package ui

import (
	"flag"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sitesync/internal/service"
)

var docs = flag.String("docs", "", "check the site of docs/ in this `folder`: its pages in public, and the index that a run made of them")

// TestDocs: every page of the documentation fits a telephone. Axe finds no fault in three of
// them, they work by keyboard, and one can search.
func TestDocs(t *testing.T) {
	if *docs == "" {
		t.Skip("SKIPPED: no folder with the site of docs/: .ci/docs builds it and names it with -docs")
	}
	local, running := serveLocal(t, service.Options{Path: filepath.Join(*docs, "sitesync.db.service")})
	pages := os.DirFS(filepath.Join(*docs, "public"))
	local.ShowPages(http.FileServerFS(pages))
	ctx, complaints := openBrowser(t, running.URL)

	names, err := fs.Glob(pages, "*.html")
	if more, _ := fs.Glob(pages, "*/*.html"); err == nil {
		names = append(names, more...)
	}
	if len(names) < 30 {
		t.Fatalf("%d pages: %v", len(names), err)
	}
	do(t, ctx, look("dark"), chromedp.EmulateViewport(360, 740))
	for _, name := range names {
		do(t, ctx, chromedp.Navigate(running.URL+"/"+name))
		if width := value[int](t, ctx, `document.documentElement.scrollWidth`); width > 360 {
			t.Errorf("%s: %d pixels wide on 360", name, width)
		}
		switch name {
		case "index.html", "serve.html", "search.html":
			if found := barriers(t, ctx); len(found) > 0 {
				t.Errorf("%s: axe finds, narrow and dark:\n%s", name, strings.Join(found, "\n"))
			}
		}
	}

	do(t, ctx, look(""), chromedp.EmulateViewport(1280, 800), chromedp.Navigate(running.URL+"/serve.html"))
	if found := barriers(t, ctx); len(found) > 0 {
		t.Errorf("axe finds, wide and light:\n%s", strings.Join(found, "\n"))
	}
	if here := value[string](t, ctx, `document.querySelector("#questions [aria-current]").getAttribute("href")`); !strings.HasSuffix(here, "serve.html") {
		t.Errorf("the list marks %s", here)
	}
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#words"), "exit codes"+kb.Enter),
		until(`#results li:first-child a[href$="/results.html"]`))
	if found := barriers(t, ctx); len(found) > 0 {
		t.Errorf("axe finds in the results:\n%s", strings.Join(found, "\n"))
	}
	do(t, ctx, chromedp.Navigate(running.URL+"/"))
	controls := value[int](t, ctx, watchFocus)
	do(t, ctx, slices.Repeat([]step{chromedp.KeyEvent(kb.Tab)}, controls)...)
	if faults := value[[]string](t, ctx, "faults"); len(faults) > 0 || controls < 30 {
		t.Errorf("%d controls; by keyboard: %q", controls, faults)
	}
	do(t, ctx, chromedp.Navigate(running.URL+"/serve.html"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	if !value[bool](t, ctx, `document.activeElement.matches("main")`) {
		t.Error("the first control does not lead to the text")
	}
	if bad := complaints(); len(bad) > 0 {
		t.Errorf("complaints %q", bad)
	}
}
