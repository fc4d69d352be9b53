package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tree builds nodes from go-toml's expressions. go-toml's own decoder stops at
// the first fault and forgets lines; this one keeps both.
type tree struct {
	data   []byte
	start  int // where in data the parser began
	parser unstable.Parser
	root   *node
	at     *node    // table of the last header
	path   []string // and its name
	faults []Fault  // without File
}

// parseTree returns the tree of data and the places where data is not TOML.
// After such a place it goes on with the next [header], so that one slip does
// not hide the faults below it.
func parseTree(data []byte) (*node, []Fault) {
	t := &tree{data: slices.Clip(data), root: newTable(1)}
	t.at = t.root
	for t.start < len(t.data) {
		t.parser.Reset(t.data[t.start:])
		for t.parser.NextExpression() {
			t.expression(t.parser.Expression())
		}
		var wrong *unstable.ParserError
		if !errors.As(t.parser.Error(), &wrong) {
			break
		}
		offset := max(0, len(t.data)-cap(wrong.Highlight)) // both end where data ends
		t.invalid(t.lineAt(offset), wrong.Message)
		t.start = t.nextHeader(offset)
	}
	if len(t.faults) == 0 {
		t.lastWord()
	}
	return t.root, t.faults
}

// lastWord lets go-toml's decoder judge the fine print that tree is lenient
// about, such as leading zeros and tables that are opened in two spellings.
func (t *tree) lastWord() {
	var values map[string]any
	err := toml.Unmarshal(t.data, &values)
	if err == nil {
		return
	}
	line := 1
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ = wrong.Position()
	}
	t.invalid(line, strings.TrimPrefix(err.Error(), "toml: "))
}

var quoted = regexp.MustCompile(`( but got)? U\+[0-9A-F]+( '.')?|:.*`)

// invalid notes that a line is not TOML, once: a header that can't be read is
// met again when the parser begins anew with it. What the message quotes of
// the file is left out, because it may be of a password.
func (t *tree) invalid(line int, message string) {
	if last := len(t.faults) - 1; last < 0 || t.faults[last].Line != line {
		message = quoted.ReplaceAllString(message, "")
		if strings.HasSuffix(message, "start of value") {
			message += "; texts stand in quotes"
		}
		t.fault(line, "", "is not valid TOML: %s", message)
	}
}

func (t *tree) fault(line int, key, format string, args ...any) {
	t.faults = append(t.faults, Fault{Line: line, Key: key, Text: fmt.Sprintf(format, args...)})
}

func (t *tree) lineAt(offset int) int { return 1 + bytes.Count(t.data[:offset], []byte("\n")) }

func (t *tree) lineOf(n *unstable.Node) int { return t.lineAt(t.start + int(n.Raw.Offset)) }

var headerLine = regexp.MustCompile(`^\[{1,2}[A-Za-z]`)

// nextHeader returns where the next header line begins: at the line of offset
// unless the parser has just begun there, or after it; len(data) when there is none.
func (t *tree) nextHeader(offset int) int {
	at := 1 + bytes.LastIndexByte(t.data[:offset], '\n')
	for at < len(t.data) {
		if at > t.start && headerLine.Match(t.data[at:]) {
			return at
		}
		end := bytes.IndexByte(t.data[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return len(t.data)
}
