package inspect

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sitesync/internal/config"
)

// Whatever a site is called, the file that init writes loads, and holds what was
// meant.
func FuzzInit(f *testing.F) {
	for _, text := range []string{"/news/", "main", "/a\"]\n[push]\nbase_url = \"https://other.example\"\n#/", "${HOME}", "/[a/", "sort", "en", "\x1b[2J\u202e\u2028"} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasSuffix(text, ".example.com") { // crawl gives no host that is none
			t.Skip()
		}
		s := &sight{
			Day: "2026-11-21", Asked: text, Start: "https://www.example.com/?x=${HOME}", Listed: 1, Sampled: 4, Shells: 1,
			FileHosts: map[string]int{"files.example.com": 1, text: 1},
		}
		path := filepath.Join(dir, "sitesync.toml")
		written, err := s.writeConfig()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(path, func(string) string { return "of the environment" })
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, written)
		}
		if !reflect.DeepEqual(cfg.Site.Start, []string{"https://www.example.com/?x=$%7BHOME}"}) || !cfg.Push.Local() ||
			!reflect.DeepEqual(cfg.Site.FileHosts, []string{"files.example.com"}) || len(cfg.Site.Include)+len(cfg.Site.Exclude) > 0 || cfg.Fetch.Render != "auto" {
			t.Errorf("%q: %+v\n%s", text, cfg, written)
		}
	})
}

// TestIsLocal: a redirect to an address that the guard opens to whoever names it is not
// followed.
func TestIsLocal(t *testing.T) {
	for url, want := range map[string]bool{
		"http://localhost:8080/": true, "http://127.0.0.1/": true, "https://[::1]:9/": true, "http://10.0.0.1/": true,
		"https://www.example.com/": false, "http://localhost.example.com/": false,
	} {
		if isLocal(url) != want {
			t.Errorf("%s: %t", url, !want)
		}
	}
}
