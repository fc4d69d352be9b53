package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
	"time"
	"unicode"
	"unicode/utf16"

	"sitesync/internal/document"
)

// Clean returns s with dangerous characters escaped as JSON escapes them. Such characters could move a
// terminal's cursor, change its colours or reverse its text. Compact JSON keeps its meaning: it holds such
// characters only inside strings.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unsafeRune) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !unsafeRune(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// CleanLines applies Clean to each line of a text and keeps the line breaks.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

func unsafeRune(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Fill executes the text template page with data and writes the result to w. Every value passes through
// Clean. If all is true, nothing is cut. Some of the extra functions of templates: "count" and "n" format
// numbers, "first" cuts a list, "rest" counts what was cut, "line" puts a text in one line, and "when" and
// "at" format times.
func Fill(w io.Writer, page string, data any, all bool) error {
	most := func(n int) int {
		if all {
			return math.MaxInt
		}
		return n
	}
	t, err := template.New("page").Option("missingkey=zero").Funcs(template.FuncMap{
		"clean": func(v any) string { return Clean(fmt.Sprint(v)) },
		"count": document.Count, "n": document.Number[int], "join": strings.Join,
		"past": PastLine,
		"first": func(n int, list any) any {
			v := reflect.ValueOf(list)
			return v.Slice(0, min(most(n), v.Len())).Interface()
		},
		"rest": func(n int, list any, more int) int { return more + max(0, reflect.ValueOf(list).Len()-most(n)) },
		"when": moment, "at": func(t time.Time) string { return moment(t.Unix()) }, "all": func() bool { return all },
		"line": func(s string) string { return document.Cut(strings.Join(strings.Fields(s), " "), most(100)) },
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("read page: %w", err)
	}
	for _, part := range t.Templates() {
		cleanValues(part.Root)
	}
	return execute(w, t, data)
}

// cleanValues adds the function clean to each action that writes a value, so no template can omit clean.
func cleanValues(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 {
				args := []parse.Node{parse.NewIdentifier("clean").SetPos(n.Pos)}
				clean := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: args}
				n.Pipe.Cmds = append(n.Pipe.Cmds, clean)
			}
		case *parse.IfNode:
			cleanBranches(&n.BranchNode)
		case *parse.WithNode:
			cleanBranches(&n.BranchNode)
		case *parse.RangeNode:
			cleanBranches(&n.BranchNode)
		}
	}
}

func cleanBranches(b *parse.BranchNode) {
	cleanValues(b.List)
	cleanValues(b.ElseList)
}

func moment(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006, 15:04") }

func execute(w io.Writer, t interface{ Execute(io.Writer, any) error }, data any) error {
	out := bufio.NewWriter(w)
	err := t.Execute(cleaner{out}, data)
	var failed template.ExecError
	if errors.As(err, &failed) {
		err = cmp.Or(errors.Unwrap(failed.Err), err) // drop the position in the template
	}
	if err := cmp.Or(err, out.Flush()); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// cleaner passes text through CleanLines. No call of Write may split a UTF-8 character; templates never do.
type cleaner struct{ out io.Writer }

func (c cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.out, CleanLines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
