package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// evening is one night of a row: what happens to the site before it, and what a run makes
// of that: its changes, what it holds ("held"), what it could not read ("unread") and
// what it warns of, by path. "config" in a line sets a key for good.
type evening struct{ site, want string }

type row struct {
	name   string
	nights []evening
}

// rows are those of the table of what is seen and what is done that no script shows
// already; the sitemap is off and every page is linked from the front page unless they
// say otherwise.
var rows = []row{
	{"read, changed: a page that turns to a file, which has fewer fields", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{`pdf /a A|About ants; header /a Content-Type application/pdf`, "unhealthy /a"}, {"", "put /a changed"},
	}},
	{"read, changed, and its record in doubt", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"edit /a ants|bees; doubt /a", "put /a in-doubt"},
	}},
	{"read, new: a page that had noindex", []evening{
		{`links /a; set /a A|About ants||<meta name="robots" content="noindex">`, "put / new"},
		{"set /a A|About ants", "put /a new"},
	}},
	{"gone, though the sitemap lists it and delete.confirm asks for more", []evening{
		{"config delete confirm = 3; links /a; set /a A|About ants; sitemap on", "put / new, put /a new"},
		{"remove /a; set /sitemap-keeps x; status /a 410", "put /sitemap-keeps new, delete /a gone"},
	}},
	{"missing, in the sitemap: delete.confirm = 3 is more than two", []evening{
		{"config delete confirm = 3; links /a; set /a A|About ants; sitemap on", "put / new, put /a new"},
		{"status /a 404", ""}, {"", ""}, {"", "delete /a missing"},
	}},
	{"missing, then unread, then read, then missing: read begins anew", []evening{
		{"config delete confirm = 2; links /a; set /a A|About ants", "put / new, put /a new"},
		{"status /a 404", ""}, {"status /a 503", "unread /a"}, {"heal /a", ""}, {"status /a 404", ""}, {"status /a 503", "unread /a"},
		{"status /a 404", "delete /a missing"},
	}},
	{"moved: two that lead to one page which says at least half of each", []evening{
		{"links /a /b; set /a A|Ants build hills.</p><p>They bite.; set /b B|Bees build hives.</p><p>They sting.", "put / new, put /a new, put /b new"},
		{"set /c A|Ants build hills.</p><p>They bite.</p><p>Bees build hives.</p><p>They sting.; redirect /a /c; redirect /b /c 308", "put /c new, delete /a moved, delete /b moved"},
	}},
	{"redirected: two that lead to a page which says less than half of each", []evening{
		{"links /a /b /p0 /p1 /p2 /p3 /p4; many 5 set /p%d Page %d|About page %d; set /a A|Ants build hills.</p><p>They bite.; set /b B|Bees build hives.</p><p>They sting.", "put / new, put /a new, put /b new, put /p0 new, put /p1 new, put /p2 new, put /p3 new, put /p4 new"},
		{"set /c C|Cows give milk.; redirect /a /c; redirect /b /c", "put /c new"}, {"", "delete /a redirected, delete /b redirected"},
	}},
	{"elsewhere: 303 and 307, for ever, whatever delete.moved_away says", []evening{
		{`config delete moved_away = "delete"; links /a /b /d /e; set /a A|About ants; set /b B|About bees; set /c C|About cows; set /d D|About dogs; set /e E|About eels`, "put / new, put /a new, put /b new, put /d new, put /e new"},
		{"redirect /a /c 303; redirect /b http://elsewhere.invalid/ 307", "put /c new"}, {"", ""}, {"", "elsewhere /a, elsewhere /b"}, {"", "elsewhere /a, elsewhere /b"},
	}},
	{"elsewhere: moved away for good is deleted in the third run, not for a read in between", []evening{
		{`config delete moved_away = "delete"; links /a; set /a A|About ants`, "put / new, put /a new"},
		{"redirect /a http://elsewhere.invalid/a", ""}, {"", ""}, {"set /a A|About ants", ""},
		{"redirect /a http://elsewhere.invalid/a 308", ""}, {"status /a 503", "unread /a"}, {"heal /a", ""}, {"", "delete /a redirected"},
	}},
	{"elsewhere: a permanent redirect that leaves the site by a temporary one", []evening{
		{`config delete moved_away = "delete"; links /a; set /a A|About ants`, "put / new, put /a new"},
		{"redirect /a /b; redirect /b http://elsewhere.invalid/ 302", ""}, {"", ""}, {"", "elsewhere /a"}, {"", "elsewhere /a"},
	}},
	{"elsewhere: a permanent redirect that passes a temporary one", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"redirect /a /b; redirect /b /c 302; set /c A|About ants", "put /c new"},
	}},
	{"a redirect goes through scope and robots.txt like any link", []evening{
		{`links /a /b; set /a A|About ants; set /b B|About bees`, "put / new, put /a new, put /b new"},
		{`robots User-agent: *\nDisallow: /no/; config site exclude = ["/out/**"]; set /no/a A|About ants; set /out/b B|About bees; redirect /a /no/a; redirect /b /out/b`, ""},
	}},
	{"a redirect of ten steps is followed, one of eleven is a mistake", []evening{
		{"links /x0 /y0; set /x0 X|About oxen; set /y0 Y|About yaks", "put / new, put /x0 new, put /y0 new"},
		{"chain /x 10; set /x10 X|About oxen; chain /y 11; set /y11 Y|About yaks", "put /x10 new, put /y11 new, delete /x0 moved, redirect /y0"},
	}},
	{"noindex in the header of a file", []evening{
		{"links /a.pdf; pdf /a.pdf A|About ants", "put / new, put /a.pdf new"},
		{"header /a.pdf X-Robots-Tag noindex", "delete /a.pdf noindex"},
	}},
	{"duplicate by the canonical of a header", []evening{
		{"links /a /b; set /a A|About ants; set /b B|About bees", "put / new, put /a new, put /b new"},
		{`header /b Link </a>;rel="canonical"; set /b A|About ants`, "delete /b duplicate"},
	}},
	{"duplicate: half of the blocks is enough, less is a mistake", []evening{
		{`links /a /b /c; set /a A|Ants build hills.</p><p>They bite.; set /b B|Ants build hills.</p><p>They bite.</p><p>They sing.||<link rel="canonical" href="/a">; set /c C|They bite.</p><p>Cows give milk.</p><p>Dogs bark.||<link rel="canonical" href="/a">`,
			"put / new, put /a new, put /c new, canonical /c"},
	}},
	{"duplicate while its canonical is unread: both stay, neither is sent", []evening{
		{"links /a /b; set /a A|About ants; set /b B|About bees", "put / new, put /a new, put /b new"},
		{`set /b A|About ants||<link rel="canonical" href="/a">; status /a 503`, "unread /a"},
	}},
	{"owner's mistakes: a canonical that is broken, a redirect, out of scope, no address", []evening{
		{`config site exclude = ["/out/**"]; links /a /b /c /d; set /a A|About ants||<link rel="canonical" href="/nothing">; set /b B|About bees||<link rel="canonical" href="/moved">; redirect /moved /; set /c C|About cows||<link rel="canonical" href="/out/c">; set /d D|About dogs||<link rel="canonical" href="https://[">`,
			"put / new, put /a new, put /b new, put /c new, put /d new, canonical /d, broken-link /nothing, canonical /a, canonical /b, canonical /c"},
	}},
	{"owner's mistakes: a canonical, and a redirect, that lead to the front page of a host to which pages link", []evening{
		{`links /a /b http://elsewhere.invalid/x; set /a A|About ants||<link rel="canonical" href="http://elsewhere.invalid/">; set /b B|About bees`,
			"put / new, put /a new, put /b new, canonical /a"},
		{"redirect /b http://elsewhere.invalid/", "canonical /a"}, {"", "canonical /a"}, {"", "canonical /a, elsewhere /b"},
	}},
	{"never folded: hreflang, other languages", []evening{
		{`links /a /a?lang=da; html /a en <link rel="alternate" hreflang="da" href="/a?lang=da">; html /a?lang=da da <link rel="alternate" hreflang="en" href="/a">`, "put / new, put /a new, put /a?lang=da new"},
	}},
	{"robots, where delete.out_of_scope keeps: a page that failed no longer fails", []evening{
		{`config delete out_of_scope = "keep"; links /a; set /a A|About ants`, "put / new, put /a new"},
		{"status /a 503", "unread /a"},
		{`heal /a; robots User-agent: *\nDisallow: /a`, ""},
		{"failing", ""},
	}},
	{"unhealthy: an empty shell is kept once, with whatever title", []evening{
		{"links /a; set /a A|About ants and everything that they do all day long", "put / new, put /a new"},
		{`raw /a "<html><title>A</title><body><div id=root></div><script src=/app.js></script></body></html>"`, "empty-shell /a, unhealthy /a"},
		{`raw /a "<html><title>B</title><body><div id=root></div><script src=/app.js></script></body></html>"`, "put /a changed, empty-shell /a"},
	}},
	{"unread: a page that turns to something that is no page", []evening{
		{"links /a /b; set /a A|About ants; set /b B|About bees", "put / new, put /a new, put /b new"},
		{"edit /a ants|bats; header /a Content-Type image/png; redirect /b http://[ 301", "unread /a"},
	}},
}

// Invariant 4: every delete has its evidence and passes the brakes. Each row says what the nights see, and what
// each night does.
func TestEveryRow(t *testing.T) {
	for _, row := range slices.Concat(rows, moreRows) {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			config := w.configure(t, "row", w.base, 4)
			for n, night := range row.nights {
				w.before(t, config, night.site)
				if got := w.told(t, config, n); got != night.want {
					t.Fatalf("night %d, %q:\ngot  %s\nwant %s", n, night.site, got, night.want)
				}
			}
		})
	}
}

// before does what happens before a night.
func (w *town) before(t *testing.T, config, lines string) {
	t.Helper()
	for line := range strings.SplitSeq(lines, "; ") {
		name, rest, _ := strings.Cut(line, " ")
		switch words := strings.Fields(rest); name {
		case "":
		case "config":
			w.reconfigure(t, config, words[0], strings.Join(words[1:], " "))
		case "links":
			w.site.HTML("/", "Home", "<p>Welcome to the town</p>", words...)
		case "html":
			w.script(t, fmt.Sprintf(`raw %s "<html lang=%s><head><title>A</title>%s</head><body><main><p>1 2 3</p></main></body></html>"`, words[0], words[1], strings.ReplaceAll(strings.Join(words[2:], " "), `"`, "'")))
		case "chain":
			var length int
			if _, err := fmt.Sscan(words[1], &length); err != nil {
				t.Fatal(err)
			}
			for i := range length {
				w.site.Redirect(fmt.Sprint(words[0], i), fmt.Sprint(words[0], i+1), 301)
			}
		case "doubt":
			w.run(t, 0, "", "call", "docs", "delete", w.site.URL()+words[0], "-c", config)
		case "approve":
			w.run(t, 0, "", "approve", "--all", "-c", config)
		case "failing": // nothing is, by what the ledger says
			if out := w.run(t, 0, "", "status", "-c", config); strings.Contains(out, "failing") {
				t.Error(out)
			}
		default:
			w.script(t, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
}

func (w *town) script(t *testing.T, line string) {
	t.Helper()
	if err := w.site.Script(line); err != nil {
		t.Fatal(err)
	}
}

// reconfigure sets a key of a section that may not be there yet.
func (w *town) reconfigure(t *testing.T, config, section, setting string) {
	t.Helper()
	raw, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	text, head := string(raw), "["+section+"]\n"
	if !strings.Contains(text, head) {
		text += head
	}
	if err := os.WriteFile(config, []byte(strings.Replace(text, head, head+setting+"\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// told runs a sync and returns in words what it did.
func (w *town) told(t *testing.T, config string, n int) string {
	t.Helper()
	var out bytes.Buffer
	w.try(t, &out, fmt.Sprint(1_800_000_000+n*86_400), "sync", "--format", "json", "-c", config)
	var got struct {
		Changes, Held []struct{ Op, ID, Cause, State string }
		Failed        []struct{ URL string }
		Warnings      []struct{ Kind, URL string }
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	var words []string
	for _, c := range got.Changes {
		words = append(words, c.Op+" "+c.ID+" "+c.Cause)
	}
	for _, c := range got.Held {
		words = append(words, "held "+c.ID+" "+c.Cause)
	}
	for _, f := range got.Failed {
		words = append(words, "unread "+f.URL)
	}
	for _, warning := range got.Warnings {
		words = append(words, warning.Kind+" "+warning.URL)
	}
	return strings.ReplaceAll(strings.Join(words, ", "), w.site.URL(), "")
}
