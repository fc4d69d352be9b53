package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli"
	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/testsite"
	"sitesync/internal/testsite/strike"
)

// town is a site, a service and a folder with a configuration.
type town struct {
	site    *testsite.Site
	service *service.Service
	panel   *strike.Panel // before the service
	base    string
	dir     string
	pages   map[string]string // path → text
	footer  string            // on all pages
}

func newTown(t *testing.T) *town {
	t.Helper()
	w := &town{site: testsite.New(), dir: t.TempDir(), pages: map[string]string{}, footer: "The town hall is open from nine to four."}
	t.Cleanup(w.site.Close)
	w.base, w.service, w.panel = newService(t)
	return w
}

func newService(t *testing.T) (string, *service.Service, *strike.Panel) {
	t.Helper()
	local, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		t.Fatal(err)
	}
	panel := strike.New(local)
	server := httptest.NewServer(panel)
	t.Cleanup(func() { server.Close(); local.Close() })
	return server.URL, local, panel
}

// configure writes a configuration under name, for the given service and workers.
func (w *town) configure(t *testing.T, name, base string, concurrency int) string {
	t.Helper()
	path := filepath.Join(w.dir, name+".toml")
	text := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nretry_wait = \"1ms\"\nconcurrency = %d\n[store]\npath = %q\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\nbatch_documents = 5\n",
		w.site.URL()+"/", concurrency, name+".db", base, customer, crawler)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// build makes a site of n pages with redirects, variants, a canonical, files and a
// page that asks not to be indexed.
func (w *town) build(n int) {
	var links []string
	for i := range n {
		path := fmt.Sprintf("/section-%d/page-%d.html", i%7, i)
		links = append(links, path)
		w.set(path, fmt.Sprintf("This is text number %d, which is about subject %d and about nothing else.", i, i*i))
	}
	links = append(links, "/old.html", "/variant", "/variant?x=1", "/copy.html", "/hidden.html", "/form.pdf")
	w.site.Redirect("/old.html", "/section-0/page-0.html", 301)
	w.set("/variant", "This is one page that stands under two addresses.")
	w.html("/variant?x=1", "Page /variant", w.main("This is one page that stands under two addresses."))
	w.site.Set("/copy.html", testsite.Page{Body: `<html><head><link rel=canonical href="/section-0/page-0.html"></head><body><main><p>This is text number 0, which is about subject 0 and about nothing else.</p></main></body></html>`})
	w.site.Set("/hidden.html", testsite.Page{Body: `<html><head><meta name=robots content=noindex></head><body><main><p>hidden</p><a href="/form.pdf">The form to fill in</a></main></body></html>`})
	w.site.Set("/form.pdf", testsite.Page{Body: testsite.PDF("", "A form to fill in"), Header: map[string]string{"Content-Type": "application/pdf"}})
	w.site.HTML("/", "Home", "welcome to the town", links...)
}

func (w *town) set(path, text string) {
	w.pages[path] = text
	w.html(path, "Page "+path, w.main(text))
}

// main is what stands in the main part of a page, as templates without a mark of
// furniture have it.
func (w *town) main(text string) string { return "<p>" + text + "</p><p>" + w.footer + "</p>" }

// html sets a page whose template marks no main part: what stands there is told by likeness.
func (w *town) html(path, title, main string, links ...string) {
	page := testsite.Markup{Title: title, Main: main, Links: links}.String()
	w.site.Set(path, testsite.Page{Body: strings.NewReplacer("<main>", "<div>", "</main>", "</div>").Replace(page)})
}

// run runs sitesync in this process.
func (w *town) run(t *testing.T, want int, epoch string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := w.try(t, &out, epoch, args...); code != want {
		t.Fatalf("sitesync %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, out.String())
	}
	return out.String()
}

// try runs sitesync in this process and returns its exit code.
func (w *town) try(t *testing.T, out *bytes.Buffer, epoch string, args ...string) int {
	getenv := func(name string) string {
		return map[string]string{"SITESYNC_API_KEY": apiKey, "STAGING_PASSWORD": password, "SOURCE_DATE_EPOCH": epoch}[name]
	}
	return cli.Run(t.Context(), args, strings.NewReader(""), out, out, getenv)
}

// index returns what the service holds: path → Content.
func index(t *testing.T, s *service.Service, site string) map[string]string {
	t.Helper()
	got := map[string]string{}
	docs, err := s.Documents(customer, crawler)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		var content string
		if raw := doc.Fields["Content"]; raw != nil {
			if err := json.Unmarshal(raw, &content); err != nil {
				t.Fatal(err)
			}
		}
		got[strings.TrimPrefix(doc.ID, site)] = content
	}
	return got
}

// records returns every record of a ledger, and its profile, printed.
func records(t *testing.T, path string) map[string]string {
	t.Helper()
	ledger, err := diffstore.OpenRead(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	got := map[string]string{}
	for rec, err := range ledger.Records() {
		if err != nil {
			t.Fatal(err)
		}
		got[rec.ID] = fmt.Sprintf("%+v", rec)
	}
	profile, err := ledger.Profile()
	if err != nil {
		t.Fatal(err)
	}
	got["profile"] = fmt.Sprintf("%+v", profile)
	return got
}

// Invariant 11: the same plan at any concurrency, from nothing and after changes.
func TestSamePlan(t *testing.T) {
	w := newTown(t)
	w.build(60)
	one := w.configure(t, "one", w.base, 1)
	text, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("[fetch]\n"), []byte("follow_only = [\"/section-5/**\"]\nno_follow = [\"/section-6/**\"]\n[fetch]\n"), 1)
	w.write(t, "one.toml", text)
	for _, many := range []string{"8", "32"} {
		w.write(t, many+".toml", bytes.Replace(text, []byte("concurrency = 1\n"), []byte("concurrency = "+many+"\n"), 1))
	}
	compare := func(epoch string) {
		t.Helper()
		plan := func(config string) []byte {
			w.run(t, 0, epoch, "plan", "-c", filepath.Join(w.dir, config+".toml"), "-o", filepath.Join(w.dir, config+".plan"))
			return w.read(t, config+".plan")
		}
		alone, many := plan("one"), plan("32")
		processors := runtime.GOMAXPROCS(1)
		some := plan("8")
		runtime.GOMAXPROCS(processors)
		if !bytes.Equal(alone, many) || !bytes.Equal(alone, some) {
			t.Fatalf("plans made by 1, by 32 and by 8 workers on one processor differ: %d, %d and %d bytes", len(alone), len(many), len(some))
		}
		checkPlan(t, filepath.Join(w.dir, "one.plan"))
	}
	compare("1800000000")
	w.run(t, 0, "1800000000", "sync", "-c", one)
	w.set("/section-0/page-0.html", `This is quite another text, and it leads to a page <a href="/moved.html">that moved</a>.`)
	w.html("/moved.html", "Page /section-4/page-4.html", w.main(w.pages["/section-4/page-4.html"]))
	w.site.Remove("/section-4/page-4.html")
	w.site.Remove("/section-1/page-1.html")
	w.site.Redirect("/section-2/page-2.html", "/section-3/page-3.html", 308)
	compare("1800086400")
	w.footer = "The town hall is open from ten to five."
	w.build(60)
	compare("1800172800")
}

// checkPlan holds invariant 13 against a plan: an ID once, what is new before what is
// put again, that before patches, deletes and bulk deletes; a type with every document,
// evidence with every delete.
func checkPlan(t *testing.T, path string) {
	t.Helper()
	plan, err := planfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	order := map[document.Op]int{document.Put: 1, document.Patch: 2, document.Delete: 3, document.BulkDelete: 4}
	seen, last := map[string]bool{}, 0
	for c, err := range plan.Changes() {
		if err != nil {
			t.Fatal(err)
		}
		if seen[c.ID] {
			t.Errorf("%s stands in the plan twice", c.ID)
		}
		place := order[c.Op]
		if c.Cause == document.CauseNew {
			place = 0
		}
		if place < last {
			t.Errorf("%s of %s comes after a later operation", c.Op, c.ID)
		}
		deletes := place > order[document.Patch]
		if deletes && c.Evidence == "" || !deletes && !strings.HasSuffix(string(c.Doc), `,"type":"`+string(c.Type)+`"}`) {
			t.Errorf("the %s of %s has no evidence, or its document no type", c.Op, c.ID)
		}
		seen[c.ID], last = true, place
	}
}

// Invariant 12: plan -o and apply leave the same ledger and index as sync.
func TestPlanApplyIsSync(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(40)
	otherBase, other, _ := newService(t)
	direct, twoSteps := w.configure(t, "direct", w.base, 4), w.configure(t, "steps", otherBase, 4)
	plan := filepath.Join(w.dir, "night.plan")
	want := 0 // exit code
	for night, epoch := range []string{"1800000000", "1800086400", "1800172800", "1800259200", "1800345600", "1800432000", "1800518400"} {
		w.set("/section-0/page-0.html", fmt.Sprintf("This is what the page says in night number %d of this test.", night))
		if night == 2 {
			w.site.Remove("/section-1/page-1.html")
		}
		if night == 3 {
			w.footer = "The town hall is open from ten to five."
			w.build(40)
		}
		switch night {
		case 4: // too many deletes
			for i := range 15 {
				w.site.Remove(fmt.Sprintf("/section-%d/page-%d.html", i%7, i))
			}
			want = 4
		case 5:
			w.run(t, 0, epoch, "approve", "--cause", "missing", "-c", direct)
			w.run(t, 0, epoch, "approve", "--cause", "missing", "-c", twoSteps)
			want = 0
		case 6: // every document is in doubt then
			w.site.Remove("/section-2/page-16.html")
			addLine(t, direct, `mode = "queue"`)
			addLine(t, twoSteps, `mode = "queue"`)
		}
		w.run(t, want, epoch, "sync", "-c", direct)
		w.run(t, want, epoch, "plan", "-c", twoSteps, "-o", plan)
		w.run(t, want, epoch, "apply", plan, "-c", twoSteps)
		if a, b := index(t, w.service, w.site.URL()), index(t, other, w.site.URL()); !maps.Equal(a, b) {
			t.Fatalf("night %d: the indexes differ:\n%v\n%v", night, a, b)
		}
		a, b := records(t, filepath.Join(w.dir, "direct.db")), records(t, filepath.Join(w.dir, "steps.db"))
		if !maps.Equal(a, b) {
			t.Fatalf("night %d: the ledgers differ:\n%v\n%v", night, a, b)
		}
		for path, text := range index(t, w.service, w.site.URL()) {
			if strings.Contains(text, w.footer) {
				t.Errorf("night %d: %s still says what all pages say: %q", night, path, text)
			}
		}
	}
}

// addLine adds a line to the last section of a configuration.
func addLine(t *testing.T, path, line string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(text, line+"\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *town) read(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func (w *town) write(t *testing.T, name string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// compare holds the index against the site: exactly its documents, and none in doubt.
func (w *town) compare(t *testing.T, ledger string, round any) {
	t.Helper()
	got := index(t, w.service, w.site.URL())
	delete(got, "/form.pdf")
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(w.pages))) {
		t.Fatalf("round %v: the index holds %v, the site %v", round, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(w.pages)))
	}
	for path, text := range w.pages {
		if !strings.Contains(got[path], text) {
			t.Fatalf("round %v: %s is indexed as %q, the site says %q", round, path, got[path], text)
		}
		if strings.Contains(got[path], w.footer) {
			t.Fatalf("round %v: %s is indexed with what all pages say: %q", round, path, got[path])
		}
	}
	for id, rec := range records(t, filepath.Join(w.dir, ledger)) {
		if strings.Contains(rec, "Push:doubt") {
			t.Fatalf("round %v: %s is still in doubt: %s", round, id, rec)
		}
	}
}
