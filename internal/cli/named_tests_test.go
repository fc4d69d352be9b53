package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTests  = regexp.MustCompile("`([a-z][a-z0-9/]*)` ((?:Test|Fuzz|Benchmark)\\w+(?:, (?:Test|Fuzz|Benchmark)\\w+)*)")
	namedScript = regexp.MustCompile("(?i)script `(\\w+)`")
)

// ARCHITECTURE.md names the test that holds each invariant: it is there, in the room that is named.
func TestNamedTestsExist(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, named := range namedTests.FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(named[2], ", ") {
			found++
			if !holds(t, filepath.Join("../..", named[1]), "func "+name+"(") {
				t.Errorf("%s is not in %s", name, named[1])
			}
		}
	}
	for _, named := range namedScript.FindAllStringSubmatch(string(text), -1) {
		found++
		if _, err := os.Stat(filepath.Join("testdata/script", named[1]+".txtar")); err != nil {
			t.Error(err)
		}
	}
	if found < 15 {
		t.Errorf("only %d tests are named", found)
	}
}

// holds reports whether a test of a package holds some text.
func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), text) {
			return true
		}
	}
	return false
}
