package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// The files of rules, at the top of a folder.
const (
	redirectsFile = "_redirects"
	headersFile   = "_headers"
)

// readRules gives take the lines of a file of rules, without line ends; blank
// lines and comments are left out. A missing file has no lines. What take says
// of a line is returned with file and line number.
func (f *Folder) readRules(name string, take func(line string) error) error {
	data, err := f.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file := filepath.Join(f.root.Name(), name)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \t\r\n")
		if rest := strings.TrimLeft(line, " \t"); rest == "" || rest[0] == '#' {
			continue
		}
		if err := take(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return nil
}

// checkRulePath errs for paths of rules that would silently match nothing.
func checkRulePath(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("%q does not begin with \"/\"", path)
	}
	if strings.Contains(path, "/:") {
		return fmt.Errorf("%q has a placeholder; only \"*\" is understood", path)
	}
	return nil
}
