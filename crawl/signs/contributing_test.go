package signs

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// TestContributing: the example of CONTRIBUTING.md works: the page of its row is a notice of
// maintenance with the markers that it adds.
func TestContributing(t *testing.T) {
	raw, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\{"maintenance in \w+", "", 0, "", "([^|"]+)\|([^"]+)", workWall\},`).FindStringSubmatch(string(raw))
	added := regexp.MustCompile(`(?m)^(maintenance\w+): (.+)$`).FindAllStringSubmatch(string(raw), -1)
	if row == nil || len(added) != 2 {
		t.Fatalf("the row is %q, the markers are %q: is the example written otherwise now?", row, added)
	}
	root, err := html.Parse(strings.NewReader("<!doctype html><title>" + row[1] + "</title><body>" + row[2]))
	if err != nil {
		t.Fatal(err)
	}
	before := maps.Clone(markers)
	t.Cleanup(func() { markers = before })
	markers = maps.Clone(markers)
	for _, line := range added {
		markers[line[1]] = append(markers[line[1]][:len(markers[line[1]]):len(markers[line[1]])], line[2])
	}
	if kind, _ := FindInterstitial("https://a.test/page", 200, nil, root); kind != document.HostMaintenance {
		t.Errorf("with %q %q is %q", added, row[1], kind)
	}
}
