//go:build linux

package proof

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// configure writes the configuration of a site; more is added to it.
func (s *site) configure(t testing.TB, dir, service, more string) (file string) {
	t.Helper()
	file = filepath.Join(dir, s.name+".toml")
	text := fmt.Sprintf("[site]\nstart = [%q]\n[fetch]\nretry_wait = \"1ms\"\n[push]\nbase_url = %q\ncustomer_id = %d\ncrawler_id = %q\nbatch_documents = 2\n%s", s.origin+"/", service, customer, s.name, more)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// The harness alone: each kind of site and its truth, night by night, with sync on one machine.
func TestAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRecorder(t, fastDir(t))
	sites := map[string]*site{}
	r.lives = func(name, id string) bool { return sites[name].lives(id) }
	for i := range manners() {
		s := newSite(t, i, 12)
		sites[s.name] = s
		config := s.configure(t, dir, r.server.URL, "[store]\npath = \""+s.name+".db\"\n")
		for night := range 2 {
			if night > 0 {
				s.change(i)
			}
			var out bytes.Buffer
			for _, again := range []bool{false, true} {
				if again && !s.rough {
					break
				}
				cmd := child(t, roleProgram, []string{"SITESYNC_API_KEY=" + keyOf("a")}, "sync", "-c", config)
				cmd.Stdout, cmd.Stderr = &out, &out
				if err := cmd.Run(); err != nil && !s.rough {
					t.Fatalf("%s: %v\n%s", s.name, err, out.String())
				}
				s.calm()
			}
			for _, fault := range s.differs(r.index(t, s.name)) {
				t.Errorf("night %d: %s\n%s", night, fault, out.String())
			}
		}
	}
	for _, wrong := range r.endNight() {
		t.Error(wrong)
	}
	t.Logf("%d calls", r.calls)
}

// fastDir returns a folder in memory where there is one.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "sitesync-proof-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
