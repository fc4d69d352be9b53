package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestWritten(t *testing.T) {
	got := Comment("Its title is %q,\nand\x1b[2J it goes on %s", "a\u202eb", strings.Repeat("x", 300)) +
		Key("start", []string{`https://www.example.com/?a="\x`}) + Key("exclude", []string{"/a\nb = 1", "/${HOME}", "/å"}) +
		Key("include", []string{"/${HOME}"}) + Key("via", "${HOME}")
	want := `# Its title is "a\u202eb",\u000Aand\u001B[2J it goes on ` + strings.Repeat("x", 115) + `…` + "\n" +
		`start = ["https://www.example.com/?a=\"\\x"]` + "\n" + `exclude = ["/a\u000Ab = 1", "/å"]` + "\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whatever the site says, the file parses and holds that and nothing more, also
// when the owner makes its suggestions live.
func FuzzWritten(f *testing.F) {
	for _, text := range []string{"main", "\n[push]\nbase_url = \"local\"", "a\"]\nb = [\"", "\\", "\r", "\x00\x7f\u0085\u2028\ufeff", "${HOME}", "\xff", "'''", "😀"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := Comment("%s", text) + "\n[site]\n" + Comment("Its title is %q", text) +
			Key("one", text) + Key("list", []string{"/safe", text}) + "# " + Key("suggested", []string{"/safe", text}) + Comment("%s", text)
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
		same(file)
		site["suggested"] = site["list"]
		same(strings.Replace(file, "\n# suggested = ", "\nsuggested = ", 1))
	})
}
