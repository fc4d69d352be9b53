package ui

import (
	"context"
	_ "embed"
	"testing"

	"github.com/chromedp/chromedp"
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
