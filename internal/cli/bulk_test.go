package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/testsite/strike"
)

// newArchive is a town with sixty old stories, some pages beside, and bulk deletes
// allowed.
func newArchive(t *testing.T) *town {
	w := newTown(t)
	w.script(t, `series / 60 "<main><p>Welcome <a href=/a.html>a</a> <a href=/b.html>b</a> <a href=/c.html>c</a>|<a href=/old/%d.html>%d</a> |</p></main>"`)
	w.script(t, "set /a.html A|About ants||<meta property=\"article:published_time\" content=\"2024-12-05\">")
	w.script(t, "set /b.html B|About bees||<meta name=description content=Bees>")
	w.script(t, "set /c.html C|About cows")
	w.script(t, "many 60 set /old/%d.html Old %d|Story number %d||<meta property=\"article:published_time\" content=\"2018-05-05\">")
	return w
}

const archiveRule = `retention = [{ where = ["/old/**"], before = "2020/01/01" }]`

// expire has a retention rule of these configurations take the old stories out, or no more.
func (w *town) expire(t *testing.T, old bool, configs ...string) {
	t.Helper()
	for _, config := range configs {
		text, err := os.ReadFile(config)
		if err == nil {
			err = os.WriteFile(config, bytes.Replace(text, []byte(archiveRule+"\n"), nil, 1), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if old {
			w.reconfigure(t, config, "delete", archiveRule)
		}
	}
}

func (w *town) allowBulk(t *testing.T, config string) string {
	w.reconfigure(t, config, "push", "sole_writer = true")
	w.reconfigure(t, config, "delete", "bulk = true")
	return config
}

// TestBulkPlan: invariants 11 to 13 with a bulk delete. The plan is the same at any
// concurrency, and plan and apply leave what sync leaves.
func TestBulkPlan(t *testing.T) {
	t.Parallel()
	w := newArchive(t)
	otherBase, other, _ := newService(t)
	direct := w.allowBulk(t, w.configure(t, "direct", w.base, 4))
	one, many := w.allowBulk(t, w.configure(t, "steps", otherBase, 1)), filepath.Join(w.dir, "many.toml")
	text, err := os.ReadFile(one)
	if err == nil {
		err = os.WriteFile(many, bytes.Replace(text, []byte("concurrency = 1\n"), []byte("concurrency = 32\n"), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(w.dir, "a.plan"), filepath.Join(w.dir, "b.plan")
	for night, epoch := range []string{"1800000000", "1800086400", "1800172800", "1800259200"} {
		w.expire(t, night%2 == 1, direct, one, many)
		if night == 1 || night == 3 {
			w.script(t, fmt.Sprintf("edit /c.html cows|cows of night %d", night))
			w.script(t, fmt.Sprintf("set /new-%d.html New|A page of night %d", night, night))
			w.script(t, fmt.Sprintf("edit / /c.html>|/c.html></a><a href=/new-%d.html>", night))
		}
		if night == 2 {
			w.script(t, "edit /b.html <meta name=description content=Bees>|")
		}
		code := 0
		if night == 2 { // a page lost a field
			code = 3
		}
		w.run(t, code, epoch, "plan", "-c", one, "-o", a, "--full", "--allow-deletes")
		w.run(t, code, epoch, "plan", "-c", many, "-o", b, "--full", "--allow-deletes")
		planA, errA := os.ReadFile(a)
		planB, errB := os.ReadFile(b)
		if err := errors.Join(errA, errB); err != nil || !bytes.Equal(planA, planB) {
			t.Fatalf("night %d: plans made by 1 and by 32 workers differ (%v)", night, err)
		}
		checkPlan(t, a)
		out := w.run(t, code, epoch, "apply", b, "-c", one)
		if bulk := strings.Contains(out, "bulk-delete "); bulk != (night%2 == 1) {
			t.Fatalf("night %d: %s", night, out)
		}
		w.run(t, code, epoch, "sync", "-c", direct, "--full", "--allow-deletes")
		if a, b := index(t, w.service, w.site.URL()), index(t, other, w.site.URL()); !maps.Equal(a, b) {
			t.Fatalf("night %d: the indexes differ:\n%v\n%v", night, a, b)
		}
		if a, b := records(t, filepath.Join(w.dir, "direct.db")), records(t, filepath.Join(w.dir, "steps.db")); !maps.Equal(a, b) {
			t.Fatalf("night %d: the ledgers differ:\n%v\n%v", night, a, b)
		}
	}
}

// TestBulkFaults: whatever becomes of the call, one clean run later the index holds
// exactly the site; where it may have taken anything, the run before failed.
func TestBulkFaults(t *testing.T) {
	t.Parallel()
	w := newArchive(t)
	config := w.allowBulk(t, w.configure(t, "faults", w.base, 4))
	body := func(s string) *string { return &s }
	everything := strike.Readings{Unfilterable: []string{"Date_date"}, IgnoreUnknownFields: true}
	for name, test := range map[string]struct {
		readings strike.Readings
		fault    strike.Fault
		exit     int
	}{
		"refused before it ran":         {strike.Readings{}, strike.Fault{Drop: true}, 1},
		"ran, then reset":               {strike.Readings{}, strike.Fault{Drop: true, At: strike.After}, 1},
		"took everything, then reset":   {everything, strike.Fault{Drop: true, At: strike.After}, 1},
		"took everything, then was cut": {everything, strike.Fault{Cut: true, At: strike.After}, 1},
		"took everything, then 503":     {everything, strike.Fault{Status: 503, At: strike.After}, 1},
		"took everything, then empty":   {everything, strike.Fault{Body: body(""), At: strike.After}, 1},
		"cut JSON":                      {strike.Readings{}, strike.Fault{Cut: true, At: strike.After}, 1},
		"server":                        {strike.Readings{}, strike.Fault{Status: 500}, 1},
		"failure":                       {strike.Readings{}, strike.Fault{Body: body(`{"success":false,"deleted":0,"failed":60,"reason":"locked"}`)}, 1},
		"busy once":                     {strike.Readings{}, strike.Fault{Status: 429, Times: 1, RetryAfter: "0"}, 0},
		"invalid":                       {strike.Readings{}, strike.Fault{Status: 400}, 0},
		"unauthorised":                  {strike.Readings{}, strike.Fault{Status: 401}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w.expire(t, false, config)
			w.run(t, 0, "", "sync", "-c", config, "--full")
			if got := index(t, w.service, w.site.URL()); len(got) != 64 {
				t.Fatalf("%d documents", len(got))
			}
			w.expire(t, true, config)
			test.fault.Endpoint = "bulk-delete"
			w.panel.ResetCalls()
			w.panel.Read(test.readings)
			w.panel.Set(test.fault)
			out := w.run(t, test.exit, "", "sync", "-c", config, "--allow-deletes")
			if calls := w.panel.Calls()["bulk-delete"]; calls == 0 || test.exit != 0 && calls != 1 {
				t.Errorf("%d bulk deletes\n%s", calls, out)
			}
			w.panel.Read(strike.Readings{})
			w.panel.Set()
			if test.exit != 0 {
				if status := w.run(t, 0, "", "status", "-c", config); !strings.Contains(status, "0 acknowledged, 64 in doubt") {
					t.Error(status)
				}
			}
			w.run(t, 0, "", "sync", "-c", config, "--allow-deletes")
			got := slices.Sorted(maps.Keys(index(t, w.service, w.site.URL())))
			if !slices.Equal(got, []string{"/", "/a.html", "/b.html", "/c.html"}) {
				t.Errorf("the index holds %v", got)
			}
			if status := w.run(t, 0, "", "status", "-v", "-c", config); !strings.Contains(status, "4 acknowledged, 0 in doubt") {
				t.Error(status)
			}
		})
	}
}
