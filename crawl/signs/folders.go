package signs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

const (
	mostFolders = 1000 // that are counted
	fewInFolder = 20   // URLs from which a folder is large
	mostLarge   = 3
)

// Folders counts the URLs of a host by the first folder of their path: what is shown for
// pages that do not exist may differ from one to the other.
type Folders map[string]int

// Count counts a URL; the first folders that come are counted.
func (f Folders) Count(url string) {
	path := weburl.Path(url)
	end := strings.IndexByte(path[min(1, len(path)):], '/')
	if end < 0 {
		return
	}
	if folder := path[:end+2]; f[folder] > 0 || len(f) < mostFolders {
		f[folder]++
	}
}

// Large returns the paths of the largest folders, which show best what they have in common.
func (f Folders) Large() []string {
	large := slices.DeleteFunc(slices.Collect(maps.Keys(f)), func(folder string) bool { return f[folder] < fewInFolder })
	slices.SortFunc(large, func(a, b string) int { return cmp.Or(f[b]-f[a], strings.Compare(a, b)) })
	return large[:min(len(large), mostLarge)]
}
