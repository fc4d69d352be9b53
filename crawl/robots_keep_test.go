package crawl

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

// TestKeptRobots: a resumed run goes by a copy of robots.txt that is not over an
// hour old where the file can't be read.
func TestKeptRobots(t *testing.T) {
	for age, want := range map[time.Duration]document.HostState{
		0: document.HostOK, 59 * time.Minute: document.HostOK, 61 * time.Minute: document.HostRobotsOutage, -time.Hour: document.HostRobotsOutage,
	} {
		for _, rules := range []string{`robots "User-agent: *\nDisallow: /x"`, `robots ""`, "heal /robots.txt"} {
			r := newRig(t, "set / Home|Welcome|/x\nset /x X|X\n"+rules)
			work := t.TempDir()
			stop := errors.New("stop")
			r.hook = func(*night, *document.Page) error { return stop }
			if _, err := r.try(t.Context(), work); !errors.Is(err, stop) {
				t.Fatal(err)
			}
			r.hook = nil
			run := (&Crawler{opts: Options{Work: work}}).newRun(nil, nil)
			then := time.Now().Add(-age)
			if err := os.Chtimes(run.robotsPath(&host{origin: r.origin}), then, then); err != nil {
				t.Fatal(err)
			}
			r.script("status /robots.txt 503")
			n, err := r.try(t.Context(), work)
			if err != nil || n.host().State != want {
				t.Fatalf("%s old: %+v, %v", age, n.host(), err)
			}
			if want != document.HostOK {
				continue
			}
			if w := n.survey.Warnings; len(w) != 1 || w[0].Kind != "robots" || w[0].URL != r.url("/robots.txt") ||
				w[0].Text != "robots.txt answered 503; the copy read at "+then.UTC().Format(time.RFC3339)+" serves" {
				t.Errorf("%+v", w)
			}
			if got := n.pages["/x"].Seen == document.Disallowed; got != strings.Contains(rules, "Disallow") {
				t.Errorf("%s: %q", rules, n.seen())
			}
		}
	}
}
