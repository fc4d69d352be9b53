package signs

import (
	"fmt"
	"slices"
	"testing"
)

// TestFolders: of the folders that come first the largest are returned, if they are large.
func TestFolders(t *testing.T) {
	f := Folders{}
	for i := range mostFolders + 5 {
		f.Count(fmt.Sprintf("https://a.test/%d/x", i))
	}
	f.Count("https://a.test/x")
	for range fewInFolder {
		f.Count("https://a.test/7/x")
		f.Count("https://a.test/8/")
		f.Count(fmt.Sprintf("https://a.test/%d/x", mostFolders+2)) // came too late
	}
	f.Count("https://a.test/8/y")
	if got := f.Large(); len(f) != mostFolders || !slices.Equal(got, []string{"/8/", "/7/"}) {
		t.Errorf("%d folders, large are %v", len(f), got)
	}
}
