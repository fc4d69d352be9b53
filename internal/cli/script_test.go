package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/cli"
	"sitesync/internal/service"
	"sitesync/internal/testsite"
	"sitesync/internal/wire"
)

// TestMain makes "sitesync" a command of the scripts: the test binary itself, run
// as a process of its own, with real signals and exit codes.
func TestMain(m *testing.M) {
	testsite.MaybeServe()
	testscript.Main(m, map[string]func(){
		"sitesync": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
		},
	})
}

const (
	apiKey   = "canary-7f3d-key"
	customer = 10000001
	crawler  = "site"
)

// TestScripts runs every script in testdata/script. Each has a site and a service
// of its own: $SITE and $SERVICE are their addresses, sitesync.toml names both.
//
//	site LINE...          a line of testsite's script language
//	service JSON          sets the service's switches
//	exits CODE ARG...     runs sitesync and expects the exit code
//	index ID...           the service holds exactly these documents; $SITE is cut off
//	field ID NAME VALUE   a field of a document in the service
//	calls [ENDPOINT=N]... the write calls since the last time
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"site": siteCommand, "service": serviceCommand, "exits": exitsCommand,
			"index": indexCommand, "field": fieldCommand, "calls": callsCommand,
		},
	})
}

type world struct {
	site    *testsite.Site
	service *service.Service
	url     string
}

func setup(env *testscript.Env) error {
	site := testsite.New()
	env.Defer(site.Close)
	local, err := service.Open(service.Options{Path: filepath.Join(env.WorkDir, ".service.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		return err
	}
	running, err := local.Start("127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Defer(func() { running.Close(); local.Close() })
	env.Values["world"] = &world{site, local, running.URL}
	env.Setenv("SITE", site.URL())
	env.Setenv("SERVICE", running.URL)
	env.Setenv("SITESYNC_API_KEY", apiKey)
	return os.WriteFile(filepath.Join(env.WorkDir, "sitesync.toml"), fmt.Appendf(nil, `[site]
start = ["%s/"]
[fetch]
timeout = "5s"
[push]
base_url = "%s"
customer_id = %d
crawler_id = "%s"
`, site.URL(), running.URL, customer, crawler), 0o600)
}

func theWorld(ts *testscript.TestScript) *world { return ts.Value("world").(*world) }

func siteCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(theWorld(ts).site.Script(strings.Join(args, " ")))
}

func serviceCommand(ts *testscript.TestScript, _ bool, args []string) {
	var switches service.Switches
	ts.Check(json.Unmarshal([]byte(strings.Join(args, " ")), &switches))
	ts.Check(theWorld(ts).service.SetSwitches(switches))
}

func exitsCommand(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("sitesync", args[1:]...)
	got := 0
	if err != nil {
		if _, serr := fmt.Sscanf(err.Error(), "exit status %d", &got); serr != nil {
			ts.Fatalf("run sitesync: %v", err)
		}
	}
	if got != want {
		ts.Fatalf("sitesync %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func (w *world) documents(ts *testscript.TestScript) map[string]wire.Document {
	docs := map[string]wire.Document{}
	for doc, err := range w.service.Documents(customer, crawler) {
		ts.Check(err)
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
	var got string
	raw := theWorld(ts).documents(ts)[args[0]].Fields[args[1]]
	if raw != nil {
		ts.Check(json.Unmarshal(raw, &got))
	}
	if (got == strings.Join(args[2:], " ")) == neg {
		ts.Fatalf("%s of %s is %q", args[1], args[0], got)
	}
}

func callsCommand(ts *testscript.TestScript, _ bool, want []string) {
	var got []string
	for endpoint, n := range theWorld(ts).service.Calls() {
		if endpoint != service.EndpointOther {
			got = append(got, fmt.Sprintf("%s=%d", endpoint, n))
		}
	}
	theWorld(ts).service.ResetCalls()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		ts.Fatalf("write calls %q, want %q", got, want)
	}
}
