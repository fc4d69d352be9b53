package signs

import (
	"maps"
	"os"
	"regexp"
	"slices"
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
	before := maps.Clone(markers)
	t.Cleanup(func() { markers = before })
	markers = maps.Clone(markers)
	// A reader who follows the example has the marker in the list already.
	without := slices.DeleteFunc(slices.Clone(markers[added[1]]), func(m string) bool { return m == added[2] })
	markers[added[1]] = without
	if asks() {
		t.Errorf("%q is known without %q", row[2], added)
	}
	markers[added[1]] = append(without, added[2])
	if !asks() {
		t.Errorf("%q is not known with %q", row[2], added)
	}
}
