package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/testsite/deployed"
)

// town is a fleet of a test, on a server of its own.
type town struct {
	*bus.Bus
	url string
}

var must = deployed.Must

func newTown(t testing.TB) *town {
	t.Helper()
	b, url := deployed.Bus(t)
	return &town{b, url}
}

// toml is the configuration of a site.
func toml(name string) string {
	return fmt.Sprintf("[site]\nstart = [%q]\n[push]\nbase_url = \"https://search.example.com\"\ncustomer_id = 1\ncrawler_id = %q\napi_key_file = \"/key\"\n", "https://"+name+".example.com/", name)
}

// add puts a site with its state straight into the buckets.
func (w *town) add(t testing.TB, name string, s *lease.State) {
	t.Helper()
	text := toml(name)
	of, err := site.Read(name, name+".toml", []byte(text))
	must(t, err)
	of.At = time.Now()
	if s != nil {
		of.At = s.Done
	}
	head, err := json.Marshal(of)
	must(t, err)
	w.put(t, bus.Sites, name, append(append(head, '\n'), text...))
	if s == nil {
		return
	}
	raw, err := json.Marshal(s)
	must(t, err)
	w.put(t, bus.States, name, raw)
}

func (w *town) put(t testing.TB, bucket, name string, raw []byte) {
	t.Helper()
	_, err := w.JS.PublishAsync("$KV."+bucket+"."+name, raw)
	must(t, err)
}

// run runs a command of the fleet, and returns what it said and its exit code.
func (w *town) run(t testing.TB, args ...string) (string, int) {
	t.Helper()
	<-w.JS.PublishAsyncComplete()
	var out bytes.Buffer
	a := &app.App{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
	cmd := Commands(a, nil)[0]
	cmd.SetArgs(append([]string{"--server", w.url}, args...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(t.Context())
	code := app.ExitCode(t.Context(), err)
	if err != nil {
		fmt.Fprint(&out, err)
	}
	return out.String(), code
}

func result(exit, held int) *lease.State {
	at := time.Now()
	s := &lease.State{Number: 1, Done: at, Last: &lease.Result{
		Run: "01J000000000000000000000AB", Worker: "w1", Due: at, Start: at, Took: 1234, Exit: exit, Documents: 40,
		Counts: document.Counts{Unchanged: 40, Held: held},
	}}
	if exit != 0 {
		s.NotWell = at
	}
	return s
}

func (w *town) says(t *testing.T, code int, args []string, want ...string) string {
	t.Helper()
	out, got := w.run(t, args...)
	if got != code {
		t.Errorf("fleet %s: exit code %d, want %d:\n%s", strings.Join(args, " "), got, code, out)
	}
	for _, text := range want {
		if !strings.Contains(out, text) {
			t.Errorf("fleet %s: says nothing of %q:\n%s", strings.Join(args, " "), text, out)
		}
	}
	return out
}

// Three servers that have just started have no leader yet: add waits for one.
func TestAddRightAfterTheStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := deployed.Start("../../../deploy/nats/nats.conf", dir, 3)
	must(t, err)
	t.Cleanup(c.Close)
	file := filepath.Join(dir, "town.toml")
	must(t, os.WriteFile(file, []byte(toml("town")), 0o600))
	var out bytes.Buffer
	a := &app.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
	cmd := Commands(a, nil)[0]
	cmd.SetArgs([]string{"add", file, "--server", c.Servers[0], "--nkey", filepath.Join(dir, "operator.nk"), "--ca", filepath.Join(dir, "ca.pem")})
	if err := cmd.ExecuteContext(t.Context()); err != nil || !strings.Contains(out.String(), "town: added; next due: ") {
		t.Errorf("%v, and printed %q", err, out.String())
	}
}

// The exit code of status is that of the site that is worst off among those that are shown.
func TestStatusExitsAsTheWorstSite(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	trouble, running, lost, late := result(0, 0), result(0, 0), result(0, 0), result(0, 0)
	trouble.Trouble = "w1: no room on this disk"
	kept, both := result(0, 0), result(4, 1)
	kept.Kept = &lease.Kept{Worker: "w4", Path: "/ledgers/kept.0123456789ab.db"}
	both.Kept = kept.Kept
	running.Holder, running.Length = "w2", time.Hour.Milliseconds()
	lost.Holder, lost.Length = "w3", 1
	for name, s := range map[string]*lease.State{
		"well": result(0, 0), "new-failures": result(3, 0), "holds": result(4, 7), "failed": result(1, 0), "settings": result(2, 0),
		"interrupted": result(130, 0), "odd": result(77, 0), "trouble": trouble, "running": running, "lost": lost, "never": nil,
		"kept": kept, "kept-and-holds": both,
	} {
		w.add(t, name, s)
	}
	late.Done = time.Now().Add(-50 * time.Hour)
	w.add(t, "late", late)
	w.add(t, "damaged", nil)
	w.put(t, bus.States, "damaged", []byte(`{"number":`))
	w.put(t, bus.Sites, "torn", []byte(`{"paused":`))
	for site, code := range map[string]int{
		"well": 0, "never": 0, "running": 0, "lost": 0, "new-failures": 3, "holds": 4, "kept": 3, "kept-and-holds": 4,
		"late": 1, "failed": 1, "settings": 1, "interrupted": 1, "odd": 1, "trouble": 1, "damaged": 1, "torn": 1,
	} {
		w.says(t, code, []string{"status", site}, site)
	}
	w.says(t, 3, []string{"status", "kept", "well"}, "2 sites: 1 well, 1 not well", "kept: the servers lost the ledger, w4 still has one: sitesync fleet set --ledger")
	w.says(t, 3, []string{"status", "kept"}, "on the machine of w4: sitesync fleet set --ledger /ledgers/kept.0123456789ab.db kept.toml\n")
	w.says(t, 4, []string{"status", "well", "new-failures", "holds"}, "3 sites: 1 well, 2 not well, 1 held")
	w.says(t, 1, []string{"status", "well", "failed", "holds"})
	w.says(t, 0, []string{"status", "--state", "running"}, "2 sites", "w2", "w3 (silent)")
	w.says(t, 1, []string{"status"}, "damaged: its state can't be read", "16 sites: 2 running", "1 late")
	w.says(t, 2, []string{"status", "a/../*"}, "the fleet has no such site")
}

// What sites and services have said can't move a terminal, and a record that nobody can read
// hides no other.
func TestTextsOfSitesCantMoveATerminal(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.add(t, "town", result(1, 0))
	hostile := "\x1b[2J\u202enasty"
	for i, run := range []string{"01JA", "01JB"} {
		r := record.Run{Site: "town", Report: "report of " + run + hostile + "\nsecond line", Log: "message of " + run, Hosts: []document.Host{{Host: "https://town.example.com", State: "login-wall", Reason: hostile}}}
		r.Run, r.Start, r.Exit, r.Stopped, r.Worker = run, time.Now().Add(time.Duration(i)*time.Minute), 1, hostile, hostile
		must(t, record.Put(t.Context(), w.Bus, r))
	}
	w.says(t, 0, []string{"logs", "town"}, "report of 01JB", "second line\n", "message of 01JB")
	w.says(t, 0, []string{"logs", "town", "01JA"}, "report of 01JA")
	w.says(t, 2, []string{"logs", "town", "02"}, "town has no such run")
	w.says(t, 1, []string{"status", "town"}, "last runs:", "host https://town.example.com is login-wall")
	_, err := w.JS.Publish(t.Context(), bus.Run("town"), []byte("{"))
	must(t, err)
	w.says(t, 0, []string{"runs", "town"}, "01JA", "01JB")
	w.says(t, 1, []string{"status", "town", "--format", "json"}, `"states":["not-well"]`, `"runs":[{`, `"run":"01JB"`)
	for _, args := range [][]string{{"logs", "town", "01JA"}, {"runs", "town"}, {"status", "town"}, {"runs", "town", "--format", "json"}} {
		if out, _ := w.run(t, args...); strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("fleet %s writes what moves a terminal: %q", strings.Join(args, " "), out)
		}
	}
}

// Nobody waits for a run of what workers refuse.
func TestRefusedEntryEndsTheWait(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	of, err := site.Read("town", "town.toml", []byte(toml("town")))
	must(t, err)
	must(t, site.New(w.Bus).Put(t.Context(), &of, "add", "anna"))
	raw, err := json.Marshal(lease.State{Number: 1, Refused: of.Revision, Trouble: "w1 does not run it: no operator has signed it"})
	must(t, err)
	w.put(t, bus.States, "town", raw)
	w.says(t, 1, []string{"run", "town", "--now", "--wait"}, "town: w1 does not run it: no operator has signed it")
	w.says(t, 1, []string{"status", "town"}, "trouble: w1 does not run it")
}

// Where a later site fails, the command says what it did before.
func TestEachSaysWhatWasDone(t *testing.T) {
	var out bytes.Buffer
	d := &board{Bus: &bus.Bus{}, fleet: &fleet{a: &app.App{Stdout: &out}}}
	full := errors.New("c: the disk is full")
	err := d.changeEach([]site.Site{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}, "added", func(s *site.Site) error {
		if s.Name == "c" {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || err.Error() != "c: the disk is full; added before that: a, b" || out.Len() > 0 {
		t.Errorf("%v, and printed %q", err, out.String())
	}
}
