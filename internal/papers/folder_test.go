package papers

import (
	"os"
	"path/filepath"
	"testing"

	"sitesync/crawl/folder"
)

// TestFolderRules: the files _redirects and _headers that docs/folder.md shows are understood.
func TestFolderRules(t *testing.T) {
	raw, err := os.ReadFile(top + "docs/folder.md")
	must(t, err)
	names, dir := []string{"_redirects", "_headers"}, t.TempDir()
	for _, b := range parse("docs/folder.md", string(raw)).blocks {
		if b.language == "text" && len(names) > 0 {
			must(t, os.WriteFile(filepath.Join(dir, names[0]), []byte(b.text), 0o600))
			names = names[1:]
		}
	}
	site, err := folder.Open(dir, "https://www.example.com")
	if err != nil || len(names) > 0 {
		t.Fatalf("%v; no block for %q", err, names)
	}
	if err := site.Close(); err != nil {
		t.Error(err)
	}
}
