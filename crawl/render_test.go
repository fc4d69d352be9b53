package crawl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/crawl/chrome"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// rendering returns a rig whose pages are empty except for what their scripts do, or
// skips the test aloud where there is no browser.
func rendering(t *testing.T, scripts map[string]string) *rig {
	t.Helper()
	if _, err := chrome.Find(""); err != nil {
		t.Skip(err)
	}
	r := newRig(t, "robots User-agent: *\nraw /data the data")
	for path, script := range scripts {
		r.Set(path, testsite.Page{Body: shellOf(script)})
	}
	r.opts.Render, r.opts.NoSandbox, r.opts.Timeout = renderAuto, os.Geteuid() == 0, time.Minute
	return r
}

// shellOf returns a page that says what its script makes it say.
func shellOf(script string) string {
	return `<!doctype html><title>Shop</title><div id="root"></div><script>
const root = document.getElementById("root"), say = text => root.innerHTML = "<p>" + text + "</p>";
const show = got => got.then(answer => answer.text()).then(say, () => say("refused"));
` + script + `</script>`
}

// said lists the pages of a night as "PATH SEEN TEXT", of those unread why.
func (n *night) said() []string {
	var lines []string
	for path, p := range n.pages {
		text := n.texts[path]
		if p.Seen == document.Unread {
			text = strings.ReplaceAll(p.Why, n.rig.origin, "")
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", path, p.Seen, text))
	}
	slices.Sort(lines)
	return lines
}

func TestRender(t *testing.T) {
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("another host was asked for %s", r.URL) }))
	defer foreign.Close()
	second := testsite.New()
	defer second.Close()
	for path, allow := range map[string]string{"/": "", "/open": "*", "/closed": ""} {
		second.Set(path, testsite.Page{Body: "<p>" + path, Header: map[string]string{"Access-Control-Allow-Origin": allow}})
	}
	asks := func(what string) string {
		return strings.NewReplacer("FOREIGN", foreign.URL, "SECOND", second.URL()).Replace(what)
	}
	pages := []struct{ path, script, want string }{
		{"/text", `say("made by a script <a href='/linked'>more</a>")`, "read made by a script "},
		{"/late", `onload = () => setTimeout(() => show(fetch("/data")), 200)`, "read the data"},
		{"/module", `root.insertAdjacentHTML("afterend", "<script type=module src=/app.js></scr" + "ipt>"); const s = document.createElement("script"); s.src = "/app.js"; document.body.append(s)`, "read from app.js"},
		{"/module2", `const s = document.createElement("script"); s.src = "/app.js"; document.body.append(s)`, "read from app.js"},
		{"/post", `show(fetch("/data", {method: "POST", body: "query"}))`, "read the data"},
		{"/delete", `show(fetch("/data", {method: "DELETE"}))`, "read refused"},
		{"/forbidden", `show(fetch("/private/data"))`, "read refused"},
		{"/guard", asks(`show(fetch("FOREIGN/x", {mode: "no-cors"}))`), "read refused"},
		{"/file", `show(fetch("file:///etc/passwd"))`, "read refused"},
		{"/data-url", `show(fetch("data:text/plain,inline"))`, "read inline"},
		{"/open", asks(`show(fetch("SECOND/open"))`), "read /open"},
		{"/closed", asks(`show(fetch("SECOND/closed"))`), "read refused"},
		{"/images", asks(`root.innerHTML = "<p>images</p><img src=/i.png><img src=FOREIGN/i.png><video src=/v.mp4 autoplay></video><link rel=icon href=/f.ico><link rel=prefetch href=/p><style>@font-face{font-family:f;src:url(/f.woff)}p{font-family:f;background:url(/b.png)}</style>"`), "read images"},
		{"/frame", asks(`root.innerHTML = "<p>frame</p><iframe src=FOREIGN/frame></iframe>"`), "read frame"},
		{"/dialogs", asks(`addEventListener("beforeunload", e => e.preventDefault()); alert(1); say(confirm(2) + " " + prompt(3)); window.open("FOREIGN/w"); print()`), "read false null"},
		{"/socket", asks(`try { new WebSocket("FOREIGN/s".replace("http", "ws")); new EventSource("/events"); navigator.sendBeacon("/beacon", "x"); new RTCPeerConnection({iceServers: [{urls: "stun:" + new URL("FOREIGN").host}]}).createOffer() } finally { say("socket") }`), "read socket"},
		{"/workers", asks(`new Worker(URL.createObjectURL(new Blob(["fetch('FOREIGN/w'); importScripts('FOREIGN/i')"]))); navigator.serviceWorker.register("/sw.js"); say("workers")`), "read workers"},
		{"/download", `const a = document.createElement("a"); a.download = "x"; a.href = URL.createObjectURL(new Blob(["x"])); a.click(); say("download")`, "read download"},
		{"/leave", `say("stays"); location.href = "/data"`, "read stays"},
		{"/reload", `say("once"); setTimeout(() => location.reload(), 1)`, "read once"},
		{"/blank", `say("gone"); location.href = "about:blank"`, "unread rendering: its script went to about:blank"},
		{"/busy", `show(fetch("/broken"))`, "unread rendering: /broken, which it needs, was not read: HTTP status 503 Service Unavailable"},
		{"/many", `for (let i = 0; i < 300; i++) fetch("/data?" + i)`, "unread rendering: it makes more than 200 requests"},
		{"/gallery", `say("<img src=i>".repeat(300))`, "read "},
		{"/huge", `root.innerHTML = "x".repeat(2 << 20)`, "unread rendering: the page is over 1.0 MB (fetch.max_body)"},
		{"/much", `for (let i = 0; i < 8; i++) fetch("/big?" + i)`, "unread rendering: it asks for more than 4.2 MB (4 times fetch.max_body)"},
		{"/hidden", `document.head.innerHTML += "<meta name=robots content=noindex>"; say("hidden")`, "noindex hidden"},
		{"/storage", `localStorage.n = 1 + +(localStorage.n || 0); document.cookie = "n=" + localStorage.n; say(localStorage.n + document.cookie)`, "read 1n=1"},
		{"/storage2", `localStorage.n = 1 + +(localStorage.n || 0); document.cookie = "n=" + localStorage.n; say(localStorage.n + document.cookie)`, "read 1n=1"},
	}
	scripts := map[string]string{}
	for _, p := range pages {
		scripts[p.path] = p.script
	}
	r := rendering(t, scripts)
	r.script("robots \"User-agent: *\\nDisallow: /private\"\nstatus /broken 503\nraw /linked <p>a plain page</p>")
	r.Set("/app.js", testsite.Page{Body: `document.getElementById("root").innerHTML = "<p>from app.js</p>"`, Header: map[string]string{"Content-Type": "text/javascript"}})
	r.Set("/", testsite.Page{Body: "<p>home <a href=" + strings.Join(slices.Sorted(maps.Keys(scripts)), ">x</a><a href=") + ">x</a>"})
	for i := range 8 {
		r.Set(fmt.Sprint("/big?", i), testsite.Page{Body: strings.Repeat("x", 1<<20-1)})
	}
	r.opts.Start = append(r.opts.Start, second.URL()+"/")
	r.opts.Credentials = []transport.Credential{{Origin: r.origin, User: "u", Password: "p"}}
	n := r.run()
	want := []string{"/ read home ", "/linked read a plain page", second.URL() + "/ read /"}
	for _, p := range pages {
		want = append(want, p.path+" "+p.want)
	}
	slices.Sort(want)
	same(t, "pages", n.said(), want...)
	for path, count := range r.Counts() {
		switch {
		case path == "/data", strings.HasPrefix(path, "/nosuchpage"), strings.HasPrefix(path, "/data?"), strings.HasPrefix(path, "/big?"):
		case count != 1 || n.pages[path].Seen == "" && !slices.Contains([]string{"/app.js", "/broken", "/robots.txt", "/sitemap.xml"}, path):
			t.Errorf("%s was asked for %d times", path, count)
		}
	}
	for _, request := range r.Requests() {
		if request.Header.Get("Authorization") == "" || request.Header.Get("User-Agent") != "sitesync/1" || request.Header.Get("Cookie") != "" {
			t.Errorf("%s %s was asked with %v", request.Method, request.URI, request.Header)
		}
	}
	for _, request := range second.Requests() {
		if request.Header.Get("Authorization") != "" {
			t.Errorf("another origin got the credentials with %s", request.URI)
		}
	}
	for _, part := range []string{"/private/data: robots.txt: Disallow: /private", foreign.URL + "/x: 127.0.0.1 is loopback: not connected; to crawl this machine write under [site]"} {
		holds(t, "warnings", fmt.Sprint(n.survey.Warnings), part)
	}
	if p := n.pages["/text"]; p.Hints != (document.Hints{}) {
		t.Errorf("a rendered page has the hints %+v", p.Hints)
	}
}

// at looks at one page with a crawler of its own, and returns what it is.
func (r *rig) at(c *Crawler, path string) string {
	r.t.Helper()
	var said string
	_, err := c.Look(r.t.Context(), r.url(path), func(p *document.Page) error {
		said = strings.TrimSpace(fmt.Sprint(p.Seen, " ", p.Why, textOf(p)))
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return said
}

func TestRenderEndsByItsLimit(t *testing.T) {
	r := rendering(t, map[string]string{"/loop": `for (;;);`, "/waits": `fetch("/never")`})
	r.script("hold /never")
	defer r.script("release /never")
	r.opts.Timeout = 2 * time.Second
	c := r.crawler()
	holds(t, "an endless loop", r.at(c, "/loop"), "unread rendering: not done after 2s (fetch.timeout)")
	holds(t, "an answer that does not come", r.at(c, "/waits"), "unread rendering: not done after 2s (fetch.timeout)")
}

func TestRenderStopsAtOnce(t *testing.T) {
	r := rendering(t, map[string]string{"/": `fetch("/here"); for (;;);`})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if r.Await(t.Context(), "/", 1) == nil && r.Await(t.Context(), "/here", 1) == nil {
			cancel()
		}
	}()
	if _, err := r.try(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
}

// Chromium refuses an answer for a header that net/http lets pass; the page would wait
// for it for ever.
func TestRenderOddHeader(t *testing.T) {
	r := rendering(t, nil)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/":
			fmt.Fprint(w, shellOf(`show(fetch("/data"))`))
		case "/data":
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nOdd Name: x\r\nContent-Length: 8\r\nConnection: close\r\n\r\nthe data")
		default:
			http.NotFound(w, q)
		}
	}))
	defer app.Close()
	r.origin, r.opts.Start, r.opts.Timeout = app.URL, []string{app.URL + "/"}, 10*time.Second
	same(t, "page", []string{r.at(r.crawler(), "/")}, "read the data")
}

func TestRenderAlways(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	r := rendering(t, nil)
	r.script("set / Home|" + strings.Repeat("Much to read. ", 30) + "|/file.pdf\nraw /file.pdf %PDF-1.4\nheader /file.pdf Content-Type application/pdf\nheader / Content-Type text/html;charset=koi8-r")
	if err := r.Edit("/", "</body>", `<script>document.body.innerHTML = "<p>`+"\xd0\xcf\xd2\xd4"+`</p>"</script></body>`); err != nil {
		t.Fatal(err)
	}
	same(t, "auto", []string{r.at(r.crawler(), "/")}, "read "+strings.TrimSpace(strings.Repeat("Much to read. ", 30)))
	r.opts.Render = renderAlways
	first := r.run()
	same(t, "always", first.said(), "/ read порт")
	r.remember(first)
	r.Reset()
	r.run()
	for _, request := range r.Requests() {
		if request.Header.Get("If-None-Match") != "" {
			t.Errorf("%s was asked conditionally", request.URI)
		}
	}
	if r.opts.Browser = "/bin/false"; os.Geteuid() == 0 {
		holds(t, "no Chromium", r.at(r.crawler(), "/"), "unread rendering: start /bin/false: chrome failed to start")
		r.opts.NoSandbox = false
		holds(t, "root", r.at(r.crawler(), "/"), "unread rendering: Chromium does not run as root with its sandbox: run sitesync as another user or set")
	}
	r.opts.Browser = "/nowhere/chromium"
	holds(t, "no browser", r.at(r.crawler(), "/"), "unread rendering: run /nowhere/chromium: Chromium was not found: install it or name it in fetch.browser")
}

// An application that answers every address with the same shell says itself which
// pages do not exist.
func TestRenderKnowsMissingPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	r := rendering(t, nil)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/robots.txt" || q.URL.Path == "/sitemap.xml" {
			http.NotFound(w, q)
			return
		}
		fmt.Fprint(w, shellOf(`say({"/": "Home, sweet home <a href='/ants'>ants</a> <a href='/wasps'>wasps</a>", "/ants": "All about ants"}[location.pathname] || "There is no such page, sorry")`))
	}))
	defer app.Close()
	r.origin, r.opts.Start = app.URL, []string{app.URL + "/"}
	n := r.run()
	same(t, "pages", n.said(), "/ read Home, sweet home ", "/ants read All about ants", "/wasps missing There is no such page, sorry")
	if state := n.host().State; state != document.HostOK {
		t.Errorf("the host is %s", state)
	}
}
