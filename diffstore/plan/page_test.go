package plan

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// docs/plan-file.md names every member, every key of the header, of a change and of the
// smaller lines, and the version.
func TestPageOfTheFormat(t *testing.T) {
	raw, err := os.ReadFile("../../docs/plan-file.md")
	if err != nil {
		t.Fatal(err)
	}
	names := members[:]
	for _, of := range []reflect.Type{reflect.TypeFor[document.PlanHeader](), reflect.TypeFor[document.Change](), reflect.TypeFor[document.Move](), reflect.TypeFor[changeLine]()} {
		for f := range of.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && name != "doc" { // which is a line of its own
				names = append(names, name)
			}
		}
	}
	page := string(raw)
	for _, name := range names {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
	if version := fmt.Sprintf("- `version`: %d,", Version); !strings.Contains(page, version) {
		t.Errorf("the page does not hold %q", version)
	}
}
