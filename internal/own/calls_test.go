package own

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCalls walks every call of the program that removes, cuts, renames or writes a file and
// holds it against a list, which says why that file is sitesync's. Whoever adds a call finds
// out here what it may touch.
func TestCalls(t *testing.T) {
	found := map[string]bool{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		if err != nil || entry.IsDir() && (name == "testdata" || name == "testsite" || name == "deploy" || strings.HasPrefix(name, ".") && len(name) > 2) {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, filepath.Dir(path))
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				for _, call := range touching(fn) {
					found[filepath.ToSlash(rel)+" "+fn.Name.Name+" "+call] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range slices.Sorted(maps.Keys(found)) {
		if touches[call] == "" {
			t.Errorf("%q is not on the list: say there which file it touches, and why that is sitesync's own", call)
		}
	}
	for call := range touches {
		if !found[call] {
			t.Errorf("%q is on the list, and not in the program", call)
		}
	}
}

// touching returns the calls in a function that can lose what a file holds.
func touching(fn *ast.FuncDecl) (calls []string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := sel.X.(*ast.Ident)
		switch name := sel.Sel.Name; {
		case of != nil && of.Name == "os" && slices.Contains([]string{"Remove", "RemoveAll", "Rename", "Truncate", "Create", "WriteFile", "OpenFile", "CopyFS", "Link", "Symlink", "Chmod"}, name),
			of != nil && of.Name == "spool" && slices.Contains([]string{"Replace", "WriteFile", "OpenLog"}, name),
			name == "Truncate" && len(call.Args) == 1, name == "CopyFile", name == "Remove" && of != nil && of.Name == "root":
			if of == nil {
				of = ast.NewIdent("_")
			}
			calls = append(calls, of.Name+"."+name)
		}
		return true
	})
	return calls
}

// touches says of each call why the file is sitesync's own.
var touches = func() map[string]string {
	list := map[string]string{}
	for why, calls := range map[string][]string{
		"in a work folder, which Claim has looked at": {
			"crawl crawl spool.OpenLog", "crawl/frontier Open os.Remove", "crawl/frontier Open spool.OpenLog", "crawl/frontier OpenNotes spool.OpenLog",
			"crawl/frontier Prepare spool.OpenLog", "diffstore Detach tx.CopyFile",
			"internal/cli/run takeDetails spool.OpenLog", "internal/spool remove os.Remove", "internal/spool Add os.Remove",
			"internal/spool openLog os.OpenFile", "internal/spool openLog file.Truncate", "internal/work clear os.Remove", "internal/work open spool.OpenLog",
			"internal/work writeJSON os.WriteFile",
		},
		"in a folder that this process made under a random name": {
			"crawl/chrome start os.RemoveAll", "internal/cli/fleet bring os.RemoveAll", "internal/cli/fleet copyLedger spool.WriteFile",
			"internal/cli/fleet devCommand os.RemoveAll", "internal/cli/fleet onCopy os.RemoveAll", "internal/cli/fleet onCopy os.WriteFile", "internal/cli/inspect look os.RemoveAll",
			"internal/preview fillAfter os.CopyFS", "internal/preview fillBefore os.Remove", "internal/preview sides os.RemoveAll", "internal/work Scratch os.RemoveAll",
		},
		"a file that this process made under a random name": {
			"diffstore Copy os.Remove", "diffstore KeepCopy os.Remove", "diffstore/pages begin spool.OpenLog", "diffstore/pages close os.Remove",
			"diffstore/plan Abandon os.Remove", "internal/cli/app CanWrite os.Remove", "internal/cli/ledger restore os.Remove", "internal/cli/run Close os.Remove",
			"internal/spool WriteFile os.Remove",
		},
		"the ledger, which was read or is kept under another name": {
			"internal/cli/ledger keepToday os.Link", "internal/cli/ledger keepToday os.Rename",
			"internal/cli/ledger restore spool.Replace",
		},
		"opened to see whether it can be written":                  {"internal/cli/app CanWrite os.OpenFile"},
		"made where there is none, and not written":                {"internal/service/store open os.OpenFile"},
		"new, with O_EXCL":                                         {"internal/cli/inspect writeNew os.OpenFile"},
		"added to, with O_APPEND":                                  {"internal/cli/calls takeOver os.OpenFile"},
		"replaced where it is a ledger, or free":                   {"diffstore KeepCopy spool.Replace"},
		"replaced where it is a plan, or free":                     {"diffstore/plan finish os.Rename"},
		"replaced where it begins as a log does":                   {"diffstore/pages close os.Rename"},
		"replaced where it holds our figures":                      {"internal/notify WriteMetrics spool.WriteFile"},
		"replaced where --force says so":                           {"internal/cli/ledger backup spool.WriteFile"},
		"the owner names it, and the configuration does not":       {"internal/cli/run writeFile os.OpenFile"},
		"compiled code, by pattern, in a cache that is ours alone": {"extract/pdf open os.Remove"},
		"by name, one by one":                                      {"internal/own Clear root.Remove"},
		"an empty folder, where Clear left nothing":                {"internal/own Remove os.Remove"},
		"in the folder of a fleet's worker, which Claim has looked at": {
			"internal/fleet/monitor unready os.WriteFile", "internal/fleet/snapshot Get spool.WriteFile", "internal/fleet/snapshot Ready os.Remove",
			"internal/fleet/snapshot Ready os.Rename", "internal/fleet/snapshot writeNote spool.WriteFile", "internal/fleet/worker enter os.WriteFile",
			"internal/fleet/worker takeOver os.Remove",
		},
		"left to the caller":                  {"internal/spool Replace os.Rename"},
		"in a trial's folder, empty at first": {"internal/cli/fleet begin os.CopyFS", "internal/cli/fleet begin os.WriteFile"},
	} {
		for _, call := range calls {
			list[call] = why
		}
	}
	return list
}()
