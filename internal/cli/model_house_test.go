package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"sitesync/diffstore"
	"sitesync/internal/cli"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// house is one configuration with its ledger, and the crawler ID that it fills.
type house struct {
	rt      *rapid.T
	model   *modelSite
	clerk   *clerk
	dir     string
	name    string // of its files, and its crawler ID
	confirm int
	max     int // delete.max
	batch   int
	trouble trouble
	epoch   int64

	approved map[string]bool // op and ID, until a complete run
	listed   bool            // a run has read the sitemap
	dead     map[string]int  // in how many complete runs in a row a document was seen to be due to go
}

// result is what sync --format json says.
type result struct {
	Exit     int
	Complete bool
	Stopped  string
	Hosts    []struct{ State document.HostState }
	Counts   document.Counts
	Changes  []document.Entry
	Held     []document.Entry
	Failed   []document.Failure
	Moved    []document.Move
	Warnings []document.Warning

	told bool // there is such an object
}

func (h *house) file(suffix string) string { return filepath.Join(h.dir, h.name+suffix) }

// path returns the path of an ID; the ID itself where it is of another origin.
func (h *house) path(id string) string { return strings.TrimPrefix(id, h.model.site.URL()) }

func (h *house) ledger() string { return h.file(".db") }

// configure writes tonight's configuration. Thousands of nights leave no copy of the ledger: TestKillLosesNothing and
// TestDamagedLedgers do.
func (h *house) configure(concurrency int) {
	site, extract := h.trouble.configure(h.model.site.URL())
	text := fmt.Sprintf("[site]\n%s[fetch]\nconcurrency = %d\nretry_wait = \"1ms\"\n[store]\npath = %q\nbackup = false\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\nbatch_documents = %d\n[delete]\nconfirm = %d\nmax = %d\n%s",
		site, concurrency, h.name+".db", h.clerk.url, customer, h.name, h.batch, h.confirm, h.max, extract)
	h.must(os.WriteFile(h.file(".toml"), []byte(text), 0o600))
}

func (h *house) must(err error) {
	if err != nil {
		h.rt.Fatal(err)
	}
}

// run runs a command in this process.
func (h *house) run(ctx context.Context, args ...string) result {
	var out, errs bytes.Buffer
	getenv := func(name string) string {
		return map[string]string{"SITESYNC_API_KEY": apiKey, "SOURCE_DATE_EPOCH": strconv.FormatInt(h.epoch, 10)}[name]
	}
	args = append(args, "-c", h.file(".toml"))
	code := cli.Run(ctx, args, strings.NewReader(""), &out, &errs, getenv)
	r := result{}
	r.told = json.Unmarshal(out.Bytes(), &r) == nil
	if r.told && r.Exit != code {
		h.rt.Fatalf("%v: the result says exit %d, the process %d", args, r.Exit, code)
	}
	r.Exit = code
	h.rt.Logf("  %s: exit %d; %d changes, %d held, %d failed %s", strings.Join(args[:len(args)-2], " "), code, len(r.Changes), len(r.Held), len(r.Failed), strings.TrimSpace(errs.String()))
	for _, e := range append(slices.Clone(r.Changes), r.Held...) {
		h.rt.Logf("    %s %s, %s: %s %s %s", e.Op, h.path(e.ID), e.Cause, e.State, e.Brake, e.Evidence)
	}
	return r
}

// crash runs sync and has it end at a call of the service or at a request of the site,
// by a kill of its process or by a signal's context. It reports whether the run went to
// its end before.
func (h *house) crash(c crash) bool {
	ctx, cancel := context.WithCancel(h.rt.Context())
	defer cancel()
	end := cancel
	var child *exec.Cmd
	if c.Kill {
		self, err := os.Executable()
		h.must(err)
		child = exec.Command(self)
		child.Args = []string{"sitesync", "sync", "-c", h.file(".toml")}
		child.Dir = h.dir
		child.Env = append(os.Environ(), "SITESYNC_API_KEY="+apiKey, "SOURCE_DATE_EPOCH="+strconv.FormatInt(h.epoch, 10), "EXIT_FILE="+h.file(".exit"))
		h.must(child.Start())
		end = func() { _ = child.Process.Kill() }
	}
	if c.Crawl {
		h.model.site.Fault("/*", testsite.After(c.At, func(*http.Request, *testsite.Answer) { end() }))
		defer h.model.site.Heal("/*")
	} else {
		h.clerk.reset(1+c.At, c.Applied, end)
		defer h.clerk.reset(0, false, nil)
	}
	if child != nil {
		err := child.Wait()
		h.rt.Logf("  sync, to be killed: %v", err)
		return child.ProcessState.Exited()
	}
	return h.run(ctx, "sync", "--format", "json").Exit != 130
}

// indexed is one document as the service holds it.
type indexed struct {
	edition int
	fields  map[string]string
	kind    string
}

var editionText = regexp.MustCompile(`edition (\d+)`)

// index returns what the service holds, by path; by ID where that is of another origin.
func (h *house) index() map[string]indexed {
	all := map[string]indexed{}
	docs, err := h.clerk.service.Documents(customer, h.name)
	h.must(err)
	for _, doc := range docs {
		d := indexed{fields: map[string]string{}}
		for name, raw := range doc.Fields {
			var value string
			h.must(json.Unmarshal(raw, &value))
			d.fields[name] = value
		}
		if found := editionText.FindStringSubmatch(d.fields["Content"]); found != nil {
			d.edition, _ = strconv.Atoi(found[1])
		}
		if doc.Type != nil {
			d.kind = *doc.Type
		}
		all[h.path(doc.ID)] = d
	}
	return all
}

// book returns the ledger's records, and what its last run held.
func (h *house) book() (recs map[string]*document.Record, held []document.Entry) {
	ledger, err := diffstore.OpenRead(h.ledger())
	h.must(err)
	defer ledger.Close()
	recs = map[string]*document.Record{}
	for rec, err := range ledger.Records() {
		h.must(err)
		recs[h.path(rec.ID)] = rec
	}
	run, found, err := ledger.Run("")
	h.must(err)
	if !found {
		return recs, nil
	}
	for e, err := range ledger.Entries(run.Run) {
		h.must(err)
		if e.State == document.Held {
			held = append(held, e)
		}
	}
	return recs, held
}

// approve releases what is held, of one cause where that is named.
func (h *house) approve(cause document.Cause) {
	_, held := h.book()
	held = slices.DeleteFunc(held, func(e document.Entry) bool {
		return cause != "" && e.Cause != cause || e.Brake == document.BrakeHost || e.Brake == document.BrakeTarget // no such approval releases those
	})
	args := []string{"approve", "--all"}
	if cause != "" {
		args = []string{"approve", "--cause", string(cause)}
	}
	if len(held) == 0 {
		return
	}
	if r := h.run(h.rt.Context(), args...); r.Exit != 0 {
		h.rt.Fatalf("approve: exit %d", r.Exit)
	}
	for _, e := range held {
		h.approved[string(e.Op)+e.ID] = true
	}
}

// bytes returns a file's bytes; nil when it is not there.
func (h *house) bytes(path string) []byte {
	raw, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		h.must(err)
	}
	return raw
}
