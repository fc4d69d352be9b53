package ui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sitesync/crawl/chrome"
)

var shots = flag.String("shots", "", "save screenshots of the pages into this `folder`")

// openBrowser starts Chromium; complaints returns what its pages did that they must not.
func openBrowser(t *testing.T, address string) (ctx context.Context, complaints func() []string) {
	path, err := chrome.Find("")
	if err != nil || testing.Short() { // TestManyAtOnce has the race detector see as much
		t.Skip("SKIPPED: no browser, or a short run: ", err)
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("no-sandbox", os.Geteuid() == 0), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, end := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(end)
	ctx, end = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	var mu sync.Mutex
	var found []string
	if err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			found = append(found, fmt.Sprint("console: ", e.Type, e.Args))
		case *runtime.EventExceptionThrown:
			found = append(found, "exception: "+e.ExceptionDetails.Text)
		case *log.EventEntryAdded: // violations of the policy too
			found = append(found, e.Entry.Text+" "+e.Entry.URL)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, address) {
				found = append(found, "asks for "+e.Request.URL)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		all := found
		found = nil
		return all
	}
}

// TestBrowser: in a browser every page obeys its policy, asks no other host, fits a
// telephone and has a dark face, and axe finds no fault in it, light and wide or dark and
// narrow; filter, details and approval work.
func TestBrowser(t *testing.T) {
	address, server := everyPage(t)
	ctx, complaints := openBrowser(t, address)
	change := "/plan/change?id=" + url.QueryEscape(lost)
	for _, page := range []struct {
		name, path, has string
		then            []step
	}{
		{"link", "/?token=" + server.Token(), `location.pathname.endsWith("/") && location.search === ""`, nil},
		{"plan", "/plan/changes", `document.title !== "run" && !document.querySelector("main img") && document.body.innerText.includes("<script>")`, nil},
		{"filter", "/plan/changes", `document.querySelectorAll("#list li").length === 1 && location.search === "?q=bees" && [...document.querySelectorAll("select")].every(s => s.selectedIndex === 0)`, []step{
			until(`#list li:nth-child(5)`), chromedp.SendKeys(chromedp.CSS(`.filter [name=q]`), "bees"), until(`#list li:only-child`),
			click(`a[data-open]`), until(`.inline ins`),
		}},
		{"moved", "/plan/moved", `document.querySelector(".none")`, nil},
		{"warnings", "/plan/warnings", `document.querySelector(".none")`, nil},
		{"unread", "/plan/unread", `document.querySelector(".none")`, nil},
		{"change", change, `document.querySelector("ins") && document.querySelector("del")`, nil},
		{"home", "/", `document.querySelector("#last .badge").innerText === "fine" && document.querySelector("nav .badge").innerText === "1"`, nil},
		{"held", "/held", `document.querySelector(".rows button") && !document.querySelector("main button:not(.quiet)") && document.body.innerText.includes("301 on 20 November")`, nil},
		{"held, page 2", "/held", `document.querySelectorAll("#group1 li").length === 25 && document.querySelectorAll("#group0 li").length === 1 && document.body.innerText.includes("page 2 of 3")`, []step{click(`#group1 [rel=next]`), until(`#group1 [rel=prev]`)}},
		{"sure", "/held", `document.querySelector("h1").innerText === "Approve 60 changes?" && document.querySelectorAll("li").length === 4 && document.body.innerText.includes("57 more")`, []step{click(`#group1 > form button`), until(`[value=send]`)}},
		{"approved", change, `location.pathname.endsWith("/held") && document.body.innerText.includes("1 change approved")`, []step{click(`form[action$="/approve"] button`), click(`[value=send]`), until(`main > [role=status]`)}},
		{"withdrawn", "/held", `document.body.innerText.includes("1 approval withdrawn") && !document.querySelector("[value=withdraw]")`, []step{click(`#group0 > form [value=withdraw]`), until(`main > [role=status]`)}},
		{"making", "/plan/changes", `document.body.innerText.includes("1,234 of 9,876 known addresses are read") && document.querySelector("form[action$=cancel]")`, []step{click(`form[action$="/plan/new"] button`), until(`form[action$="/plan/cancel"]`)}},
		{"ended", "/plan/changes", `document.querySelector("main > [role=status]:first-child").innerText.includes("ended")`, []step{click(`form[action$="/plan/cancel"] button`), until(`main > [role=status]:first-child`)}},
		{"search", "/search?q=honey", `document.querySelectorAll(".hit").length === 12 && document.querySelector("mark") && document.querySelectorAll(".badge.changed").length === 1`, nil},
		{"nights", "/nights", `document.querySelectorAll(".chart rect").length > 20`, nil},
		{"night", "/nights/run-0", `document.querySelector(".note.bad")`, nil},
		{"searches", "/searches", `document.querySelectorAll("main ol").length === 3 && document.body.innerText.includes("1,234") && document.body.innerText.includes("<script>")`, nil},
		{"faults", "/site/faults", `document.querySelectorAll(".rows > li").length === 2`, nil},
		{"urls", "/site/urls", `document.querySelector(".pager")`, nil},
		{"why", "/why?url=" + url.QueryEscape(lost), `document.querySelector(".sentence")`, nil},
	} {
		steps := append([]step{look(""), chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address + page.path)}, page.then...)
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatalf("%s: %v, %q", page.name, err, complaints())
		}
		if !value[bool](t, ctx, "Boolean("+page.has+")") {
			t.Errorf("%s: it is not so that %s", page.name, page.has)
		}
		const background = `getComputedStyle(document.body).backgroundColor`
		light := value[string](t, ctx, background)
		found := barriers(t, ctx)
		wide := value[int](t, ctx, `document.documentElement.scrollWidth`)
		err := chromedp.Do(ctx, shot(page.name), look("dark"), shot(page.name+"-dark"), chromedp.EmulateViewport(360, 740))
		dark := value[string](t, ctx, background)
		found = append(found, barriers(t, ctx)...)
		err = errors.Join(err, chromedp.Do(ctx, look(""), shot(page.name+"-360")))
		if len(found) > 0 {
			t.Errorf("%s: axe finds\n%s", page.name, strings.Join(found, "\n"))
		}
		width := value[int](t, ctx, `document.documentElement.scrollWidth`)
		if bad := complaints(); err != nil || len(bad) > 0 || width > 360 || wide > 1280 || light == dark {
			t.Errorf("%s: %v, complaints %q, %d pixels wide on 360, %s in the light, %s in the dark", page.name, err, bad, width, light, dark)
		}
	}
}

// value returns what an expression is on the page.
func value[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(expression, err)
	}
	return v
}

// step is something that is done in the browser.
type step = chromedp.Action[chromedp.Void]

// look emulates what the owner prefers: dark, or nothing.
func look(scheme string) step { return media(scheme, "") }

// media emulates what the owner prefers, and what a page is shown on.
func media(scheme, on string) step {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: on, Features: features})
		return err
	})
}

// shot saves a picture of the page, where a folder was named.
func shot(name string) step {
	return chromedp.Func(func(ctx context.Context, on *chromedp.Target) error {
		if *shots == "" {
			return nil
		}
		png, err := chromedp.FullScreenshot(100)(ctx, on)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o600)
	})
}
