package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestWriter(t *testing.T) {
	w := &Writer{}
	w.Comment("Its title is %q,\nand\x1b[2J it goes on %s", "a\u202eb", strings.Repeat("x", 300))
	w.Section("site")
	w.Key("start", true, `https://www.example.com/?a="\x`)
	w.Suggest("exclude", true, "/a\nb = 1", "/${HOME}", "/å")
	w.Suggest("include", true, "/${HOME}")
	w.Key("via", false, "${HOME}")
	want := `# Its title is "a\u202eb",\u000Aand\u001B[2J it goes on ` + strings.Repeat("x", 115) + `…` + "\n\n[site]\n" +
		`start = ["https://www.example.com/?a=\"\\x"]` + "\n" + `# exclude = ["/a\u000Ab = 1", "/å"]` + "\n"
	if w.String() != want {
		t.Errorf("got\n%s\nwant\n%s", w, want)
	}
}

// Whatever the site says, the file parses and holds that and nothing more, also
// when the owner makes its suggestions live.
func FuzzWriter(f *testing.F) {
	for _, text := range []string{"main", "\n[push]\nbase_url = \"local\"", "a\"]\nb = [\"", "\\", "\r", "\x00\x7f\u0085\u2028\ufeff", "${HOME}", "\xff", "'''", "😀"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := &Writer{}
		w.Comment("%s", text)
		w.Section("site")
		w.Comment("Its title is %q", text)
		w.Key("one", false, text)
		w.Key("list", true, "/safe", text)
		w.Suggest("suggested", true, "/safe", text)
		w.Comment("%s", text)
		valid := string([]rune(text))
		site := map[string]any{"one": valid, "list": []any{"/safe", valid}}
		if strings.Contains(text, "${") {
			site = map[string]any{"list": []any{"/safe"}}
		}
		same := func(file string) {
			var got map[string]any
			if err := toml.Unmarshal([]byte(file), &got); err != nil || !reflect.DeepEqual(got, map[string]any{"site": site}) {
				t.Errorf("%q: %v, %q of\n%s", text, err, got, file)
			}
		}
		same(w.String())
		site["suggested"] = site["list"]
		same(strings.Replace(w.String(), "\n# suggested = ", "\nsuggested = ", 1))
	})
}
