package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/cli"
	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/testsite"
)

// badNight is a fault of a site.
type badNight struct {
	name    string
	strike  func(c *nightCell, p *nightPage, a *testsite.Answer) // what a page that is hit answers; a is its own answer
	unknown func(c *nightCell, path string, a *testsite.Answer)  // the same of an address that is no page
	always  func(c *nightCell, path string, a *testsite.Answer)  // of each night: answers that stand beside the site
	begin   func(c *nightCell)                                   // before each night of the fault, what else happens to the truth
	end     func(c *nightCell)
	keeps   bool   // the pages show their own text all the same
	proof   bool   // what is hit is not there, for all to see
	rubbish string // must not come into the index
	slow    int    // so many nights more it takes to heal after more than one
	least   int    // documents of the smallest site on which it is a fault
}

// nightCell is one cell of the matrix: a site, a fault, and what lies across it.
type nightCell struct {
	*town
	bad    *badNight
	size   int
	nights int
	across []string // what lies across it: see nightAcross
	truth  *nightTown
	config string
	key    string

	ill    bool              // tonight
	index  map[string]string // as the last night left it
	night  int               // of the fault, from 0
	mu     sync.Mutex
	struck map[string]bool // pages that tonight did not answer by themselves
	wrong  []nightWrong
}

// nightWrong is a difference from the promise.
type nightWrong struct {
	check string // deleted, overwritten, added, silent or healing
	night int
	text  string
}

// nightResult is what a run says of itself.
type nightResult struct {
	Exit     int
	Stopped  string
	Hosts    []document.Host
	Counts   document.Counts
	Changes  []document.Entry
	Held     []document.Entry
	Failed   []document.Failure
	Warnings []document.Warning
}

// What may lie across a fault.
const (
	nightHalf     = "half"     // half of the pages are hit
	nightRedesign = "redesign" // the template changes on the first of its nights
	nightTrusted  = "trusted"  // lastmod is believed, and moves with the fault
	nightQuiet    = "quiet"    // it stays where it was, and a part of the pages is due to be looked at
	nightUpgraded = "upgraded" // the runs before were those of an older extractor
	nightAdopted  = "adopted"  // the ledger knows the IDs of the index alone
	nightRestored = "restored" // the ledger was restored from its copy
)

func (c *nightCell) is(across string) bool { return slices.Contains(c.across, across) }

func (c *nightCell) name() string {
	parts := []string{c.bad.name, fmt.Sprintf("%d pages", c.size), document.Count(c.nights, "night")}
	return strings.Join(append(parts, c.across...), "/")
}

// open puts up site, service and configuration. The site is asked by way of a proxy, so
// that its address is the same in every cell.
func (c *nightCell) open(t *testing.T, desk *nightDesk, base *nightBase) {
	t.Helper()
	c.truth = newNightTown(c.size)
	c.truth.day = base.day
	c.town = &town{site: testsite.New(), dir: t.TempDir()}
	t.Cleanup(c.site.Close)
	c.site.Fault("*", c.answer)
	if base.ledger != nil {
		c.write(t, "night.db", base.ledger)
		c.write(t, "index.db", base.index)
		c.write(t, "night.db.site", base.facts)
	}
	c.key = c.name()
	local, err := service.Open(service.Options{Path: filepath.Join(c.dir, "index.db"), CustomerID: customer, APIKey: c.key})
	if err != nil {
		t.Fatal(err)
	}
	c.service = local
	t.Cleanup(func() { local.Close() })
	desk.services.Store(c.key, local)
	c.config = filepath.Join(c.dir, "night.toml")
	text := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nproxy = %q\nretry_wait = \"1ms\"\n[store]\npath = \"night.db\"\nbackup = false\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\n",
		nightOrigin+"/", c.site.URL(), desk.url, customer, crawler)
	c.write(t, "night.toml", []byte(text))
}

func (c *nightCell) close(t *testing.T) {
	if err := c.service.Close(); err != nil {
		t.Error(err)
	}
}

// answer is the site: the truth, and tonight's fault.
func (c *nightCell) answer(r *http.Request, a *testsite.Answer) {
	path := r.URL.RequestURI()
	if _, name, _ := strings.Cut(c.truth.origin, "//"); r.Host != name {
		redirect(a, http.StatusMovedPermanently, c.truth.origin+path)
		return
	}
	r.Header.Del("Accept-Encoding") // to deflate is half of the work
	c.truth.answer(path, a)
	p := c.truth.pages[path]
	if c.bad.always != nil {
		c.bad.always(c, path, a)
	}
	switch {
	case !c.ill:
	case p == nil || p.gone:
		if c.bad.unknown != nil && path != "/robots.txt" && path != "/sitemap.xml" {
			c.bad.unknown(c, path, a)
		}
	case c.bad.strike != nil && c.hits(p):
		was := string(a.Body)
		c.bad.strike(c, p, a)
		if string(a.Body) != was || a.Status != http.StatusOK {
			c.mu.Lock()
			c.struck[path] = true
			c.mu.Unlock()
		}
	}
}

// hits reports whether the fault is for this page.
func (c *nightCell) hits(p *nightPage) bool { return !c.is(nightHalf) || p.n%2 == 1 }

// sync is one night's run.
func (c *nightCell) sync(t *testing.T, args ...string) *nightResult {
	t.Helper()
	c.struck = map[string]bool{}
	out, code := c.command(t, append([]string{"sync", "--format", "json"}, args...)...)
	var r nightResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("exit %d: %v: %s", code, err, out)
	}
	c.site.Reset() // its log of requests
	return &r
}

// command runs a command as of today, and returns what it says and its exit code.
func (c *nightCell) command(t *testing.T, args ...string) (string, int) {
	var out, errs bytes.Buffer
	getenv := func(name string) string {
		return map[string]string{"SITESYNC_API_KEY": c.key, "SOURCE_DATE_EPOCH": strconv.FormatInt(nightDay(c.truth.day).Unix(), 10)}[name]
	}
	code := cli.Run(t.Context(), append(args, "-c", c.config), strings.NewReader(""), &out, &errs, getenv)
	return cmp.Or(out.String(), errs.String()), code
}

// approve releases what is held.
func (c *nightCell) approve(t *testing.T) {
	t.Helper()
	if out, code := c.command(t, "approve", "--all"); code != 0 {
		t.Fatalf("approve: exit %d: %s", code, out)
	}
}

// play goes through the nights of a cell.
func (c *nightCell) play(t *testing.T, desk *nightDesk) {
	c.open(t, desk, desk.base(t, c.size, c.is(nightTrusted)))
	c.eve(t)
	for c.night = range c.nights {
		c.truth.day++
		if c.night == 0 {
			c.riders()
		}
		if c.bad.begin != nil {
			c.bad.begin(c)
		}
		if c.is(nightTrusted) && !c.is(nightQuiet) {
			c.redate()
		}
		c.ill = true
		c.look(t)
	}
	c.ill = false
	c.truth.day++
	if c.bad.end != nil {
		c.bad.end(c)
	}
	if c.is(nightTrusted) {
		c.redate()
	}
	c.night = c.nights
	r := c.look(t)
	for range min(c.bad.slow, (c.nights-1)*c.bad.slow) {
		c.truth.day++
		c.night++
		r = c.look(t)
	}
	c.heals(t, r)
}

// eve is what happens between the last good night and the fault.
func (c *nightCell) eve(t *testing.T) {
	t.Helper()
	args := []string{}
	switch {
	case c.is(nightQuiet):
		c.truth.day += 3
	case c.is(nightUpgraded):
		age(t, filepath.Join(c.dir, "night.db"))
	case c.is(nightAdopted):
		ids := []string{}
		for path := range index(t, c.service, c.truth.origin) {
			ids = append(ids, c.truth.origin+path)
		}
		c.write(t, "ids.txt", []byte(strings.Join(ids, "\n")))
		if err := os.Remove(filepath.Join(c.dir, "night.db")); err != nil {
			t.Fatal(err)
		}
		args = []string{"adopt", filepath.Join(c.dir, "ids.txt")}
	case c.is(nightRestored):
		c.write(t, "copy.db", c.read(t, "night.db"))
		args = []string{"restore", filepath.Join(c.dir, "copy.db")}
	}
	if len(args) > 0 {
		if out, code := c.command(t, args...); code != 0 {
			t.Fatalf("%s: exit %d: %s", args[0], code, out)
		}
	}
}

// redate moves the dates of all pages to today.
func (c *nightCell) redate() {
	for _, p := range c.truth.alive() {
		p.modified = c.truth.day
	}
}

// riders are what an owner does on the first night of the fault.
func (c *nightCell) riders() {
	if c.is(nightRedesign) {
		c.truth.redesign()
	}
	c.truth.grow(kindInfo)
	if c.size < 10 { // the only news are half of the site, or a fifth
		return
	}
	people, news := c.truth.alive(kindPerson), c.truth.alive(kindNews)
	c.truth.edit(people[0])
	c.truth.remove(news[len(news)-1])
}

// look runs one night and holds its result against the truth.
func (c *nightCell) look(t *testing.T) *nightResult {
	t.Helper()
	if c.index == nil {
		c.index = index(t, c.service, c.truth.origin)
	}
	before := c.index
	r := c.sync(t)
	after := index(t, c.service, c.truth.origin)
	c.index = after
	for path := range before {
		if p := c.truth.pages[path]; p != nil && !p.gone && !(c.bad.proof && c.struck[path]) {
			if _, there := after[path]; !there {
				c.fails("deleted", path)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		switch p := c.truth.pages[path]; {
		case p == nil:
			c.fails("added", path)
		case !strings.Contains(plainText(after[path]), p.mark()) || c.bad.rubbish != "" && strings.Contains(after[path], c.bad.rubbish):
			c.fails("overwritten", fmt.Sprintf("%s with %.120q", path, after[path]))
		}
	}
	unseen := 0
	for path := range c.struck {
		if _, known := before[path]; known && !c.bad.keeps && !c.bad.proof {
			unseen++
		}
	}
	if n := len(before); r.Exit != 3 && r.Exit != 4 && (100*unseen > n && (c.night == 0 || 2*unseen > n) || len(r.Held) > 0) {
		c.fails("silent", fmt.Sprintf("exit %d, though %d of %d documents were not seen and %d changes are held", r.Exit, unseen, n, len(r.Held)))
	}
	if r.Exit != 0 && r.Exit != 3 && r.Exit != 4 {
		c.fails("silent", fmt.Sprintf("exit %d: %s", r.Exit, r.Stopped))
	}
	t.Logf("night %d, ill %v: %s", c.night, c.ill, r)
	if *showNights {
		for _, e := range append(slices.Clone(r.Changes), r.Held...) {
			t.Logf("%s %s %s %s %s: %s", e.Op, e.ID, e.Cause, e.State, e.Brake, e.Evidence)
		}
		for _, w := range r.Warnings {
			t.Logf("%s %s: %s", w.Kind, w.URL, w.Text)
		}
	}
	return r
}

// heals sees that the index is the truth again, and nothing is left to be done.
func (c *nightCell) heals(t *testing.T, r *nightResult) {
	t.Helper()
	after := maps.Clone(c.index)
	for _, p := range c.truth.alive() {
		text, there := after[p.path]
		if !there {
			c.fails("healing", p.path+" is not there")
			continue
		}
		text = plainText(text)
		for i, block := range p.blocks() {
			if !strings.Contains(text, block) {
				c.fails("healing", fmt.Sprintf("%s has not its paragraph %d: %.300q", p.path, i, text))
				break
			}
		}
		delete(after, p.path)
	}
	for path := range after {
		c.fails("healing", path+" is still there")
	}
	if r.Exit != 0 || len(r.Held) > 0 {
		c.fails("healing", "the run says: "+r.String())
	}
}

func (c *nightCell) fails(check, text string) {
	c.wrong = append(c.wrong, nightWrong{check, c.night, text})
}

// plainText is a text with single spaces only.
func plainText(text string) string { return strings.Join(strings.Fields(text), " ") }

// String says in a line what came of a night.
func (r *nightResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit %d, put %d, patch %d, delete %d, held %d, unread %d", r.Exit, r.Counts.Put, r.Counts.Patch, r.Counts.Delete, len(r.Held), len(r.Failed))
	for _, h := range r.Hosts {
		fmt.Fprintf(&b, "; host %s %s %v", h.State, h.Reason, h.Alarms)
	}
	held, warned := map[string]int{}, map[string]int{}
	for _, e := range r.Held {
		held[fmt.Sprintf("%s %s by %s", e.Op, e.Cause, e.Brake)]++
	}
	for _, w := range r.Warnings {
		warned[w.Kind]++
	}
	fmt.Fprintf(&b, "; held %v; warnings %v", held, warned)
	return b.String()
}
