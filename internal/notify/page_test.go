package notify

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// docs/notify.md shows a whole message, and names every result and every figure.
func TestPageOfMessages(t *testing.T) {
	raw, err := os.ReadFile("../../docs/notify.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	_, example, _ := strings.Cut(page, "```json\n")
	example, _, _ = strings.Cut(example, "```")
	var shown, whole map[string]any
	if err := json.Unmarshal([]byte(example), &shown); err != nil {
		t.Fatal(err)
	}
	message, err := json.Marshal(Message{Run: "01"})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(message, &whole); err != nil {
		t.Fatal(err)
	}
	if got, want := shape(shown), shape(whole); !reflect.DeepEqual(got, want) {
		t.Errorf("the page shows the keys %v, a message has %v", got, want)
	}
	figures, err := os.ReadFile("metrics.prom")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)TYPE (\w+) gauge$`).FindAllStringSubmatch(string(figures), -1)
	for _, result := range []Result{Fine, Changes, Problems} {
		names = append(names, []string{"", string(result)})
	}
	for _, name := range names {
		if !strings.Contains(page, "`"+name[1]+"`") {
			t.Errorf("the page does not name %s", name[1])
		}
	}
	if len(names) < 13 {
		t.Errorf("only %d names", len(names))
	}
}

// shape returns the keys of an object, and those of the objects in it.
func shape(object map[string]any) map[string]any {
	keys := map[string]any{}
	for key, value := range object {
		inner, _ := value.(map[string]any)
		keys[key] = shape(inner)
	}
	return keys
}
