package papers

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// What counts as a message: the text that production code gives to one of the functions in gives,
// and every other text of three words or more that may become the reason in one. The test finds
// those by itself: a new file is looked at without being named. What changes in a text stands as "…".
//
// No reasons are the words of help and of flags, what is printed or logged as it stands, and the
// files of noReasons.
//
// A wrap that says only what was being done ("read %s: %w") is not a message of its own: whoever
// reads it sees behind it the innermost one, which has its line. A wrap that goes on after the
// cause, as with "; name another file", gives advice, and has a line.
var gives = map[string]int{ // the argument that is the text
	"New": 0, "Errorf": 0, "Usagef": 0, "bodyErrorf": 1, "refuseURL": 1, "Warn": 0, "missing": 2, "fail": -1, "fault": -1, "Add": 2, "refused": 2, "must": 1,
}

// shown are functions and keys of cobra whose texts are results, help or patterns.
var shown = regexp.MustCompile(`^(?:F?[pP]rint(?:f|ln)?|Info|Debug|MustCompile|[A-Z][A-Za-z]*VarP?|Var|Use|Short|Long|Example|wrap)$`)

// noReasons are files whose texts no message goes on with: results, pages in a browser, lists of
// words, what explain says of one page. What they give to the functions in gives is looked at as well.
var noReasons = regexp.MustCompile(`^(?:internal/(?:ui|preview|fleet/monitor|service/search/words)/` +
	`|internal/cli/(?:root\.go|run/explain|(?:calls|fleet|ledger|serve|ui)/)` +
	`|internal/report/(?:lines|pages|table|text|verification|warnings|site/groups)\.go` +
	`|internal/judge/evidence\.go|internal/plan/past/past\.go|internal/fleet/bus/bus\.go|extract/field/title\.go|crawl/chrome/(?:chrome|tab)\.go)`)

// noMessages are folders whose texts no user of sitesync meets: tests, what is built with, and the
// language of the templates that the program itself holds.
var noMessages = regexp.MustCompile(`^(internal/testsite|internal/service/conformance|internal/fleet/proof|internal/papers|internal/template|deploy|testdata|examples|\.git)(/|$)`)

// message is what a user can meet, and where it comes from.
type message struct {
	text, at string
	given    bool // has to have a line; others may
}

var (
	verb  = regexp.MustCompile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]`)
	runOn = regexp.MustCompile(`…(?:[ (),:"'%/]*…)+`)
)

// canonical returns a text with "…" for what changes, and without what only joins it to others.
func canonical(text string) string {
	text = strings.ReplaceAll(verb.ReplaceAllString(strings.ReplaceAll(text, "%%", "\x00"), "…"), "\x00", "%")
	text = runOn.ReplaceAllString(strings.Join(strings.Fields(text), " "), "…")
	return strings.Trim(text, "… :;,\"")
}

// words counts those of a text that are not "…".
func words(text string) (n int) {
	for _, word := range strings.Fields(text) {
		if strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz") {
			n++
		}
	}
	return n
}

// textOf returns the text that an expression makes, "…" standing for what is not written in it.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return textOf(e.X) + textOf(e.Y)
		}
	case *ast.ParenExpr:
		return textOf(e.X)
	case *ast.CallExpr:
		if nameOf(e.Fun) == "Sprintf" {
			return textOf(e.Args[0])
		}
	}
	return "%v"
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// A judge of values says what a value must be, and the word "must" stands elsewhere.
var (
	needsMust   = regexp.MustCompile(`^(?:be|not be|not hold|not begin|begin with|count from) `)
	isValue     = regexp.MustCompile(`^(?:an? |true or false |"auto", )`)
	mustFolders = regexp.MustCompile(`^(?:internal/config|extract/rule)/`)
)

// pieces are texts that stand in a message without being one: the name of a command that releases
// something, what a count is followed by, what the value of a key is called.
var pieces = regexp.MustCompile(`^(?:sitesync (?:sync|approve) --|open ledger|use ledger|and … more$|nothing was changed$|fleet dev$|the (?:value|name)$|must be(?: masked)?$|the keys user and password|customer_id and api_key|\[\[fetch\.auth|the (?:https address|customer ID|crawler ID)|remote error|closed by remote|Check the configuration|send a test message to|\{\{range|compacted the ledger|an index of|C…\. Nothing was read|nothing to do$|ask the NATS|Permissions Violation|\(\?i\)|what it held is read anew|\(\?|\{\{|[^\x60]*\x60[A-Z]|sitesync plan show|file size too small$|\(recovered by wazero|the limit of a sitemap$|asked for by$|start of value$|compiling the PDF reader|it is ending$|Basic realm|SiteKey realm|\[\[delete\.retention|a time such as 90s|pages of …, this one|one page of … says)`)

var contextOnly = regexp.MustCompile(`^[^;]*: %w$`)

// messages returns every message of the production code.
func messages(t *testing.T) (all []message) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir(strings.TrimSuffix(top, "/"), func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(path), top)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && noMessages.MatchString(name):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		reasons, skip := !noReasons.MatchString(name), token.NoPos // up to skip, texts are shown
		take := func(n ast.Node, raw string, least int, given bool) {
			if name == "internal/config/value.go" && isValue.MatchString(raw) {
				raw = "must be " + raw
			}
			text := canonical(raw)
			if needsMust.MatchString(text) && mustFolders.MatchString(name) {
				text = "must " + text
			}
			if words(text) >= least {
				all = append(all, message{text, fmt.Sprintf("%s:%d", name, files.Position(n.Pos()).Line), given && !contextOnly.MatchString(raw) && !pieces.MatchString(text)})
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.Field:
				return false
			case *ast.KeyValueExpr:
				if shown.MatchString(nameOf(n.Key)) {
					skip = n.End()
				}
			case *ast.CallExpr:
				if shown.MatchString(nameOf(n.Fun)) {
					skip = n.End()
				}
				at, is := gives[nameOf(n.Fun)]
				if nameOf(n.Fun) == "New" && len(n.Args) == 1 {
					if pkg, ok := n.Fun.(*ast.SelectorExpr); !ok || nameOf(pkg.X) != "errors" {
						return true
					}
				}
				for i, arg := range n.Args {
					if is && (at == i || at < 0) && len(n.Args) > at {
						take(arg, textOf(arg), 2, true)
					}
				}
			case *ast.BasicLit, *ast.BinaryExpr:
				take(n, textOf(n.(ast.Expr)), 3, reasons && n.Pos() >= skip)
				_, sum := n.(*ast.BinaryExpr)
				return !sum
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// line is a line of the tables: its message and the expression for it.
type line struct {
	text, at string
	is       *regexp.Regexp
	part     string // that what it stands for has, in any case
	system   bool   // of the operating system
}

var row = regexp.MustCompile("^\\| `+(.*?)`+ \\| *(.*?) *\\|$")

// troubleLines returns the lines of docs/troubleshooting.
func troubleLines(t *testing.T) (all []line) {
	t.Helper()
	names, err := filepath.Glob(top + "docs/troubleshooting/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		heading := ""
		for i, text := range strings.Split(string(raw), "\n") {
			if strings.HasPrefix(text, "#") {
				heading = text
			}
			at := fmt.Sprintf("%s:%d", strings.TrimPrefix(filepath.ToSlash(name), top), i+1)
			found := row.FindStringSubmatch(text)
			if heading == "## Kinds" {
				continue // of TestMessagesByKind
			}
			if found == nil {
				if strings.HasPrefix(text, "| `") {
					t.Errorf("%s: write the line as | `message` | what to do |", at)
				}
				continue
			}
			if len(strings.ReplaceAll(canonical(found[1]), "…", "")) < 6 || found[2] == "" {
				t.Errorf("%s: %q says too little", at, text)
			}
			expr := strings.ReplaceAll(regexp.QuoteMeta(canonical(found[1])), "…", ".*")
			if strings.HasPrefix(found[1], "…") {
				expr = "(?:.* )?" + expr
			}
			if strings.HasSuffix(found[1], "…") {
				expr += ".*"
			}
			all = append(all, line{found[1], at, regexp.MustCompile("^" + expr + "$"), slices.MaxFunc(strings.Split(canonical(found[1]), "…"), func(a, b string) int { return len(a) - len(b) }), heading == "## The operating system"})
		}
	}
	return all
}

// mostOfALine bounds how many messages a line may stand for: one that stands for everything
// helps nobody.
const mostOfALine = 20

// TestMessages: every message has a line in docs/troubleshooting, and every line a message.
func TestMessages(t *testing.T) {
	slow(t)
	all, lines := messages(t), troubleLines(t)
	given, stands := 0, make([][]string, len(lines))
	for _, m := range all {
		has := false
		for i, l := range lines {
			if !l.system && strings.Contains(m.text, l.part) && l.is.MatchString(m.text) {
				stands[i] = append(stands[i], m.text)
				has = true
			}
		}
		if m.given {
			given++
		}
		if m.given && !has {
			t.Errorf("%s: %q has no line in docs/troubleshooting", m.at, m.text)
		}
	}
	if t.Logf("%d messages, %d lines", given, len(lines)); given < 1200 {
		t.Errorf("%d messages: are they made otherwise now?", given)
	}
	for i, l := range lines {
		slices.Sort(stands[i])
		switch n := len(slices.Compact(stands[i])); {
		case l.system:
			if runtime.GOOS == "linux" && !ofSystem(l.text) {
				t.Errorf("%s: %q is no message of the system", l.at, l.text)
			}
		case n == 0:
			t.Errorf("%s: nothing says %q", l.at, l.text)
		case n > mostOfALine:
			t.Errorf("%s: %q stands for %d messages, more than %d: %q", l.at, l.text, n, mostOfALine, slices.Compact(stands[i]))
		}
	}
}

// ofSystem reports that the system or the standard library says a text.
func ofSystem(text string) bool {
	if text == context.DeadlineExceeded.Error() || text == context.Canceled.Error() {
		return true
	}
	for number := range 134 {
		if syscall.Errno(number).Error() == text {
			return true
		}
	}
	return false
}

// TestMessagesByKind: every kind of warning has its line, and every line a kind.
func TestMessagesByKind(t *testing.T) {
	slow(t)
	raw, err := os.ReadFile(top + "docs/troubleshooting/warnings.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(raw), "## Kinds")
	table, _, _ = strings.Cut(table, "\n## ")
	told := map[string]bool{}
	for _, found := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .+ \\|$").FindAllStringSubmatch(table, -1) {
		told[found[1]] = true
	}
	given := regexp.MustCompile("(?:[wW]arnings\\.Add|\\.warn|Warning\\{Kind:) *\\(?\"([a-z-]+)\"|(?:\\b[wW]arn[A-Z][A-Za-z]*|\\bLate[A-Z][a-z]+|\\bill[A-Z][a-z]+) +(?:string )?= \"([a-z-]+)\"")
	seen := map[string]bool{}
	for _, dir := range []string{"crawl", "extract", "internal", "push"} {
		err := filepath.WalkDir(top+dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || noMessages.MatchString(strings.TrimPrefix(filepath.ToSlash(path), top)) {
				return err
			}
			code, err := os.ReadFile(path)
			if !strings.Contains(strings.ToLower(string(code)), "warn") && !strings.Contains(string(code), "Late") {
				return err
			}
			for _, found := range given.FindAllStringSubmatch(string(code), -1) {
				kind := found[1] + found[2]
				if seen[kind] = true; !told[kind] {
					t.Errorf("%s: the kind %q has no line in docs/troubleshooting/warnings.md", path, kind)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for kind := range told {
		if !seen[kind] {
			t.Errorf("no warning is of the kind %q", kind)
		}
	}
	if len(seen) < 25 {
		t.Errorf("%d kinds: are they written otherwise now?", len(seen))
	}
}
