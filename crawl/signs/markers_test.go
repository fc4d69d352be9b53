package signs

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMarkers: the code names the very lists that markers.txt has, and every entry is in
// lower case.
func TestMarkers(t *testing.T) {
	named := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`markers\["(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			named[m[1]] = true
		}
	}
	if got, want := slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(markers)); !slices.Equal(got, want) {
		t.Errorf("the code names %v, the file has %v", got, want)
	}
	for list, entries := range markers {
		for _, entry := range entries {
			if entry == "" || entry != strings.TrimSpace(strings.ToLower(entry)) {
				t.Errorf("%s: %q", list, entry)
			}
		}
	}
}
