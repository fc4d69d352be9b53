//go:build unix

package pdf

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Compiled code lies only where nobody else can put any.
func TestCacheFolder(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	mkdir := func(name string, mode os.FileMode) string {
		if err := os.Mkdir(at(name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at(name), mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		return at(name)
	}
	private, readable, writable := mkdir("private", 0o700), mkdir("readable", 0o755), mkdir("writable", 0o777)
	mkdir("writable/below", 0o700)
	mkdir("sticky", 0o777|os.ModeSticky)
	mkdir("sticky/below", 0o700)
	if err := os.Symlink(private, at("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mkdir("home", 0o700)
	table := []struct {
		name                  string
		named, user, fallback string
		want, complaint       string
	}{
		{"named", private, at("home"), at("store.cache"), private, ""},
		{"made", at("new"), "", "", at("new"), ""},
		{"open to others", readable, at("home"), "", at("home/sitesync"), "mode 0700"},
		{"writable by others", writable, "", at("store.cache"), at("store.cache"), "mode 0700"},
		{"in a folder that others write to", at("writable/below"), "", "", "", "could put another folder in the place of"},
		{"in one that holds them off", at("sticky/below"), "", "", at("sticky/below"), ""},
		{"link", at("link"), "", private, private, "a link"},
		{"file", at("file"), "", "", "", "not a directory"},
		{"the user's", "", at("home"), private, at("home/sitesync"), ""},
		{"no home", "", at("nowhere/.cache"), private, private, ""},
		{"fallback open to others", "", "", readable, "", ""},
		{"none", "", "", "", "", ""},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("HOME", "")
			t.Setenv("XDG_CACHE_HOME", row.user)
			got, complaint := cacheFolder(row.named, row.fallback)
			if got != row.want || !strings.Contains(complaint, row.complaint) || (complaint == "") != (row.complaint == "") {
				t.Errorf("got %q, %q; want %q, %q", got, complaint, row.want, row.complaint)
			}
			if got == "" {
				return
			}
			if info, err := os.Stat(got); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%s: %v, %v", got, info, err)
			}
		})
	}
}

// Compiling takes seconds, so it is said, and only where no code is kept.
func TestCompilingIsSaid(t *testing.T) {
	for _, kept := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "cache")
		if kept {
			if err := os.MkdirAll(filepath.Join(dir, "wazero-v1"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "wazero-v1", "code"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		said := 0
		r := New(Options{Cache: dir, Say: func(string) { said++ }})
		r.args = misbehaving(t, "not ready")
		if _, err := r.Read(good); err == nil || (said == 0) != kept {
			t.Errorf("code is kept: %v; said %d times, %v", kept, said, err)
		}
	}
}

var compileAnew = flag.Bool("compile", false, "damage what was compiled, so that it is compiled once more")

// What was compiled is kept for the next child, for its owner alone, and does no
// harm when it is damaged, but is made anew.
func TestCompiledCodeIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles")
	}
	read := func(dir string) {
		r := New(Options{Cache: dir, Warn: func(text string) { t.Error(text) }, Say: func(string) {}})
		defer r.Close()
		if _, err := r.Read(good); err != nil {
			t.Fatal(err)
		}
	}
	shared, dir := userCache(), filepath.Join(t.TempDir(), "cache")
	read(shared)
	if err := os.CopyFS(dir, os.DirFS(shared)); err != nil {
		t.Fatal(err)
	}
	kept := map[string]int64{}
	err := filepath.WalkDir(shared, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others", name)
		}
		copied := dir + strings.TrimPrefix(name, shared)
		if info.IsDir() {
			return os.Chmod(copied, info.Mode())
		}
		kept[copied] = info.Size()
		return os.Truncate(copied, info.Size()/2)
	})
	if err != nil || len(kept) != 1 {
		t.Errorf("%v are kept, %v", kept, err)
	}
	if !*compileAnew {
		return
	}
	read(dir)
	for name, size := range kept {
		if info, err := os.Stat(name); err != nil || info.Size() != size {
			t.Errorf("%s is still damaged: %v, %v", name, info, err)
		}
	}
}
