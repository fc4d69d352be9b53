package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/testsite"
)

// patience bounds what a script waits for; nothing waits that long unless it is
// broken.
const patience = 30 * time.Second

// setting is one key of a script's sitesync.toml, its value as TOML.
type setting struct{ section, key, value string }

type settings []setting

func (s *settings) set(section, key, value string) {
	*s = slices.DeleteFunc(*s, func(old setting) bool { return old.section == section && old.key == key })
	if value != "" {
		*s = append(*s, setting{section, key, value})
	}
}

func (s settings) write(dir string) error {
	var b strings.Builder
	section := ""
	for _, setting := range slices.SortedStableFunc(slices.Values(s), func(a, b setting) int { return cmp.Compare(a.section, b.section) }) {
		if setting.section != section {
			section = setting.section
			fmt.Fprintf(&b, "[%s]\n", section)
		}
		fmt.Fprintf(&b, "%s = %s\n", setting.key, setting.value)
	}
	return os.WriteFile(filepath.Join(dir, "sitesync.toml"), []byte(b.String()), 0o600)
}

func configureCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 || args[2] != "=" {
		ts.Fatalf("usage: configure SECTION KEY = [VALUE]")
	}
	w := theWorld(ts)
	w.config.set(args[0], args[1], strings.Join(args[3:], " "))
	ts.Check(w.config.write(ts.Getenv("WORK")))
}

func endedCommand(ts *testscript.TestScript, _ bool, args []string) {
	if got := ts.ReadFile(ts.Getenv("EXIT_FILE")); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

func askedCommand(ts *testscript.TestScript, neg bool, args []string) {
	for _, r := range slices.Backward(theWorld(ts).site.Requests()) {
		if r.URI != args[0] {
			continue
		}
		got := r.Header.Get(args[1])
		if want := strings.Join(args[2:], " "); (got != "" && (want == "" || got == want)) == neg {
			ts.Fatalf("the request for %s had %s: %q", args[0], args[1], got)
		}
		return
	}
	ts.Fatalf("there was no request for %s", args[0])
}

func arrivesCommand(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ts.Check(theWorld(ts).site.Await(ctx, args[0], 1))
}

func sendingCommand(ts *testscript.TestScript, _ bool, args []string) {
	w := theWorld(ts)
	await(ts, "a "+args[0], func() bool { return w.panel.Calls()[args[0]] > 0 })
}

// await looks until done.
func await(ts *testscript.TestScript, what string, done func() bool) {
	again, end := time.NewTicker(5*time.Millisecond), time.After(patience)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-end:
			ts.Fatalf("%s did not come", what)
		}
	}
}

func terminateCommand(ts *testscript.TestScript, _ bool, _ []string) {
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	}
}

func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	got := inResult(ts, args[0])
	if want := strings.Join(args[1:], " "); (got != "" && (len(args) == 1 || got == want)) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

// passing is what no two runs print alike.
var passing = regexp.MustCompile(`in [0-9.]+m?s; |\b01[0-9A-Z]{8,24}\b|\b[0-9]{2}:[0-9]{2}\b`)

func toldCommand(ts *testscript.TestScript, _ bool, args []string) {
	got := strings.ReplaceAll(ts.ReadFile("stdout"), ts.Getenv("SITE"), "SITE")
	_, host, _ := strings.Cut(ts.Getenv("SITE"), "//")
	got = passing.ReplaceAllString(strings.ReplaceAll(got, host, "HOST"), "~")
	if want := ts.ReadFile(args[0]); got != want {
		ts.Fatalf("told is not %s, but:\n%s", args[0], got)
	}
}

func keepCommand(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], inResult(ts, args[1]))
}

// inResult returns what the JSON object on standard output holds at a path such as
// "changes.0.op": a text as it is, anything else as JSON, "" for what is not there.
func inResult(ts *testscript.TestScript, path string) string {
	var at any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	ts.Check(dec.Decode(&at))
	if dec.More() {
		ts.Fatalf("standard output is more than one JSON value")
	}
	for _, key := range strings.Split(path, ".") {
		at = within(at, key)
	}
	switch at := at.(type) {
	case nil:
		return ""
	case string:
		if at == "" {
			return `""`
		}
		return at
	}
	raw, err := json.Marshal(at)
	ts.Check(err)
	return string(raw)
}

// within returns what a JSON value holds under a key, an index, or "len" for its
// length; nil when there is nothing.
func within(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[key]
	case []any:
		if key == "len" {
			return json.Number(strconv.Itoa(len(v)))
		}
		if i, err := strconv.Atoi(key); err == nil && i < len(v) {
			return v[i]
		}
	}
	return nil
}

func tlsCommand(ts *testscript.TestScript, _ bool, args []string) {
	days, err := strconv.Atoi(args[0])
	ts.Check(err)
	w := theWorld(ts)
	w.site = testsite.NewTLS(time.Now().AddDate(0, 0, days))
	ts.Defer(w.site.Close)
	trust := filepath.Join(ts.Getenv("WORK"), ".authority.pem")
	ts.Check(os.WriteFile(trust, w.site.Authority(), 0o600))
	ts.Setenv("SSL_CERT_FILE", trust)
	ts.Setenv("SITE", w.site.URL())
	w.config.set("site", "start", fmt.Sprintf("[%q]", w.site.URL()+"/"))
	ts.Check(w.config.write(ts.Getenv("WORK")))
}

func writeCommand(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.Join(args[1:], " ")
	if literal, err := strconv.Unquote(text); err == nil {
		text = literal
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

var address = regexp.MustCompile(`http://[][0-9.:]+`)

func servingCommand(ts *testscript.TestScript, _ bool, args []string) {
	var found []byte
	await(ts, "an address in "+args[0], func() bool {
		raw, err := os.ReadFile(ts.MkAbs(args[0]))
		found = address.Find(raw)
		return err == nil && found != nil
	})
	ts.Setenv("SERVED", string(found))
	ts.Setenv("PORT", string(found[bytes.LastIndexByte(found, ':')+1:]))
}

func tearCommand(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	path := ts.MkAbs(args[0])
	info, err := os.Stat(path)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()-n))
}

func queuedCommand(ts *testscript.TestScript, _ bool, args []string) {
	w := theWorld(ts)
	queue, err := w.service.Queue(customer, args[0])
	ts.Check(err)
	var got []string
	for _, url := range queue.URLs {
		got = append(got, strings.TrimPrefix(url, w.site.URL()))
	}
	if slices.Sort(got); !slices.Equal(got, args[1:]) {
		ts.Fatalf("the queue of %s holds %q, want %q", args[0], got, args[1:])
	}
}

func spoilCommand(ts *testscript.TestScript, _ bool, args []string) {
	raw := []byte(ts.ReadFile(args[0]))
	if len(args) == 1 {
		clear(raw[:2*os.Getpagesize()])
	} else {
		text := []byte(args[1])
		other := append(bytes.Clone(text[:len(text)-1]), text[len(text)-1]^0x04)
		raw = bytes.ReplaceAll(raw, text, other)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), raw, 0o600))
}
