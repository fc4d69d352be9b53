// Package papers tests what is written: README, ARCHITECTURE, CONTRIBUTING, SECURITY and every
// page under docs, deploy and examples. Links resolve, and commands and configurations are what
// the program takes.
package papers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/diffstore"
	"sitesync/extract/pdf"
	"sitesync/internal/cli"
)

// TestMain makes "sitesync" a program in PATH, for what runs in a shell; the binary of the
// tests reads its own PDF files and checks its own ledgers, as the program does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == pdf.Argument || os.Args[1] == diffstore.Argument) {
		syscall.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	testscript.Main(m, map[string]func(){"sitesync": func() {
		os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}})
}

const top = "../../"

// slow skips what the race detector has no need to see: nothing here is concurrent.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// block is a code block of a page.
type block struct {
	page     string
	line     int // of its first line of code
	language string
	text     string
}

func (b block) at() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// page is a page: what it says, line by line without its code, and its code.
type page struct {
	name   string
	prose  []string // the lines; those of code blocks are empty
	blocks []block
}

// pages returns every page in the order of names.
func pages(t *testing.T) (all []page) {
	t.Helper()
	names := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
	for _, dir := range []string{"docs", "deploy", "examples"} {
		err := filepath.WalkDir(top+dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".md" {
				names = append(names, strings.TrimPrefix(filepath.ToSlash(path), top))
			}
			return err
		})
		must(t, err)
	}
	slices.Sort(names)
	for _, name := range names {
		raw, err := os.ReadFile(top + name)
		must(t, err)
		all = append(all, parse(name, string(raw)))
	}
	return all
}

var fence = regexp.MustCompile("^( *)(```+|~~~+) *([a-zA-Z0-9]*)")

// parse divides a page into prose and fenced code.
func parse(name, raw string) page {
	p := page{name: name}
	open, mark, indent := block{}, "", 0
	for i, line := range strings.Split(raw, "\n") {
		begins := fence.FindStringSubmatch(line)
		prose := ""
		switch {
		case mark == "" && begins != nil:
			mark, indent = begins[2], len(begins[1])
			open = block{page: name, line: i + 2, language: begins[3]}
		case mark != "" && begins != nil && begins[2] == mark && begins[3] == "":
			p.blocks, mark = append(p.blocks, open), ""
		case mark != "":
			open.text += line[min(indent, len(line)-len(strings.TrimLeft(line, " "))):] + "\n"
		default:
			prose = line
		}
		p.prose = append(p.prose, prose)
	}
	return p
}

var code = regexp.MustCompile("`+[^`]+`+")

// inline returns the code within the lines of a page's prose, with the line.
func (p page) inline() (all []block) {
	for i, line := range p.prose {
		for _, text := range code.FindAllString(line, -1) {
			all = append(all, block{page: p.name, line: i + 1, text: strings.Trim(text, "`")})
		}
	}
	return all
}
