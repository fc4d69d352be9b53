package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// night is what a test asks of the result of a run.
type night struct {
	Counts   document.Counts
	Warnings []document.Warning
	Changes  []document.Entry
}

// causes counts the changes by cause.
func (n *night) causes() map[document.Cause]int {
	causes := map[document.Cause]int{}
	for _, c := range n.Changes {
		causes[c.Cause]++
	}
	return causes
}

// templates counts the warnings of changed templates.
func (n *night) templates() (count int) {
	for _, w := range n.Warnings {
		if w.Kind == document.WarnTemplate {
			count++
		}
	}
	return count
}

func (w *town) night(t *testing.T, want int, epoch int64, args ...string) (n night) {
	t.Helper()
	out := w.run(t, want, fmt.Sprint(epoch), append(args, "--format", "json")...)
	if err := json.Unmarshal([]byte(out), &n); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return n
}

// sections returns how many sections the ledger's profile has.
func (w *town) sections(t *testing.T, name string) int {
	t.Helper()
	ledger, err := diffstore.OpenRead(filepath.Join(w.dir, name+".db"))
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	profile, err := ledger.Profile()
	if err != nil {
		t.Fatal(err)
	}
	return len(profile)
}

// flat makes a site of a home page and 30 others in one section, or the home page and
// the first n anew.
func (w *town) flat(n int) {
	var links []string
	for i := range 30 {
		path := fmt.Sprintf("/page-%d.html", i)
		if links = append(links, path); i >= n {
			continue
		}
		w.set(path, fmt.Sprintf("Number %d, which is about subject %d and says so in a sentence that is long enough to be text of its own.", i, i*i))
	}
	w.html("/", "Home", w.main("Welcome to the town, where everything is well described on the pages that are listed here below."), links...)
}

const day = 86400

// TestProfileNights: what all pages repeat is in no document; where it changes on all
// of them, nothing is sent; where the template changed for most, those that differ are
// sent with cause rules, and one warning says so.
func TestProfileNights(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.flat(30)
	config, epoch := w.configure(t, "nights", w.base, 4), int64(1800000000)
	next := func() night { epoch += day; return w.night(t, 0, epoch, "sync", "-c", config) }
	clean := func(footer string) (holding int) {
		for _, text := range index(t, w.service, w.site.URL()) {
			if strings.Contains(text, footer) {
				holding++
			}
		}
		return holding
	}
	if n := next(); n.Counts.Put != 31 || n.templates() != 0 || clean(w.footer) != 0 {
		t.Fatalf("first night: %+v, %d documents with the footer", n.Counts, clean(w.footer))
	}
	if n := next(); len(n.Changes) != 0 || n.Counts.NotModified != 31 {
		t.Fatalf("second night: %+v", n.Counts)
	}
	old := w.footer
	w.footer = "The town hall is open from ten to five."
	w.flat(30)
	if n := next(); len(n.Changes) != 0 || n.templates() != 1 {
		t.Fatalf("another footer on all pages: %+v, %+v", n.Changes, n.Warnings)
	}
	if n := next(); len(n.Changes) != 0 || n.templates() != 0 || n.Counts.NotModified != 31 {
		t.Fatalf("the night after: %+v, %+v", n.Changes, n.Warnings)
	}
	// Most pages get another template; four keep the old one.
	kept := w.footer
	w.footer = old
	w.flat(26)
	if n := next(); len(n.Changes) != 0 || n.templates() != 1 || clean(old) != 0 {
		t.Fatalf("another template: %+v, %+v", n.Changes, n.Warnings)
	}
	if err := w.site.Script("edit /page-29.html subject|topic"); err != nil { // an edit of its own on that night
		t.Fatal(err)
	}
	if n := next(); n.causes()[document.CauseRules] != 3 || n.causes()[document.CauseChanged] != 1 || len(n.Changes) != 4 || n.templates() != 0 || clean(kept) != 4 {
		t.Fatalf("the night after: %+v, %+v", n.Changes, n.Warnings)
	}
	if n := next(); len(n.Changes) != 0 || n.Counts.NotModified == 0 {
		t.Fatalf("a quiet night: %+v, %+v", n.Changes, n.Counts)
	}
}

// TestThirtyNights: after thirty nights of edits, new pages and one new footer, documents say what
// a first sync of that day makes of the same pages. Versions of a manual share most of their lines,
// and news, in a template that marks no main part, share a footer.
func TestThirtyNights(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	news := 12
	build := func(night int) {
		var links []string
		for i := range 18 {
			path := fmt.Sprintf("/docs/v%d/topic-%d.html", i%3, i/3)
			links = append(links, path)
			body := fmt.Sprintf("<h1>Topic %[1]d</h1><p>Cranes of kind %[1]d lift what ships of kind %[1]d bring, in every version.</p><pre>{\n}</pre>", i/3)
			if i == night%20 {
				body += fmt.Sprintf("<p>In version %d this part was written anew on day %d.</p>", i%3, night)
			}
			page := testsite.Markup{Title: fmt.Sprintf("Topic %d", i/3), Main: body + "<p>The same licence holds for all parts.</p>"}
			w.site.Set(path, testsite.Page{Body: page.String()})
		}
		if night%6 == 0 {
			news++
		}
		if night == 20 {
			w.footer = "The town hall is open from ten to five."
		}
		for i := range news {
			path, edits := fmt.Sprintf("/news/%d.html", i), 0
			if i == night%news {
				edits = night
			}
			links = append(links, path)
			w.set(path, fmt.Sprintf("News %d, which were edited %d times, tell of subject %d in a sentence that is long enough to be text.", i, edits, i*i))
		}
		w.html("/", "Home", w.main("Welcome to the town, where everything is well described on the pages that are listed here below."), links...)
	}
	long, epoch := w.configure(t, "long", w.base, 4), int64(1800000000)
	for night := range 30 {
		build(night)
		epoch += day
		w.night(t, 0, epoch, "sync", "-c", long)
	}
	base, other, _ := newService(t)
	w.night(t, 0, epoch, "sync", "-c", w.configure(t, "first", base, 4))
	got, want := index(t, w.service, w.site.URL()), index(t, other, w.site.URL())
	if len(got) != len(want) || len(got) < 30 {
		t.Errorf("%d documents, %d of a first sync", len(got), len(want))
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s:\ngot  %q\nwant %q", path, got[path], text)
		}
	}
}

// TestProfileIsLearnedOfWholeRunsAlone: a part of the site, a dry run and a host that
// is not ok teach nothing; what is learned later is no silent update.
func TestProfileIsLearnedOfWholeRunsAlone(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.flat(30)
	config, epoch := w.configure(t, "parts", w.base, 4), int64(1800000000)
	for _, flags := range [][]string{{"--only", "/page-1*"}, {"--limit", "20"}, {"--max-duration", "1ns"}, {"--dry-run"}} {
		code := map[string]int{"--max-duration": 3}[flags[0]] // for it looked at nothing
		w.night(t, code, epoch, append([]string{"sync", "-c", config}, flags...)...)
		if n := w.sections(t, "parts"); n != 0 {
			t.Errorf("%s taught %d sections", flags, n)
		}
	}
	if err := w.site.Script("say * 200 Page not found|We looked, and there is nothing at this address."); err != nil {
		t.Fatal(err)
	}
	w.night(t, 3, epoch+day, "sync", "-c", config)
	if n := w.sections(t, "parts"); n != 0 {
		t.Errorf("a host that is not ok taught %d sections", n)
	}
	w.site.Heal("*")
	if err := w.site.Script("edit / described|explained"); err != nil {
		t.Fatal(err)
	}
	n := w.night(t, 0, epoch+2*day, "sync", "-c", config)
	if w.sections(t, "parts") == 0 || n.causes()[document.CauseRules] == 0 || n.causes()[document.CauseChanged] != 1 {
		t.Errorf("a whole run: %+v, %+v", n.Changes, n.Warnings)
	}
}
