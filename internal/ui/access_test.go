package ui

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sitesync/internal/document"
	"sitesync/internal/report"
)

// axe looks for faults that keep people with disabilities out.
//
//go:embed testdata/axe.min.js
var axe string

// axeFaults are its findings on the page, one line each. The browser's tools evaluate it, so
// the policy of the page does not stop it.
const axeFaults = `axe.run().then(r => r.violations.flatMap(v => v.nodes.map(n => v.impact + ": " + v.help + ": " + n.html + " " + n.any.map(c => c.message).join(", "))))`

// barriers returns what axe finds on the page as it is shown now.
func barriers(t *testing.T, ctx context.Context) []string {
	t.Helper()
	if !value[bool](t, ctx, `"axe" in window`) {
		value[int](t, ctx, axe+";0")
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](axeFaults, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// enter opens the pages in a browser of its own.
func enter(t *testing.T) (ctx context.Context, address string) {
	address, server := everyPage(t)
	ctx, _ = openBrowser(t, address)
	do(t, ctx, look(""), chromedp.Navigate(address+"/?token="+server.Token()))
	return ctx, address
}

// do does steps in the browser, or ends the test.
func do(t *testing.T, ctx context.Context, steps ...step) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatalf("%v, at %s\n%s", err, value[string](t, ctx, "location.href"), value[string](t, ctx, "document.body.innerText"))
	}
}

func until(selector string) step { return chromedp.Query(chromedp.CSS(selector)) }

func click(selector string) step { return chromedp.Click(chromedp.CSS(selector)) }

// watchFocus notes what is wrong with each control that gets the focus, and how many a page has.
const watchFocus = `(() => {
	const all = [...document.querySelectorAll("a[href],button,input:not([type=hidden]),select,summary")].filter(e => e.checkVisibility());
	let next = 0;
	window.faults = [];
	addEventListener("focusin", () => {
		const e = document.activeElement, style = getComputedStyle(e), at = e.getBoundingClientRect();
		if (all.indexOf(e) !== next++) faults.push("out of order: " + e.outerHTML);
		if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) faults.push("not seen: " + e.outerHTML);
		if (at.right <= 0 || at.bottom <= 0 || at.top >= innerHeight) faults.push("off the screen: " + e.outerHTML);
	});
	return all.length;
})()`

// TestKeyboard: on every page the tabulator reaches each control in order, where one sees
// it; the first control leads to the content. Filter, details and approval need no mouse.
func TestKeyboard(t *testing.T) {
	ctx, address := enter(t)
	tab, press := chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)
	to := func(selector string) { // by the tabulator
		t.Helper()
		for range 100 {
			do(t, ctx, tab)
			if value[bool](t, ctx, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
				return
			}
		}
		t.Fatal("the tabulator does not reach", selector)
	}
	change := address + "/plan/change?id=" + url.QueryEscape(lost)
	for _, page := range []string{"/", "/plan/changes", "/plan/change?id=" + url.QueryEscape(lost), "/held", "/search?q=honey", "/nights", "/nights/run-0", "/searches", "/site/faults", "/why"} {
		do(t, ctx, chromedp.Navigate(address+page))
		controls := value[int](t, ctx, watchFocus)
		do(t, ctx, slices.Repeat([]step{tab}, controls)...)
		if faults := value[[]string](t, ctx, "[...faults, document.activeElement.tagName]"); len(faults) > 1 || faults[0] == "BODY" {
			t.Errorf("%s: %q", page, faults)
		}
	}
	do(t, ctx, chromedp.Navigate(address+"/plan/changes"), tab, press, tab)
	if !value[bool](t, ctx, `document.activeElement.closest("main") !== null`) {
		t.Error("the first control does not lead to the content")
	}
	to("[name=kind]")
	do(t, ctx, chromedp.KeyEvent("h"), until("#list li:only-child .badge.held"))
	to("a[data-open]")
	do(t, ctx, press, until(".inline ins"), press, chromedp.WaitNotPresent(chromedp.CSS(".inline")))
	do(t, ctx, chromedp.Navigate(address+"/site/faults"))
	to("summary")
	do(t, ctx, press, until("details[open]"))
	do(t, ctx, chromedp.Navigate(change))
	to(`form[action$="/approve"] button`)
	do(t, ctx, press, until("[value=send]"))
	to("[value=send]")
	do(t, ctx, press, until("main > [role=status]"))
}

// TestMailedPage: the page that is mailed opens from a file, keeps nobody out, and shows on
// paper what stands folded on the screen.
func TestMailedPage(t *testing.T) {
	none := func(func(document.Failure, error) bool) {}
	run := &report.Run{
		Site: "www.example.com", Failures: none, Moves: func(func(document.Move, error) bool) {}, Warnings: func(func(document.Warning, error) bool) {},
		Changes: func(yield func(report.Change, error) bool) {
			yield(report.Change{
				Entry:  document.Entry{Op: document.Patch, ID: "https://www.example.com/hours", Type: document.PageContent, Cause: document.CauseChanged, State: document.Acknowledged, Fields: []string{"Title"}},
				Detail: report.Detail{Title: "Hours", Differences: []report.Difference{{Field: "Title", Old: "Times", New: "Hours of a new year"}}},
			}, nil)
		},
	}
	path := filepath.Join(t.TempDir(), "report.html")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(report.HTML(out, run), out.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, _ := enter(t)
	do(t, ctx, chromedp.Navigate("file://"+path), until("details"))
	if found := barriers(t, ctx); len(found) > 0 {
		t.Errorf("axe finds %q", found)
	}
	shown := func(on string) string {
		do(t, ctx, media("", on))
		return value[string](t, ctx, "document.body.innerText")
	}
	if screen, paper := shown("screen"), shown("print"); strings.Contains(screen, "new year") || !strings.Contains(paper, "new year") {
		t.Errorf("on the screen:\n%s\non paper:\n%s", screen, paper)
	}
}
