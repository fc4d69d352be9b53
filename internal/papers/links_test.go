package papers

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var link = regexp.MustCompile(`\]\(([^()\s]+(?:\([^()\s]*\))?)[^()]*\)`)

// TestLinks: every link from a page to a file of the project, and to a heading, has its target.
func TestLinks(t *testing.T) {
	for _, p := range pages(t) {
		for i, line := range p.prose {
			for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
				target := found[1]
				if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
					continue
				}
				file, anchor, _ := strings.Cut(target, "#")
				to := p.name
				if file != "" {
					to = path.Join(path.Dir(p.name), file)
				}
				raw, err := os.ReadFile(top + to)
				if info, dirErr := os.Stat(top + to); err != nil && (dirErr != nil || !info.IsDir()) {
					t.Errorf("%s:%d: %s: there is no %s", p.name, i+1, target, to)
				} else if anchor != "" && !slices.Contains(anchors(string(raw)), anchor) {
					t.Errorf("%s:%d: %s: %s has no such heading", p.name, i+1, target, to)
				}
			}
		}
	}
}

// anchors returns the names under which the headings of a page can be linked to.
func anchors(raw string) (all []string) {
	for _, line := range parse("", raw).prose {
		level := len(line) - len(strings.TrimLeft(line, "#"))
		if level == 0 || !strings.HasPrefix(line[level:], " ") {
			continue
		}
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(line[level:])))
	}
	return all
}

var docsPath = regexp.MustCompile(`\bdocs/[A-Za-z0-9_/-]+\.(?:md|png|svg)\b`)

// TestPagesNamed: every page that code, configuration or a script names is there.
func TestPagesNamed(t *testing.T) {
	kinds := []string{".go", ".toml", ".tmpl", ".html", ".js", ".css", ".sh", ".yml", ".yaml", ".service", ".timer", ".txt", ".txtar", ".conf", ".env", ""}
	seen := 0
	err := filepath.WalkDir(strings.TrimSuffix(top, "/"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(kinds, filepath.Ext(file)) {
			if err == nil && entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules" || entry.Name() == "testdata") {
				return filepath.SkipDir
			}
			return err
		}
		if info, err := entry.Info(); err != nil || info.Size() > 1<<20 {
			return err
		}
		raw, err := os.ReadFile(file)
		for _, name := range docsPath.FindAllString(string(raw), -1) {
			seen++
			if _, err := os.Stat(top + name); err != nil {
				t.Errorf("%s names %s, which is not there", file, name)
			}
		}
		return err
	})
	if err != nil || seen < 8 {
		t.Errorf("%d names of pages, %v", seen, err)
	}
}
