package ui

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sitesync/internal/service"
)

var docs = flag.String("docs", "", "check the site of docs/ in this `folder`: its pages in public, and the index that a run made of them")

// lostPlaces are the links of a page to places that their page does not have. Whether a page
// is there at all, the faults of the site say.
const lostPlaces = `(async () => {
	const lost = [];
	for (const link of document.querySelectorAll('a[href*="#"]')) {
		const { origin, pathname, hash } = new URL(link.href);
		if (origin !== location.origin || !hash) continue;
		let page = document;
		if (pathname !== location.pathname) {
			const answer = await fetch(pathname, { headers: { Accept: "text/html" } });
			page = new DOMParser().parseFromString(await answer.text(), "text/html");
		}
		if (!page.getElementById(decodeURIComponent(hash.slice(1)))) lost.push(link.getAttribute("href"));
	}
	return lost;
})()`

// TestDocs: every page of the documentation is the first hit for its title, fits a telephone,
// and has what links name on it. Axe finds no fault in three of them, they work by keyboard, and
// one can search.
func TestDocs(t *testing.T) {
	if *docs == "" {
		t.Skip("SKIPPED: no folder with the site of docs/: .ci/docs builds it and names it with -docs")
	}
	local, err := service.Open(service.Options{Path: filepath.Join(*docs, "sitesync.db.service"), APIKey: "local"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { local.Close() })
	running, err := local.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
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
		if lost, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](lostPlaces, chromedp.EvalAwaitPromise)); err != nil || len(lost) > 0 {
			t.Errorf("%s: links to places that are not on their page: %q %v", name, lost, err)
		}
		if width := value[int](t, ctx, `document.documentElement.scrollWidth`); width > 360 {
			t.Errorf("%s: %d pixels wide on 360", name, width)
		}
		switch name {
		case "index.html", "serve.html", "search.html":
			if found := barriers(t, ctx); len(found) > 0 {
				t.Errorf("%s: axe finds, narrow and dark:\n%s", name, strings.Join(found, "\n"))
			}
		}
		if name == "search.html" {
			continue // is not in the index
		}
		if path.Dir(name) == "." {
			do(t, ctx, shot("docs-"+name))
		}
		title := value[string](t, ctx, `document.querySelector("h1").innerText`)
		if first := firstHit(t, running.URL, title); first != "/"+strings.TrimSuffix(name, "index.html") {
			t.Errorf("%s: the first hit for %q is %q", name, title, first)
		}
	}

	if first := firstHit(t, running.URL, "exit codes"); first != "/results.html" {
		t.Errorf("docs/_site/tools.toml does not rank: the first hit for exit codes is %q", first)
	}

	do(t, ctx, look(""), chromedp.EmulateViewport(1280, 800), chromedp.Navigate(running.URL+"/serve.html"))
	if found := barriers(t, ctx); len(found) > 0 {
		t.Errorf("axe finds, wide and light:\n%s", strings.Join(found, "\n"))
	}
	if here := value[string](t, ctx, `document.querySelector("#questions [aria-current]").getAttribute("href")`); !strings.HasSuffix(here, "serve.html") {
		t.Errorf("the list marks %s", here)
	}
	do(t, ctx, shot("docs"), chromedp.SendKeys(chromedp.CSS("#words"), "brake"+kb.Enter), until("#results b"), shot("docs-search"))
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

// firstHit returns the path of the first page that a search finds.
func firstHit(t *testing.T, address, query string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"query": query}) // strings always encode
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/api/v4/10000001/1/search", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("10000001", "local")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var found struct {
		TypedDocuments []struct {
			Fields map[string]struct{ Value string }
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil || len(found.TypedDocuments) == 0 {
		return fmt.Sprint(answer.Status, err)
	}
	at, err := url.Parse(found.TypedDocuments[0].Fields["Url"].Value)
	if err != nil {
		t.Fatal(err)
	}
	return at.Path
}
