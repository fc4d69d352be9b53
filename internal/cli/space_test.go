package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
)

// TestRoom: where the disk is too small the run ends before it looks at the site, or
// before it sends anything, names folder, need and rest, and leaves all as it was. Where it is
// too small for a new copy of the ledger, the run says so once, and the earlier one stays.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "sitesync.toml")
	text := "[site]\nstart = [\"https://www.example.com/\"]\nfolder = \"site\"\n[push]\nbase_url = \"local\"\n"
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o600), os.Mkdir(filepath.Join(dir, "site"), 0o700),
		os.WriteFile(filepath.Join(dir, "site", "index.html"), []byte("<title>Home</title><p>Welcome to the town"), 0o600)); err != nil {
		t.Fatal(err)
	}
	ledger := filepath.Join(dir, "sitesync.db")
	tests := []struct {
		name  string
		asked int // how often until the disk is full
		known bool
		want  string // of the error
	}{
		{"before the crawl", 0, true, "not enough disk space in " + ledger + ".work: this run may need 1.0 MB, and 5 KB are free; free some space, or name another store.work; nothing was changed"},
		{"for the ledger", 1, true, "not enough disk space in " + dir + ": this run may need 1.0 MB, and 5 KB are free; free some space, or name another store.path"},
		{"before it sends", 2, true, "not enough disk space in " + dir},
		{"not known", 0, false, ""},
		{"for the copy", 3, true, ""},
	}
	for _, test := range tests {
		asked := 0
		free := func(string) (int64, bool) {
			if asked++; asked > test.asked {
				return 5000, test.known
			}
			return 1 << 40, true
		}
		was, _ := os.Stat(diffstore.CopyPath(ledger))
		var out bytes.Buffer
		a := &app.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Free: free}
		root := root(a)
		root.SetArgs([]string{"sync", "-c", config})
		err := root.ExecuteContext(t.Context())
		_, statErr := os.Stat(ledger)
		if test.want == "" {
			if err != nil || statErr != nil {
				t.Errorf("%s: %v, %v\n%s", test.name, err, statErr, out.String())
			}
			is, err := os.Stat(diffstore.CopyPath(ledger))
			if told := strings.Count(out.String(), "no new copy of the ledger was made"); err != nil || told > 1 || (told == 1) != test.known || test.known && !os.SameFile(is, was) {
				t.Errorf("%s: told %d times, %v\n%s", test.name, told, err, out.String())
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || app.ExitCode(t.Context(), err) != app.ExitFailed || !errors.Is(statErr, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v", test.name, err, statErr)
		}
	}
}
