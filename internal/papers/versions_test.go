package papers

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/service"
)

// release makes the files of the version of this source, for the day on which it is released:
//
//	go test ./internal/papers -run TestVersions -release
//
// It never overwrites those of a version. Only where a version was not released yet may they be
// removed by hand and made again.
var release = flag.Bool("release", false, "make the files of this version in testdata/releases")

const releases = "testdata/releases/"

// stored are the files of a version, beside its JSON results; "*.gz" is packed.
var stored = []string{"sitesync.toml", "night.plan", "sitesync.db", "sitesync.db.service"}

// results are the JSON results of a version, and the commands that print them.
var results = []struct {
	name string
	args []string
}{
	{"plan", []string{"plan", "--format", "json"}}, {"status", []string{"status", "--json"}}, {"history", []string{"history", "--json"}}, {"list", []string{"list", "--format", "json"}},
	{"report", []string{"report", "--format", "json"}}, {"held", []string{"held", "--json"}}, {"explain", []string{"explain", "https://www.example.com/hours.html", "--json"}},
	{"verify", []string{"verify", "--json"}}, {"version", []string{"version", "--json"}},
}

// make leaves in dir what a version leaves after a night: a site whose next night was planned,
// and every result as JSON.
func makeVersion(t *testing.T, dir string) {
	t.Helper()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page := func(name, title, text string) {
		write("site/"+name, "<!doctype html><html lang=\"en\"><head><title>"+title+"</title></head><body><main><h1>"+title+"</h1><p>"+text+"</p><a href=\"/\">Home</a> <a href=\"/hours.html\">Hours</a> <a href=\"/bins.html\">Bins</a> <a href=\"/old.html\">Old</a> <a href=\"/new.html\">New</a></main></body></html>")
	}
	write("sitesync.toml", "[site]\nstart = [\"https://www.example.com/\"]\nfolder = \"site\"\n[push]\nbase_url = \"local\"\n[delete]\nmax = 0\nmax_share = 0.0\n")
	page("index.html", "Town", "Welcome to the town and its offices.")
	page("hours.html", "Opening hours", "Open from nine to five, and on Saturdays until noon.")
	page("bins.html", "Bins", "Garden waste is collected every second week.")
	page("old.html", "Ferry", "The old ferry to the island leaves at noon.")
	result := func(name string, args ...string) {
		t.Helper()
		code, out := run(t, append(args, "--no-progress")...)
		if code != 0 && code != 3 && code != 4 {
			t.Fatalf("sitesync %s: %d\n%s", strings.Join(args, " "), code, out)
		}
		if at := strings.Index(out, "{"); name != "" && at >= 0 {
			write(name+".json", out[min(at, strings.Index(out+"[", "[")):])
		}
	}
	result("first", "sync", "--json")
	page("hours.html", "Opening hours", "Open from ten to six, and on Saturdays until two.")
	if err := os.Remove("site/old.html"); err != nil {
		t.Fatal(err)
	}
	result("second", "sync", "--json") // its delete is held
	page("new.html", "Bridge", "The new bridge to the island is open day and night.")
	result("", "plan", "-o", "night.plan")
	for _, r := range results {
		result(r.name, r.args...)
	}
}

// TestVersions: the files of every version are read by this program: configuration, ledger, plan
// and the local service's store; and no result has lost a field, or has one of another type.
func TestVersions(t *testing.T) {
	slow(t)
	now := t.TempDir()
	makeVersion(t, now)
	if *release {
		keep(t, now)
	}
	versions, err := filepath.Glob(home(t) + releases + "*")
	if err != nil || !slices.ContainsFunc(versions, func(dir string) bool { return filepath.Base(dir) == app.Version }) {
		t.Errorf("testdata/releases has no files of version %s: make them with -release (%v)", app.Version, err)
	}
	for _, from := range versions {
		t.Run(filepath.Base(from), func(t *testing.T) {
			dir := t.TempDir()
			unpack(t, from, dir)
			if err := os.CopyFS(filepath.Join(dir, "site"), os.DirFS(filepath.Join(now, "site"))); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			reads(t, filepath.Base(from) == app.Version)
			names := []string{"first", "second"}
			for _, r := range results {
				names = append(names, r.name)
			}
			for _, name := range names {
				if lost := lostShape(shapeOf(t, filepath.Join(dir, name+".json")), shapeOf(t, filepath.Join(now, name+".json")), name); len(lost) > 0 {
					t.Errorf("results may gain fields, never lose or retype them: %s", strings.Join(lost, "; "))
				}
			}
		})
	}
}

// reads has this program read what a version left in this folder.
func reads(t *testing.T, current bool) {
	t.Helper()
	if _, err := config.Load("sitesync.toml", os.Getenv); err != nil {
		t.Error(err)
	}
	searched(t, "ferry", "/old.html")
	for _, args := range [][]string{{"status"}, {"history", "last"}, {"held"}, {"list"}} {
		if code, out := run(t, args...); code != 0 && code != 4 || len(out) == 0 {
			t.Errorf("sitesync %s: %d\n%s", strings.Join(args, " "), code, out)
		}
	}
	// A plan of an older version may be refused, by name; that of this one is what it was.
	code, out := run(t, "plan", "show", "night.plan")
	refused := strings.Contains(out, "plan again")
	if code != 0 && code != 4 && (current || !refused) || code == 0 && !strings.Contains(out, "/new.html") {
		t.Errorf("plan show: %d\n%s", code, out)
	}
	if code, out := run(t, "apply", "night.plan"); code != 4 && (current || !refused) {
		t.Errorf("apply: %d, not 4, of a plan whose delete is held\n%s", code, out)
	}
	if code, out := run(t, "sync", "--allow-deletes"); code != 0 {
		t.Errorf("sync: %d\n%s", code, out)
	}
	searched(t, "bridge", "/new.html")
	if code, out := run(t, "verify"); code != 0 {
		t.Errorf("verify: %d\n%s", code, out)
	}
}

// searched searches the local service's store of this folder.
func searched(t *testing.T, query, want string) {
	t.Helper()
	local, err := service.Open(service.Options{Path: "sitesync.db.service", CustomerID: 10000001, APIKey: "local"})
	if err != nil {
		t.Error(err)
		return
	}
	defer local.Close()
	server := httptest.NewServer(local)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/v4/10000001/1/search", strings.NewReader(`{"query": "`+query+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.SetBasicAuth("10000001", "local")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
		t.Errorf("a search for %s: %d %s, %v", query, answer.StatusCode, body, err)
	}
}

// home returns this package's folder, from wherever a test stands.
func home(t *testing.T) string {
	t.Helper()
	return where + "/"
}

var where, _ = os.Getwd()

// keep stores what makeVersion left as the files of this version.
func keep(t *testing.T, from string) {
	t.Helper()
	to := home(t) + releases + app.Version
	if _, err := os.Stat(to); err == nil {
		t.Fatalf("%s is there already, and the files of a released version never change", to)
	}
	if err := os.MkdirAll(to, 0o750); err != nil {
		t.Fatal(err)
	}
	names := append(slices.Clone(stored), "first.json", "second.json")
	for _, r := range results {
		names = append(names, r.name+".json")
	}
	for _, name := range names {
		raw, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, ".db") {
			var packed bytes.Buffer
			z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			_, err = z.Write(raw)
			if closed := z.Close(); err == nil {
				err = closed
			}
			raw, name = packed.Bytes(), name+".gz"
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unpack copies the files of a version.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join(from, entry.Name()))
		name, packed := strings.CutSuffix(entry.Name(), ".gz")
		if packed && err == nil {
			var z *gzip.Reader
			if z, err = gzip.NewReader(bytes.NewReader(raw)); err == nil {
				raw, err = io.ReadAll(z)
			}
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// shapeOf returns the shape of a JSON file: an object of shapes, or the name of a type. The
// elements of an array are one shape.
func shapeOf(t *testing.T, name string) any {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return nil
	}
	var shape any
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var v any
		if err := dec.Decode(&v); err == io.EOF {
			return shape
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		shape = joined(shape, shaped(v))
	}
}

type array struct{ of any }

func shaped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		of := map[string]any{}
		for key, value := range v {
			of[key] = shaped(value)
		}
		return of
	case []any:
		var of any
		for _, element := range v {
			of = joined(of, shaped(element))
		}
		return array{of}
	case nil:
		return nil
	}
	return reflect.TypeOf(v).String()
}

// joined returns the shape of what has either of two.
func joined(a, b any) any {
	if a == nil {
		return b
	}
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for key, value := range b {
				a[key] = joined(a[key], value)
			}
		}
	case array:
		if b, ok := b.(array); ok {
			return array{joined(a.of, b.of)}
		}
	}
	return a
}

// lostShape returns what an old shape has and a new one has not, or has as another type.
func lostShape(before, after any, path string) (lost []string) {
	switch before := before.(type) {
	case nil:
		return nil
	case map[string]any:
		now, ok := after.(map[string]any)
		if !ok {
			return []string{path + " was an object"}
		}
		for key, was := range before {
			if _, has := now[key]; !has {
				lost = append(lost, path+"."+key+" is gone")
			} else {
				lost = append(lost, lostShape(was, now[key], path+"."+key)...)
			}
		}
		slices.Sort(lost)
		return lost
	case array:
		now, ok := after.(array)
		if !ok {
			return []string{path + " was an array"}
		}
		if now.of == nil {
			return nil
		}
		return lostShape(before.of, now.of, path+"[]")
	}
	if before != after {
		return []string{fmt.Sprintf("%s was %v and is %v", path, before, after)}
	}
	return nil
}

// TestLostShape: what is lost or retyped is found.
func TestLostShape(t *testing.T) {
	shape := func(text string) any {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return shaped(v)
	}
	old := shape(`{"a": 1, "b": [{"c": "x"}, {"d": true}], "e": null}`)
	if lost := lostShape(old, shape(`{"a": 2, "b": [{"c": "y", "d": false}], "e": 1, "f": 1}`), ""); len(lost) > 0 {
		t.Errorf("what only gained fields lost %q", lost)
	}
	if lost := lostShape(old, shape(`{"a": "2", "b": [{"d": false}], "e": 1}`), ""); len(lost) != 2 {
		t.Errorf("lost: %q", lost)
	}
}

// TestOlderLedgers: ledgers of schemas before the first release are read too, and nothing that only
// reads changes them.
func TestOlderLedgers(t *testing.T) {
	slow(t)
	names, err := filepath.Glob(home(t) + top + "diffstore/testdata/*.ledger")
	if err != nil || len(names) == 0 {
		t.Fatalf("no ledgers: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := os.WriteFile("sitesync.db", raw, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("sitesync.toml", []byte("[site]\nstart = [\"https://www.example.com/\"]\n[push]\nbase_url = \"local\"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for args, want := range map[string]string{"status": "in doubt: 22", "list": "/page/0001", "history": "run-1", "backup copy.db": "copy.db"} {
				if code, out := run(t, strings.Fields(args)...); code != 0 || !strings.Contains(out, want) {
					t.Errorf("sitesync %s: %d\n%s", args, code, out)
				}
			}
			if is, err := os.ReadFile("sitesync.db"); err != nil || !bytes.Equal(is, raw) {
				t.Errorf("reading changed the ledger: %v", err)
			}
		})
	}
}
