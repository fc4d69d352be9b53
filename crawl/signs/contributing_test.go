package signs

import (
	"maps"
	"os"
	"regexp"
	"testing"
)

// TestContributing: the example of CONTRIBUTING.md works: the redirect of its row leads to a
// login with the marker that it adds, and to none without.
func TestContributing(t *testing.T) {
	raw, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\{"(/[^"]+)", "(/[^"]+)", true\},`).FindStringSubmatch(string(raw))
	added := regexp.MustCompile(`(?m)^(login\w+): (.+)$`).FindStringSubmatch(string(raw))
	if row == nil || added == nil {
		t.Fatalf("the row is %q, the marker is %q: is the example written otherwise now?", row, added)
	}
	asks := func() bool { return AsksForLogin("https://a.test"+row[1], "https://a.test"+row[2]) }
	if asks() {
		t.Errorf("%q is known without %q", row[2], added)
	}
	before := maps.Clone(markers)
	t.Cleanup(func() { markers = before })
	markers = maps.Clone(markers)
	markers[added[1]] = append(markers[added[1]][:len(markers[added[1]]):len(markers[added[1]])], added[2])
	if !asks() {
		t.Errorf("%q is not known with %q", row[2], added)
	}
}
