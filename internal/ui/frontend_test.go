package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sitesync/internal/service"
	"sitesync/internal/wire"
)

const evil = `"><img src=x onerror=alert(1)><script>alert(2)</script> storm`

// storms are documents for the page: 26 of three categories, one of them hostile.
func storms(address string) []byte {
	type document struct {
		ID     string            `json:"id"`
		Fields map[string]string `json:"fields"`
	}
	all := []document{{"hostile", map[string]string{"Title": evil, "Url": "javascript:alert(3)", "Description": evil, "Category": `<i>"`}}}
	for i := range 25 {
		category := []string{"News", "Sports"}[i%2]
		at := fmt.Sprintf("%s/style.css?%d", address, i)
		all = append(all, document{at, map[string]string{"Title": fmt.Sprintf("A storm in %s, part %d", category, i), "Url": at, "Description": "Rain & wind", "Category": category, "Language": "en"}})
	}
	raw, _ := json.Marshal(all) // strings always encode
	return raw
}

// frontend serves the example page beside a service that holds storms, and elsewhere with the
// one line changed that names the service; ask calls it as its owner.
func frontend(t *testing.T) (address, elsewhere string, ask func(method, path string, body []byte) string, end func()) {
	t.Helper()
	pages := os.DirFS("../../examples/frontend")
	var base string
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(pages))
	mux.HandleFunc("/search.js", func(w http.ResponseWriter, _ *http.Request) {
		script, err := fs.ReadFile(pages, "search.js")
		line := []byte(`const service = { url: "",`)
		if err != nil || bytes.Count(script, line) != 1 {
			t.Error("the one line that names the service is not there", err)
		}
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(bytes.Replace(script, line, fmt.Appendf(nil, `const service = { url: "%s/",`, base), 1))
	})
	other := httptest.NewServer(mux)
	t.Cleanup(other.Close)
	local, running := serveLocal(t, service.Options{Origins: []string{other.URL}})
	base = running.URL
	local.ShowPages(http.FileServerFS(pages))
	ask = func(method, path string, body []byte) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, running.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.SetBasicAuth("10000001", "local")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		raw, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %s %s %v", method, path, answer.Status, raw, err)
		}
		return string(raw)
	}
	const documents = "/api/v4/10000001/index/local/documents"
	ask(http.MethodPut, documents, storms(running.URL))
	for kind, tool := range map[wire.Kind]string{
		wire.KindQuicklink: `{"url":"https://www.example.com/storm","websiteid":1,"terms":[{"name":"storm"}]}`,
		wire.KindBanner:    fmt.Sprintf(`{"name":"Storms","websiteid":1,"bannerterms":[{"name":"storm"}],"htmlcode":"<p style='color:red' onclick='alert(4)'>Be <b>safe</b>: <a href='%s/style.css'>advice</a> <a href='javascript:alert(5)'>x</a><script>alert(6)</script></p>"}`, running.URL),
	} {
		if err := local.AddTool(10000001, kind, []byte(tool)); err != nil {
			t.Fatal(err)
		}
	}
	samples, err := os.ReadFile("../../examples/frontend/documents.json")
	if err != nil {
		t.Fatal(err)
	}
	if rows := ask(http.MethodPut, documents, samples); strings.Contains(rows, `"success":false`) {
		t.Error(rows)
	}
	return running.URL, other.URL, ask, func() { running.Close() }
}

// shows waits until an expression is true on the page.
func shows(expression string) step {
	return chromedp.PollFunction[chromedp.Void](`() => Boolean(` + expression + `)`)
}

// TestFrontend: the example page, by keyboard and mouse, against the service: what visitors do
// is stored, and what documents hold stays text.
func TestFrontend(t *testing.T) {
	address, elsewhere, ask, end := frontend(t)
	ctx, complaints := openBrowser(t, address)
	stored := func(parts ...string) { // waits for an event
		t.Helper()
		for again := time.Tick(10 * time.Millisecond); ; <-again {
			all := strings.Split(ask(http.MethodGet, "/_/events/10000001/1", nil), `{"at"`)
			if slices.ContainsFunc(all, func(event string) bool {
				return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(event, part) })
			}) {
				return
			}
			if ctx.Err() != nil {
				t.Fatalf("no event with %q among %q", parts, all)
			}
		}
	}
	press := func(key string) step { return chromedp.KeyEvent(key) }
	check := func(what string) {
		t.Helper()
		bad := slices.DeleteFunc(complaints(), func(text string) bool { return strings.HasSuffix(text, "/favicon.ico") }) // of a style sheet as a page
		if bad = append(bad, barriers(t, ctx)...); len(bad) > 0 {
			t.Errorf("%s: %q", what, bad)
		}
	}
	do(t, ctx, look(""), chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address+"/"), until("#box"))
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#box"), "sto"), shows(`document.querySelectorAll("#completions li").length > 1`), press(kb.ArrowDown))
	if got := value[string](t, ctx, `document.getElementById(document.querySelector("#box").getAttribute("aria-activedescendant")).innerText`); got != "storm" {
		t.Errorf("the first completion is %q", got)
	}
	check("completions")
	do(t, ctx, press(kb.Escape), shows(`document.querySelector("#completions").hidden && document.querySelector("#box").value === "sto"`))
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#box"), "r"), shows(`!document.querySelector("#completions").hidden`), press(kb.ArrowDown), press(kb.Enter), shows(`document.querySelector("#status").innerText.includes("26 results for “storm”")`))
	if !value[bool](t, ctx, `document.querySelector("#results b").innerText === "storm" && document.querySelectorAll("#results > li").length === 10`) {
		t.Error("ten results with marks expected")
	}

	category := func(name string) string { return `#facets input[value="` + name + `"]` }
	do(t, ctx, click(category("News")), shows(`document.querySelector("#status").innerText.includes("13 results")`),
		click(category("Sports")), shows(`document.querySelector("#status").innerText.includes("25 results") && document.activeElement.value === "Sports"`))
	do(t, ctx, click(`#pages a`), shows(`document.querySelector("#pages").innerText.includes("Page 2 of 3")`), click(`#pages a:last-child`), shows(`document.querySelectorAll("#results > li").length === 5`))
	check("filtered")
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`history.back()`), shows(`document.querySelector("#pages").innerText.includes("Page 2 of 3")`))
	title := value[string](t, ctx, `document.querySelector("#results a").innerText`)
	do(t, ctx, click("#results a"), chromedp.WaitNotPresent(chromedp.CSS("#box")))
	stored(`"kind":"click"`, `"cli":"11"`, `"ls":"searchresult"`, fmt.Sprintf(`"title":%q`, title))
	for _, page := range []string{`"pn":"1"`, `"pn":"2"`, `"pn":"3"`} {
		stored(`"kind":"query"`, `"sw":"storm"`, page, `"bnrs":"`, `"ban":"1"`)
	}

	// what the service's owner and strangers write stays text, or what is known to be harmless
	for _, hits := range []string{"onerror", "*&f.Category=%3Ci%3E%22"} { // marked, and as it is
		do(t, ctx, chromedp.Navigate(address+"/?q="+hits), shows(`document.querySelector("#status").innerText.startsWith("1 result")`))
		if got := value[string](t, ctx, `document.querySelector("#results h2").innerText`); got != evil || value[int](t, ctx, `document.querySelectorAll("main img, main script, main i, #results a").length`) > 0 {
			t.Errorf("%s: the hostile document is shown as %q\n%s", hits, got, value[string](t, ctx, `document.querySelector("main").innerHTML`))
		}
	}
	check("hostile")
	do(t, ctx, chromedp.Navigate(address+"/?q=storm"), until("#promoted section"))
	if got := value[string](t, ctx, `document.querySelector("#promoted").innerHTML`); got != `<p>Go straight to <a href="https://www.example.com/storm">https://www.example.com/storm</a></p><section aria-label="Storms"><p>Be <b>safe</b>: <a href="`+address+`/style.css">advice</a> <a href="">x</a></p></section>` {
		t.Errorf("promoted: %s", got)
	}
	do(t, ctx, click("#promoted section a"), chromedp.WaitNotPresent(chromedp.CSS("#box")))
	stored(`"kind":"click"`, `"cloi":"`, `"ls":"banner"`)

	// wrong, nothing, and no service
	do(t, ctx, chromedp.Navigate(address+"/?q=storrm"), shows(`document.querySelector("#status").innerText.startsWith("Nothing was found for “storrm”. Did you mean “storm”? Here are 26 results")`))
	stored(`"kind":"query"`, `"sw":"storrm"`, `"fquery":"storm"`)
	do(t, ctx, chromedp.Navigate(address+"/?q=qqqqqq&f.Category=News"), shows(`document.querySelector("#status").innerText.includes("with these filters")`), click("#status a"), shows(`document.querySelector("#status").innerText.startsWith("Nothing was found for “qqqqqq”.")`))
	do(t, ctx, chromedp.Navigate(address+"/?q=storm&page=2"), until("#results b"), look("dark"), chromedp.EmulateViewport(360, 740))
	check("dark and narrow")
	if width := value[int](t, ctx, `document.documentElement.scrollWidth`); width > 360 {
		t.Errorf("%d pixels wide on 360", width)
	}
	do(t, ctx, chromedp.Navigate(elsewhere+"/?q=rain"), until("#results b"), chromedp.SendKeys(chromedp.CSS("#box"), " s"), until("#completions li"))
	stored(`"kind":"query"`, `"sw":"rain"`)
	for _, bad := range complaints() {
		if !strings.HasPrefix(bad, "asks for "+elsewhere) {
			t.Error("elsewhere: " + bad)
		}
	}
	if got := value[string](t, ctx, `JSON.stringify(spelled({typedDocuments: [{fields: {Url: {value: "a", isArray: false}}}], totalDocument: 1}))`); got != `{"TypedDocuments":[{"Fields":{"Url":{"Value":"a","IsArray":false}}}],"TotalDocument":1}` {
		t.Error(got)
	}
	if all := ask(http.MethodGet, "/_/events/10000001/1", nil); strings.Contains(all, "undefined") || strings.Contains(all, `"cloi":""`) {
		t.Errorf("events lack values: %s", all)
	}
	end()
	do(t, ctx, click("form button"), shows(`document.querySelector("#status").innerText.startsWith("The search can't be reached.")`))
}
