package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/crawl/chrome"
	"sitesync/diffstore"
	"sitesync/extract/pdf"
	"sitesync/internal/cli"
	"sitesync/internal/service"
	"sitesync/internal/testsite"
	"sitesync/internal/testsite/inmemory"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
)

// TestMain makes "sitesync" a command of the scripts: the test binary itself, with
// exec a process of its own, with real signals and exit codes. It is its own reader of
// PDF files and checks its own ledgers too, as the program does, and a worker for
// scripts.
func TestMain(m *testing.M) {
	time.Local = time.UTC // of what people are told
	if len(os.Args) > 1 && (os.Args[1] == pdf.Argument || os.Args[1] == diffstore.Argument) {
		syscall.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)) // os.Exit waits a second with the race detector
	}
	if len(os.Args) > 1 && os.Args[1] == workerArgument {
		fmt.Fprintln(os.Stderr, work(context.Background(), os.Stdin, os.Stdout))
		syscall.Exit(0)
	}
	testsite.MaybeServe()
	inmemory.Folders()
	testscript.Main(m, map[string]func(){"sitesync": guardedRun})
}

const (
	apiKey   = "canary-7f3d-key"
	password = "canary-91b2-password" // of the user "u", for [[fetch.auth]]
	customer = 10000001
	crawler  = "site"
)

// TestScripts runs every script in testdata/script. Each has a site and a service
// of its own: $SITE and $SERVICE are their addresses, sitesync.toml names both;
// $LOCALHOST is the same site under another origin;
// $OFFICE holds files that office programs wrote.
// What every run prints and leaves behind is searched for secrets and for
// characters that could move a terminal's cursor.
//
//	site LINE...                a line of testsite's script language
//	configure SECTION KEY = V   a key of sitesync.toml; without a value: the key is left out
//	write FILE TEXT             a file, for texts that name $SITE; a Go string literal, for odd bytes
//	service JSON                sets readings and faults of the service
//	exits CODE ARG...           has a worker run sitesync and expects the exit code
//	ended CODE                  the exit code of the sitesync that ended last, for background runs
//	told FILE                   standard output is FILE, but for $SITE, times, and the IDs of runs
//	index ID...                 the service holds exactly these documents; $SITE is cut off
//	field ID NAME VALUE         a field of a document in the service; Type is the document's type
//	calls [ENDPOINT=N]...       the write calls since the last time
//	queued CRAWLER [URL]...     the queue of a crawler that fetches; $SITE is cut off
//	asked PATH NAME [VALUE]     the last request for a path had this header
//	arrives PATH                waits until the site was asked for a path
//	sending ENDPOINT            waits until the service got a call of an endpoint
//	terminate                   sends SIGTERM to every sitesync in the background
//	json KEY.KEY... [VALUE]     standard output is one JSON object that holds this; "len" counts an array
//	keep NAME KEY.KEY...        sets $NAME to what that object holds
//	tls DAYS                    $SITE is an https site, whose certificate ends in so many days
//	serving FILE                waits for the address in FILE, the output of serve ($TEE), and sets $SERVED and its $PORT
//	page FILE PATH [NAME=V]...  a page of ui, whose output is FILE ($TEE), when it waits for nothing; with values: sends a form
//	tear FILE N                 cuts N bytes off the end of a file
//	spoil FILE [TEXT]           changes a byte of TEXT wherever it stands in a file; without: its first two pages are zeroed
//	extended                    the service offers what the specification does not show, too
//	ask METHOD PATH [JSON]      a call of the service by hand; stdout is status and answer
//	nats [deployed]             starts a NATS server for a fleet; $SITESYNC_NATS is its address; or one with the file of deploy/nats, seeds in $KEYS
//	fleet-ledger SITE FILE      fetches the ledger that a fleet has of a site
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // a fifth of them: the race detector sees the same code in many
		files = slices.DeleteFunc(files, func(name string) bool { return len(name)%5 > 0 })
	}
	free := make(workers, len(files))
	t.Cleanup(func() { free.end(t) })
	testscript.Run(t, testscript.Params{
		Files:     files,
		Setup:     func(env *testscript.Env) error { return setup(env, free) },
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"site": siteCommand, "configure": configureCommand, "write": writeCommand, "service": serviceCommand,
			"exits": exitsCommand, "ended": endedCommand, "index": indexCommand, "field": fieldCommand, "calls": callsCommand, "queued": queuedCommand,
			"asked": askedCommand, "arrives": arrivesCommand, "sending": sendingCommand, "terminate": terminateCommand,
			"json": jsonCommand, "keep": keepCommand, "tls": tlsCommand, "serving": servingCommand, "tear": tearCommand, "spoil": spoilCommand,
			"told": toldCommand, "extended": extendedCommand, "ask": askCommand, "page": pageCommand, "nats": natsCommand, "fleet-ledger": fleetLedgerCommand,
		},
	})
}

// condition adds [root], for scripts on files that may not be read, and [chromium],
// for those that need a browser.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "chromium":
		_, err := chrome.Find("")
		return err == nil, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

type world struct {
	site    *testsite.Site
	service *service.Service
	panel   *strike.Panel // before the service
	config  settings

	browser *browser // of the pages of ui
	workers workers
	env     []string // of its runs
	apart   bool     // its runs need a process each
}

func setup(env *testscript.Env, free workers) error {
	script, err := os.ReadFile(filepath.Join("testdata/script", strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")+".txtar"))
	if err != nil {
		return err
	}
	site := testsite.New()
	env.Defer(site.Close)
	local, err := service.Open(service.Options{Path: filepath.Join(env.WorkDir, ".service.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		return err
	}
	panel := strike.New(local)
	server := httptest.NewServer(panel)
	env.Defer(func() { server.Close(); local.Close() })
	w := &world{site: site, service: local, panel: panel, workers: free, apart: needsProcess(string(script))}
	env.Values["world"] = w
	env.Setenv("SITE", site.URL())
	env.Setenv("LOCALHOST", strings.Replace(site.URL(), "127.0.0.1", "localhost", 1))
	env.Setenv("SERVICE", server.URL)
	env.Setenv("SITESYNC_API_KEY", apiKey)
	env.Setenv("GORACE", os.Getenv("GORACE"))
	if cache, err := os.UserCacheDir(); err == nil { // what PDFium was compiled to serves all scripts, and the next time
		env.Setenv("XDG_CACHE_HOME", cache)
	}
	env.Setenv("STAGING_PASSWORD", password)
	office, err := filepath.Abs("../../extract/office/testdata")
	if err != nil {
		return err
	}
	env.Setenv("OFFICE", office) // files that office programs wrote
	env.Setenv("EXIT_FILE", filepath.Join(env.WorkDir, ".exit"))
	w.env = env.Vars
	w.config.set("site", "start", fmt.Sprintf("[%q]", site.URL()+"/"))
	w.config.set("fetch", "timeout", `"5s"`)
	w.config.set("fetch", "retry_wait", `"1ms"`)
	w.config.set("push", "base_url", strconv.Quote(server.URL))
	w.config.set("push", "customer_id", strconv.Itoa(customer))
	w.config.set("push", "crawler_id", strconv.Quote(crawler))
	return w.config.write(env.WorkDir)
}

func theWorld(ts *testscript.TestScript) *world { return ts.Value("world").(*world) }

func siteCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(theWorld(ts).site.Script(strings.Join(args, " ")))
}

func serviceCommand(ts *testscript.TestScript, _ bool, args []string) {
	var set struct {
		strike.Readings
		Faults []strike.Fault
	}
	ts.Check(json.Unmarshal([]byte(strings.Join(args, " ")), &set))
	theWorld(ts).panel.Read(set.Readings)
	theWorld(ts).panel.Set(set.Faults...)
}

func exitsCommand(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := theWorld(ts).sitesync(ts, args[1:]); got != want {
		ts.Fatalf("sitesync %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func (w *world) documents(ts *testscript.TestScript) map[string]wire.Document {
	docs := map[string]wire.Document{}
	stored, err := w.service.Documents(customer, crawler)
	ts.Check(err)
	for _, doc := range stored {
		docs[strings.TrimPrefix(doc.ID, w.site.URL())] = doc
	}
	return docs
}

func indexCommand(ts *testscript.TestScript, neg bool, want []string) {
	var got []string
	for id := range theWorld(ts).documents(ts) {
		got = append(got, id)
	}
	slices.Sort(got)
	slices.Sort(want)
	if slices.Equal(got, want) == neg {
		ts.Fatalf("the index holds %q, want %q", got, want)
	}
}

func fieldCommand(ts *testscript.TestScript, neg bool, args []string) {
	doc := theWorld(ts).documents(ts)[args[0]]
	var got string
	if raw := doc.Fields[args[1]]; raw != nil {
		ts.Check(json.Unmarshal(raw, &got))
	}
	if args[1] == "Type" && doc.Type != nil {
		got = *doc.Type
	}
	if (got == strings.Join(args[2:], " ")) == neg {
		ts.Fatalf("%s of %s is %q", args[1], args[0], got)
	}
}

func callsCommand(ts *testscript.TestScript, _ bool, want []string) {
	var got []string
	for endpoint, n := range theWorld(ts).panel.Calls() {
		if endpoint != "other" || strings.Contains(strings.Join(want, " "), "other=") { // they count where a script says so
			got = append(got, fmt.Sprintf("%s=%d", endpoint, n))
		}
	}
	theWorld(ts).panel.ResetCalls()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		ts.Fatalf("write calls %q, want %q", got, want)
	}
}
