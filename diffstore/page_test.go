package diffstore

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// docs/ledger.md names every bucket, every key of the head, the schema and the format of records.
func TestPageOfTheFormat(t *testing.T) {
	raw, err := os.ReadFile("../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, name := range append(buckets[:], "schema", "generation", "target", keyMode, keyRules, keyRetention, keyLast, keyIdentity, keyBulk) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
	for _, text := range []string{
		fmt.Sprintf("schema %d.", Schema),
		fmt.Sprintf("A mask of %s bytes", map[int]string{3: "three", 4: "four"}[maskSize]),
	} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not hold %q", text)
		}
	}
}
