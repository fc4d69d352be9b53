package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

//go:generate go test -run ^Test(Pages|Schema)$ -update .

const (
	pagesPath = "../../docs/configuration"
	keysBegin = "<!-- keys: go generate ./internal/config -->\n"
	keysEnd   = "\n<!-- end of keys -->\n"
)

// The lists of docs/configuration.md and of its pages say what the code says: bounds by the
// tags, defaults by what an empty configuration gives, words by config.example.toml. go generate
// writes them. testdata/examples.toml holds each key with another value.
func TestPages(t *testing.T) {
	schema := newSchema(t)
	index, sections := "", 0
	for f := range reflect.TypeFor[Config]().Fields() {
		section, ok := f.Tag.Lookup("toml")
		if !ok {
			continue
		}
		title := samePage(t, filepath.Join(pagesPath, section+".md"), schema.lists(section, f.Type))
		index += fmt.Sprintf("- [%s](configuration/%[1]s.md): %s\n", section, title)
		sections++
	}
	samePage(t, pagesPath+".md", index)
	pages, err := filepath.Glob(filepath.Join(pagesPath, "*.md"))
	if err != nil || len(pages) != sections {
		t.Errorf("%d pages for %d sections: %v", len(pages), sections, err)
	}
}

// samePage holds the keys of a page against want, or writes it, and returns the part of
// the page's title behind the section.
func samePage(t *testing.T, path, want string) (title string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return ""
	}
	before, rest, begun := strings.Cut(string(page), keysBegin)
	table, after, ended := strings.Cut(rest, keysEnd)
	switch {
	case !begun || !ended:
		t.Errorf("%s has no place for its keys: %q", path, keysBegin+keysEnd)
	case *update:
		err = os.WriteFile(path, []byte(before+keysBegin+want+keysEnd+after), 0o600)
		if err != nil {
			t.Error(err)
		}
	case table != want:
		t.Errorf("%s is not what the code says: run go generate ./internal/config\ngot\n%s\nwant\n%s", path, table, want)
	}
	line, _, _ := strings.Cut(before, "\n")
	_, title, _ = strings.Cut(line, ": ")
	return title
}

// schema is what the lists are made of.
type schema struct {
	*testing.T
	words, examples map[string]string // of each key
	required        map[string]bool
	defaults, shown *Config // of an empty file, and of the examples
}

// keyLine is a key of a file, live or as a comment, its value, and what is said of it.
var keyLine = regexp.MustCompile(`^(?:# )?([a-z_]+) = (.*?)(?:\s+# (.*))?$`)

// keysOf returns values and words of each key of a file.
func keysOf(t *testing.T, path string) (data []byte, values, words map[string]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values, words = map[string]string{}, map[string]string{}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if header, ok := strings.CutPrefix(strings.TrimPrefix(line, "# "), "["); ok {
			section, _, _ = strings.Cut(strings.TrimLeft(header, "["), "]")
		} else if key := keyLine.FindStringSubmatch(line); key != nil {
			name := section + "." + key[1]
			values[name], words[name] = key[2], key[3]
		}
	}
	return data, values, words
}

func newSchema(t *testing.T) *schema {
	t.Helper()
	s := &schema{T: t, required: map[string]bool{}}
	_, _, s.words = keysOf(t, examplePath)
	data, values, _ := keysOf(t, "testdata/examples.toml")
	s.examples = values
	var err error
	s.defaults, err = Parse("sitesync.toml", []byte(`site.start = ["https://default.example/"]`), variables)
	if err != nil {
		t.Fatal(err)
	}
	s.shown, err = Parse("sitesync.toml", without(data, "api_key_file"), variables)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Parse("sitesync.toml", without(data, "api_key"), variables)
	if err != nil {
		t.Fatal(err)
	}
	s.shown.Push.APIKeyFile = file.Push.APIKeyFile
	_, empty := Parse("sitesync.toml", nil, variables)
	for key := range values {
		section, bare := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
		err := empty
		if bytes.Contains(data, []byte("\n[["+section+"]]\n")) {
			_, err = Parse("sitesync.toml", without(data, bare), variables)
		}
		s.required[key] = err != nil && !strings.HasPrefix(values[key], "{") && // a table is asked for by another key
			strings.Contains(err.Error(), " "+key+": is missing")
	}
	return s
}

// variables is what the environment holds of the variables that the pages name.
func variables(name string) string {
	if strings.HasSuffix(name, "_URL") {
		return "https://" + strings.ToLower(strings.TrimSuffix(name, "_URL")) + ".example.com/"
	}
	return "${" + name + "}"
}

// without returns a file without the lines of a key.
func without(data []byte, key string) []byte {
	return regexp.MustCompile(`(?m)^`+key+` = .*\n`).ReplaceAll(data, nil)
}

// lists returns the keys of a section, and those of each section in it.
func (s *schema) lists(section string, of reflect.Type) string {
	var b, inner strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", map[bool]string{true: "`[[" + section + "]]`", false: "`[" + section + "]`"}[of.Kind() == reflect.Slice])
	defaults, shown := at(s.defaults, section), at(s.shown, section)
	if of.Kind() == reflect.Slice {
		of = of.Elem()
		defaults, shown = reflect.Zero(of), shown.Index(0)
	}
	for f := range of.Fields() {
		key, ok := f.Tag.Lookup("toml")
		name := section + "." + key
		switch {
		case !ok:
		case known(name, f.Type) != nil:
			inner.WriteString(s.lists(name, f.Type))
		default:
			s.complete(name, defaults.FieldByIndex(f.Index), shown.FieldByIndex(f.Index))
			fmt.Fprintf(&b, "- `%s`%s: %s\n", key, s.initial(name, defaults.FieldByIndex(f.Index)), limits(sentence(s.words[name]), f))
		}
	}
	return b.String() + inner.String()
}

// complete reports a key that lacks words or an example, and one whose example is its default.
func (s *schema) complete(name string, initial, example reflect.Value) {
	s.Helper()
	if s.words[name] == "" {
		s.Errorf("%s has no comment in %s", name, examplePath)
	}
	if s.examples[name] == "" || reflect.DeepEqual(initial.Interface(), example.Interface()) {
		s.Errorf("%s has no example in testdata/examples.toml, or its default", name)
	}
}

// at returns the value of a section.
func at(c *Config, section string) reflect.Value {
	v := reflect.ValueOf(c).Elem()
	for name := range strings.SplitSeq(section, ".") {
		for f := range v.Type().Fields() {
			if f.Tag.Get("toml") == name {
				v = v.FieldByIndex(f.Index)
				break
			}
		}
	}
	return v
}

// limits returns the bounds of a value behind its words, except those that the words have.
func limits(words string, f reflect.StructField) string {
	low, high := f.Tag.Get("min"), f.Tag.Get("max")
	bounds := ""
	switch {
	case low != "" && high != "":
		bounds = low + " to " + high
	case low != "":
		bounds = "at least " + low
	case high != "":
		bounds = "at most " + high
	}
	if bounds == "" || strings.HasSuffix(words, bounds) {
		return words
	}
	return words + "; " + bounds
}

// initial shows a default as the file would spell it.
func (s *schema) initial(name string, v reflect.Value) string {
	switch value := v.Interface().(type) {
	case Duration:
		return given(`"` + short(time.Duration(value)) + `"`)
	case Size:
		return given(fmt.Sprintf(`"%dMB"`, value/1e6))
	case Sitemaps:
		return given(`"auto"`)
	case *time.Location:
		return given(`"` + value.String() + `"`)
	case Before:
		return ", required"
	case int:
		if !s.fits(name, value) {
			return "" // it has none
		}
		return given(fmt.Sprint(value))
	case bool, float64:
		return given(fmt.Sprint(value))
	case []string:
		if s.required[name] {
			return ", required"
		}
		return given(strings.ReplaceAll(fmt.Sprintf("%q", value), `" "`, `", "`))
	}
	switch {
	case v.Kind() == reflect.Map, v.Kind() == reflect.Slice:
		return ""
	case s.required[name]:
		return ", required"
	}
	return given(`"` + filepath.ToSlash(v.String()) + `"`)
}

// fits reports whether the file may hold a number as the value of a key.
func (s *schema) fits(name string, n int) bool {
	_, err := Parse("sitesync.toml", fmt.Appendf(nil, "site.start = [\"https://www.example.com/\"]\n%s = %d\n", name, n), variables)
	return err == nil
}

// short writes a time with its largest whole unit.
func short(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}} {
		if d > unit.size && d%unit.size == 0 || d == time.Hour && unit.size == time.Hour {
			return fmt.Sprint(int64(d/unit.size)) + unit.name
		}
	}
	return d.String()
}

// given returns a default as code in brackets, "" where it is empty.
func given(value string) string {
	if value == `""` || value == "[]" {
		return ""
	}
	return " (`" + value + "`)"
}

// quoted is what a comment quotes of a configuration.
var quoted = regexp.MustCompile(`\{.*\}|\[.*\]|"[^"]*"|^(true|false)\b`)

// otherPage is a page that a comment names.
var otherPage = regexp.MustCompile(`docs/([a-z-]+\.md)`)

// sentence returns a comment as text of a list.
func sentence(words string) string {
	return otherPage.ReplaceAllString(quoted.ReplaceAllString(words, "`$0`"), "[$1](../$1)")
}
