package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

	"sitesync/internal/document"
)

// Fill writes a page for a terminal: a template with data, of which every value goes through
// Clean. all: no list is cut. Beside what templates have there are count and n, as
// package document writes numbers; first and rest of a list that is cut; line, a text in
// one line; join, when; and the lines of this package.
func Fill(w io.Writer, page string, data any, all bool) error {
	most := func(n int) int {
		if all {
			return math.MaxInt
		}
		return n
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"clean": func(v any) string { return Clean(fmt.Sprint(v)) }, "count": document.Count, "n": document.Number[int], "join": strings.Join,
		"past": PastLine,
		"first": func(n int, list any) any {
			v := reflect.ValueOf(list)
			return v.Slice(0, min(most(n), v.Len())).Interface()
		},
		"rest": func(n int, list any, more int) int { return more + max(0, reflect.ValueOf(list).Len()-most(n)) },
		"when": moment, "all": func() bool { return all },
		"line": func(s string) string { // in one line, cut short unless all is asked for
			text := []rune(strings.Join(strings.Fields(s), " "))
			if len(text) > 100 && !all {
				return string(text[:100]) + "…"
			}
			return string(text)
		},
	}).Parse(page)
	if err == nil {
		for _, part := range t.Templates() {
			wash(part.Root)
		}
	}
	return execute(w, t, err, data)
}

func moment(unix int64) string { return time.Unix(unix, 0).Format("2 January 2006, 15:04") }

// execute writes a page, unless its template has a fault.
func execute(w io.Writer, t interface{ Execute(io.Writer, any) error }, fault error, data any) error {
	if fault != nil {
		return fault
	}
	out := bufio.NewWriter(w)
	err := t.Execute(cleaner{out}, data)
	if err := cmp.Or(err, out.Flush()); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// cleaner writes text of several lines through CleanLines. Each Write must hold
// whole characters, as those of a template do.
type cleaner struct{ out io.Writer }

func (c cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.out, CleanLines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wash has every value below a node of a template go through its function clean.
func wash(list *parse.ListNode) {
	if list == nil {
		return
	}
	branch := func(b *parse.BranchNode) { wash(b.List); wash(b.ElseList) }
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			if len(node.Pipe.Decl) == 0 {
				node.Pipe.Cmds = append(node.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{parse.NewIdentifier("clean")}})
			}
		case *parse.IfNode:
			branch(&node.BranchNode)
		case *parse.RangeNode:
			branch(&node.BranchNode)
		case *parse.WithNode:
			branch(&node.BranchNode)
		}
	}
}
