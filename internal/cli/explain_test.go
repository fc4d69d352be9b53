package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite/strike"
)

// explained are the pages of TestExplainIsThePlan: how each is when the site is known, how
// it is in the last run, and how it is tonight. Lines are those of testsite's scripts, with
// PATH for the path; an empty one changes nothing.
var explained = []struct{ path, first, last, tonight string }{
	{"/unchanged", "", "", ""},
	{"/new", "remove PATH", "", "set PATH New|About a thing that nobody has read of before"},
	{"/changed", "", "", "edit PATH text|words"},
	{"/field-lost", "set PATH T|Dated text that is long enough to be text||<meta name=date content=2026-05-04>", "", "set PATH T|Dated text that is long enough to be text"},
	{"/field-lost-before", "set PATH T|Dated text that is as long as it was||<meta name=date content=2026-05-04>", "set PATH T|Dated text that is as long as it was", ""},
	{"/missing", "", "", "remove PATH"},
	{"/missing-before", "", "remove PATH", ""},
	{"/gone", "", "", "status PATH 410"},
	{"/noindex", "", "", "edit PATH <head>|<head><meta name=robots content=noindex>"},
	{"/unread", "", "", "status PATH 503"},
	{"/unread-before", "", "status PATH 503", ""},
	{"/redirect-alike", "set PATH Old|The very text of the town's new quarter by the sea", "", "redirect PATH /quarter"},
	{"/quarter", "remove PATH", "set PATH New|The very text of the town's new quarter by the sea", ""},
	{"/redirect-elsewhere", "", "redirect PATH /unchanged", ""},
	{"/redirect-temporary", "", "", "redirect PATH /unchanged 302"},
	{"/redirect-out", "", "", "redirect PATH http://elsewhere.invalid/"},
	{"/redirect-nowhere", "", "", "redirect PATH /nowhere"},
	{"/redirect-round", "", "", "redirect PATH /redirect-round"},
	{"/redirect-barred", "", "", "redirect PATH /barred"},
	{"/copy", "set PATH Unchanged|Copied text about the harbour and its boats", "", "set PATH Unchanged|Copied text about the harbour and its boats||<link rel=canonical href=/original>"},
	{"/original", "set PATH Unchanged|Copied text about the harbour and its boats", "", ""},
	{"/new-copy", "remove PATH", "", "set PATH Unchanged|Copied text about the harbour and its boats||<link rel=canonical href=/original>"},
	{"/wrong-canonical", "", "", "edit PATH <head>|<head><link rel=canonical href=/unchanged>"},
	{"/wrong-canonical-before", "", "edit PATH <head>|<head><link rel=canonical href=/unchanged>", ""},
	{"/shell", "", "", `raw PATH "<html><head><title>T</title></head><body><div id=root></div><script src=/app.js></script></body></html>"`},
	{"/shell-before", "", `raw PATH "<html><head><title>T</title></head><body><div id=root></div><script src=/app.js></script></body></html>"`, ""},
	{"/barred", "", "", ""}, // by robots.txt, tonight
	{"/out/of/scope", "", "", ""},
	{"/parked", "", "edit PATH text|refused text", ""},
	{"/doubt", "", "", "DOUBT"},
	{"/variant?x=1", "set PATH Variant|This very page stands under two addresses", "", ""},
	{"/variant", "remove PATH", "", "set PATH Variant|This very page stands under two addresses"},
	{"/moved-text", "set PATH Moved|" + longText, "remove PATH", ""},
	{"/moved-text-now", "remove PATH", "set PATH Moved|" + longText, ""},
}

const longText = "The ferry leaves the harbour every hour and takes people, bicycles and goods to the island, where the road leads on to the lighthouse and the old fort above the cliffs."

// TestExplainIsThePlan: of every URL explain says what a plan of the whole site says, on an
// ordinary night of all kinds of changes and on one on which the whole site is ill.
func TestExplainIsThePlan(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	config := w.configure(t, "explained", w.base, 4)
	w.reconfigure(t, config, "fetch", "retries = 0")
	w.reconfigure(t, config, "delete", "confirm = 2")
	links := []string{"/nowhere"}
	text := func(path string) string {
		return fmt.Sprintf("<p>This is the text of %s, which tells of %x and of nothing else; nobody else in town has a text like that of %s.</p>", path, path, path)
	}
	page := func(path string) { w.site.HTML(path, "Page "+path, text(path)); links = append(links, path) }
	change := func(line, path string) {
		switch line {
		case "":
		case "DOUBT":
			w.run(t, 0, "", "call", "docs", "delete", w.site.URL()+path, "-c", config)
		default:
			w.script(t, strings.ReplaceAll(line, "PATH", path))
		}
	}
	for _, c := range explained {
		page(c.path)
		change(c.first, c.path)
	}
	for i := range 70 {
		page(fmt.Sprintf("/rest/%d", i))
	}
	for i := range 14 {
		page(fmt.Sprintf("/held/%d", i))
		page(fmt.Sprintf("/notice/%d", i))
	}
	w.site.HTML("/", "Home", "<p>Welcome to the town</p>", links...)
	epoch := 1_800_000_000
	sync := func() {
		epoch += 86_400
		var out bytes.Buffer
		w.try(t, &out, fmt.Sprint(epoch), "sync", "-c", config)
	}
	sync()
	w.panel.Read(strike.Readings{Refuse: []strike.Refusal{{ID: "/parked"}}})
	for _, c := range explained {
		if c.path == "/parked" {
			change(c.last, c.path)
		}
	}
	w.script(t, "many 14 remove /held/%d")
	w.script(t, "many 14 set /notice/%d Notice|The town's pages are being rebuilt, and will be back next week with more to read.")
	sync()
	sync()
	for _, c := range explained {
		if c.path != "/parked" {
			change(c.last, c.path)
		}
	}
	sync()
	for _, c := range explained {
		change(c.tonight, c.path)
	}
	w.script(t, `robots "User-agent: *\nDisallow: /barred"`)
	w.reconfigure(t, config, "site", `exclude = ["/out/**"]`)
	epoch += 86_400
	links = slices.DeleteFunc(links, func(path string) bool {
		return strings.Contains(path, "/rest/") || path > "/held/1" && path < "/held/9" || path > "/notice/1" && path < "/notice/9"
	})
	seen := w.explainAll(t, config, epoch, links)
	for cause, n := range map[document.Cause]int{
		document.CauseNew: 1, document.CauseChanged: 3, document.CauseMissing: 2, document.CauseGone: 1, document.CauseNoIndex: 1, document.CauseRedirected: 1, document.CauseMoved: 2,
		document.CauseDuplicate: 1, document.CauseRobots: 1, document.CauseOutOfScope: 1, document.CauseInDoubt: 1, document.CauseRetry: 1,
	} {
		if seen[string(cause)] < n {
			t.Errorf("%d changes of cause %s, want %d or more: the night is not what it should be; %v", seen[string(cause)], cause, n, seen)
		}
	}
	for _, state := range []string{"held", "refused"} {
		if seen[state] == 0 {
			t.Errorf("nothing is %s: %v", state, seen)
		}
	}

	w.script(t, "status * 404") // the whole site, as after an unlucky deployment
	sync()
	epoch += 86_400
	if seen := w.explainAll(t, config, epoch, links[:12]); seen["held"] < 8 {
		t.Errorf("the ill site: %v", seen)
	}
}

var runsOf = regexp.MustCompile(` in runs? [0-9A-Z]{26}(, [0-9A-Z]{26})*( and now)?| now|;.*`) // and who links to the page, which one look does not tell

// explainAll has every URL explained and compared with what a plan of the whole site says.
// It returns how many changes the plan has of each cause and each state.
func (w *town) explainAll(t *testing.T, config string, epoch int, paths []string) map[string]int {
	t.Helper()
	var plan struct {
		Changes, Held []document.Entry
		Failed        []document.Failure
	}
	var out bytes.Buffer
	w.try(t, &out, fmt.Sprint(epoch), "plan", "--format", "json", "--full", "-c", config)
	if err := json.NewDecoder(&out).Decode(&plan); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, e := range plan.Held { // which have no state, and no fields
		e.State = document.Held
		plan.Changes = append(plan.Changes, e)
	}
	say := func(e *document.Entry) string {
		if e == nil {
			return "nothing"
		}
		if e.State == document.Held {
			e.Fields = nil
		}
		return fmt.Sprint(e.Op, " ", e.Cause, " ", e.Fields, " ", e.State, " ", e.Brake, " ", e.Group)
	}
	seen := map[string]int{}
	for _, path := range paths {
		url := w.site.URL() + path
		var planned *document.Entry
		if i := slices.IndexFunc(plan.Changes, func(e document.Entry) bool { return e.ID == url }); i >= 0 {
			planned = &plan.Changes[i]
			seen[string(planned.Cause)]++
			seen[string(planned.State)]++
		}
		var e struct {
			Due     *document.Entry
			Verdict string
		}
		out := w.run(t, 0, fmt.Sprint(epoch), "explain", "--format", "json", url, "-c", config)
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if e.Due != nil && e.Due.ID != url { // of the page that it leads to
			e.Due = nil
		}
		if got, want := say(e.Due), say(planned); got != want {
			t.Errorf("%s: explain says %s: %s\nthe plan: %s", path, got, e.Verdict, want)
		} else if planned != nil && runsOf.ReplaceAllString(e.Due.Evidence, "") != runsOf.ReplaceAllString(planned.Evidence, "") {
			t.Errorf("%s: explain gives the evidence %q, the plan %q", path, e.Due.Evidence, planned.Evidence)
		}
		failed := slices.ContainsFunc(plan.Failed, func(f document.Failure) bool { return f.URL == url })
		if failed != strings.HasPrefix(e.Verdict, "unread: ") {
			t.Errorf("%s: %s; the plan has it unread: %t", path, e.Verdict, failed)
		}
	}
	return seen
}
