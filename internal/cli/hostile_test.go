package cli_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var hostileLong = flag.Bool("hostile.long", false, "many pages of each kind on the hostile site")

// hostilePages are kinds of page that cost a crawl far more than their share: each with a
// text that is repeated, and why it is unread; empty where it is read.
var hostilePages = map[string]struct {
	media, text string
	times       int
	fails       string
	long        bool // with -hostile.long only
}{
	"tags":        {"text/html", "<p>a                 ", 999_000, "fetch.memory", false},
	"attributes":  {"text/html", "", 2_000_000, "fetch.memory", false},
	"paragraphs":  {"text/html", "<p>" + strings.Repeat("Lorem ipsum dolor sit amet. ", 10), 80_000, "", false},
	"heavy":       {"text/html", "<p>" + strings.Repeat("Lorem ipsum dolor sit amet. ", 10), 70_000, "", true},
	"short-lines": {"text/html", "<p>a", 380_000, "", false},
	"cells":       {"text/html", "<tr><td>abc<td>def", 100_000, "", true},
	"endless":     {"text/html", strings.Repeat("<p>word ", 1000), -1, "fetch.max_body", false},
	"log.txt":     {"text/plain", "a line of a log\n", 140_000, "", false},
	"noscripts":   {"text/html", "<noscript><p>" + strings.Repeat("Lorem ipsum dolor sit amet. ", 40) + "</noscript>", 20_000, "", false},
	"hidden":      {"text/html", "<p hidden>" + strings.Repeat("Lorem ipsum dolor sit amet. ", 10), 80_000, "", false},
	"europe":      {"text/html; charset=windows-1252", strings.Repeat("\x80\xe9 ", 1<<8), 31 << 10, "fetch.memory", true},
	"russia":      {"text/html; charset=koi8-r", strings.Repeat("\xc1", 1<<10), 23 << 10, "fetch.memory", false},
	"broken":      {"text/html; charset=utf-8", strings.Repeat("\xff", 1<<10), 23 << 10, "fetch.memory", false},
	"file.pdf":    {"application/pdf", "%PDF-1.7 and no more of a PDF\n", 3_100_000, "it is no PDF", true},
}

// serveHostile answers with pages of every kind, and ordinary ones.
func serveHostile(copies int) http.HandlerFunc {
	var home strings.Builder
	for i := range 30 {
		fmt.Fprintf(&home, "<p>Ordinary page <a href='/page/%d'>%[1]d</a>.\n", i)
	}
	for kind, p := range hostilePages {
		for i := 0; i < copies && (*hostileLong || !p.long); i++ {
			fmt.Fprintf(&home, "<a href='/hostile/%d/%s'>x</a>\n", i, kind)
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		kind := filepath.Base(r.URL.Path)
		p := hostilePages[kind]
		switch {
		case r.URL.Path == "/":
			fmt.Fprintf(w, "<title>Home</title>%s", home.String())
		case strings.HasPrefix(r.URL.Path, "/page/"):
			fmt.Fprintf(w, "<title>Page %s</title><p>What page %[1]s says of the matter.", kind)
		case p.times == 0:
			http.NotFound(w, r)
		default:
			head := "Copy " + filepath.Base(filepath.Dir(r.URL.Path)) + "\n" // equal files would fold
			switch kind {
			case "attributes":
				head += "<p "
			case "file.pdf":
				head = ""
			}
			w.Header().Set("Content-Type", p.media)
			if p.times > 0 && kind != "attributes" {
				w.Header().Set("Content-Length", strconv.Itoa(len(head)+p.times*len(p.text)))
			}
			fmt.Fprint(w, head)
			for i := 0; i != p.times; i++ {
				text := p.text
				if kind == "attributes" {
					text = fmt.Sprintf("a%d ", i)
				}
				if _, err := w.Write([]byte(text)); err != nil {
					return
				}
			}
		}
	}
}

// TestHostileSite: pages that would cost far more than others are bounded in memory, each
// is read or named, and every ordinary page is planned. The memory is that of the whole
// program, 300 MB at most at the highest concurrency.
func TestHostileSite(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race detector takes memory of its own")
	}
	copies := 2
	if *hostileLong {
		copies = 24
	}
	site := httptest.NewServer(serveHostile(copies))
	defer site.Close()
	dir := t.TempDir()
	config := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nconcurrency = 64\n[push]\nbase_url = \"local\"\ncustomer_id = %d\nengine_id = 1\ncrawler_id = %q\n", site.URL+"/", customer, crawler)
	if err := os.WriteFile(filepath.Join(dir, "sitesync.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	var out, errs bytes.Buffer
	cmd.Args, cmd.Dir, cmd.Stdout, cmd.Stderr = []string{"sitesync", "plan", "--format", "json"}, dir, &out, &errs
	cmd.Env = append(os.Environ(), "EXIT_FILE="+filepath.Join(dir, "exit"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	anonMB := watchMemory(cmd)
	var result struct {
		Counts struct {
			Put int `json:"put"`
		} `json:"counts"`
		Failed []struct{ URL, Error string } `json:"failed"`
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil || cmd.ProcessState.ExitCode() != 3 {
		t.Fatalf("%v, %v\n%s", cmd.ProcessState, err, errs.String())
	}
	t.Logf("%.0f MB, %s of CPU", anonMB, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if anonMB > 300 {
		t.Errorf("it took %.0f MB", anonMB)
	}
	read := 31
	failed := map[string]int{}
	for _, f := range result.Failed {
		kind := filepath.Base(f.URL)
		failed[kind]++
		if fails := hostilePages[kind].fails; fails == "" || !strings.Contains(f.Error, fails) {
			t.Errorf("%s: %s", f.URL, f.Error)
		}
	}
	for kind, p := range hostilePages {
		switch {
		case p.long && !*hostileLong:
		case p.fails == "":
			read += copies
		case failed[kind] != copies:
			t.Errorf("%d pages of the kind %s are unread, of %d", failed[kind], kind, copies)
		}
	}
	if result.Counts.Put != read {
		t.Errorf("%d documents are planned, want %d", result.Counts.Put, read)
	}
}

// watchMemory waits for the end of a process and returns the most anonymous memory that it
// had, in MB; 0 where the system does not tell.
func watchMemory(cmd *exec.Cmd) (most float64) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return most
		case <-tick.C:
			most = max(most, anonymousMB(strconv.Itoa(cmd.Process.Pid)))
		}
	}
}
