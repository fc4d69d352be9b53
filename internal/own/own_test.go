package own

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fill makes files, and folders where a name ends with a slash.
func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = os.WriteFile(path, []byte(name), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// left returns all that lies in a folder.
func left(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestForeignFoldersAreRefused: a folder is sitesync's where it holds nothing but what sitesync makes there.
func TestForeignFoldersAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string)
		want string // in the error; "": the folder is ours
	}{
		"none":  {func(*testing.T, string) {}, ""},
		"empty": {func(t *testing.T, dir string) { fill(t, dir, "./") }, ""},
		"of a run": {func(t *testing.T, dir string) {
			fill(t, dir, "lock", "frontier/wave-1-0.log", "agenda.spill", ".sitesync-1")
		}, ""},
		"a file":            {func(t *testing.T, dir string) { fill(t, filepath.Dir(dir), "work") }, "is no folder"},
		"notes":             {func(t *testing.T, dir string) { fill(t, dir, "lock", "notes.txt") }, "holds notes.txt"},
		"a folder":          {func(t *testing.T, dir string) { fill(t, dir, "pictures/a.jpg") }, "holds pictures"},
		"notes below":       {func(t *testing.T, dir string) { fill(t, dir, "frontier/notes.txt") }, "holds " + filepath.Join("frontier", "notes.txt")},
		"folder for a file": {func(t *testing.T, dir string) { fill(t, dir, "lock/") }, "holds lock"},
		"file for a folder": {func(t *testing.T, dir string) { fill(t, dir, "frontier") }, "holds frontier"},
		"link inside": {func(t *testing.T, dir string) {
			fill(t, dir, "./")
			link(t, os.DevNull, filepath.Join(dir, "state.json"))
		}, "holds state.json"},
		"a link": {func(t *testing.T, dir string) { fill(t, dir+"-2", "./"); link(t, dir+"-2", dir) }, "is a link"},
		"open to others": {func(t *testing.T, dir string) {
			if runtime.GOOS == "windows" {
				t.Skip("Windows has no such modes")
			}
			fill(t, dir, "lock")
			if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // that is the fault
				t.Fatal(err)
			}
		}, "can be written by other users (mode 0777)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			c.make(t, dir)
			var foreign *ForeignError
			for _, err := range []error{Work.Check(dir), Work.Claim(dir)} {
				if c.want == "" && err == nil {
					continue
				}
				if !errors.As(err, &foreign) || !strings.HasPrefix(err.Error(), dir+" "+c.want) || c.want == "" {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
		})
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err) // Windows asks for a right
	}
}

// TestClearRemovesOnlyOwnFiles: what is ours goes, except what is kept; what is not ours stays, with its folders.
func TestClearRemovesOnlyOwnFiles(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	fill(t, victim, "wave-1-0.log")
	fill(t, dir, "lock", "state.json", "frontier/wave-1-0.log", "frontier/notes.txt", "pictures/state.json", "drafts.log.old", "before/service.db")
	want := []string{"before", "before/service.db", "drafts.log.old", "frontier", "frontier/notes.txt", "lock", "pictures", "pictures/state.json"}
	if runtime.GOOS != "windows" {
		link(t, victim, filepath.Join(dir, "links.log"))
		want = append(want, "links.log")
		slices.Sort(want)
	}
	if err := Work.Clear(dir, "lock"); err != nil {
		t.Fatal(err)
	}
	if got := left(t, dir); !slices.Equal(got, want) {
		t.Errorf("left %q\nwant %q", got, want)
	}
	if got := left(t, victim); len(got) != 1 {
		t.Errorf("behind the link %q are left", got)
	}
	if err := errors.Join(Scratch.Clear(dir), Work.Clear(filepath.Join(dir, "nowhere"))); err != nil {
		t.Fatal(err)
	}
	if got := left(t, dir); slices.Contains(got, "before") || !slices.Contains(got, "frontier/notes.txt") {
		t.Errorf("left of a scratch folder: %q", got)
	}
}
