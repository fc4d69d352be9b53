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
	"unicode"
)

//go:generate go test -run ^Test(Pages|Schema)$ -update .

const (
	pagesPath = "../../docs/configuration"
	keysBegin = "<!-- keys: go generate ./internal/config -->\n"
	keysEnd   = "\n<!-- end of keys -->\n"
)

// The tables of docs/configuration.md and of its pages say what the code says: types and
// bounds by the tags, defaults by what an empty configuration gives, words by
// config.example.toml, examples by testdata/examples.toml. go generate writes them.
func TestPages(t *testing.T) {
	schema := newSchema(t)
	index := "| section | about |\n|---|---|\n"
	for f := range reflect.TypeFor[Config]().Fields() {
		section, ok := f.Tag.Lookup("toml")
		if !ok {
			continue
		}
		title := samePage(t, filepath.Join(pagesPath, section+".md"), schema.tables(section, f.Type))
		index += fmt.Sprintf("| [%s](configuration/%[1]s.md) | %s |\n", section, title)
	}
	samePage(t, pagesPath+".md", index)
	pages, err := filepath.Glob(filepath.Join(pagesPath, "*.md"))
	if err != nil || len(pages) != strings.Count(index, "\n")-2 {
		t.Errorf("%d pages for %d sections: %v", len(pages), strings.Count(index, "\n")-2, err)
	}
}

// samePage holds the table of a page against want, or writes it, and returns the part of
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

// schema is what the tables are made of.
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
	s.defaults, err = parse("sitesync.toml", []byte(`site.start = ["https://default.example/"]`), variables)
	if err != nil {
		t.Fatal(err)
	}
	s.shown, err = parse("sitesync.toml", without(data, "api_key_file"), variables)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parse("sitesync.toml", without(data, "api_key"), variables)
	if err != nil {
		t.Fatal(err)
	}
	s.shown.Push.APIKeyFile = file.Push.APIKeyFile
	_, empty := parse("sitesync.toml", nil, variables)
	for key := range values {
		section, bare := key[:strings.LastIndexByte(key, '.')], key[strings.LastIndexByte(key, '.')+1:]
		err := empty
		if bytes.Contains(data, []byte("\n[["+section+"]]\n")) {
			_, err = parse("sitesync.toml", without(data, bare), variables)
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

// tables returns the tables of a section: one, and one for each section in it.
func (s *schema) tables(section string, of reflect.Type) string {
	var b, inner strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n| key | meaning | value | default | example |\n|---|---|---|---|---|\n", map[bool]string{true: "`[[" + section + "]]`", false: "`[" + section + "]`"}[of.Kind() == reflect.Slice])
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
			inner.WriteString(s.tables(name, f.Type))
		default:
			s.complete(name, defaults.FieldByIndex(f.Index), shown.FieldByIndex(f.Index))
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", key, sentence(s.words[name]), s.kind(name, f), s.initial(name, defaults.FieldByIndex(f.Index)), cell(s.examples[name]))
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

// nouns names what the tag "is" asks for, of one and of many.
var nouns = map[string][2]string{
	"": {"text", "texts"}, "filled": {"text", "texts"}, "header": {"text", "texts"}, "user": {"text", "texts"}, "agent": {"text", "texts"},
	"address": {"address", "addresses"}, "mail": {"mail address", "mail addresses"}, "origin": {"origin", "origins"}, "host": {"host", "hosts"},
	"host:port": {"host and port", ""}, "proxy": {"address or `\"env\"`", ""}, "base": {"address or `\"local\"`", ""},
	"pattern": {"pattern", "patterns"}, "selector": {"CSS selector", "CSS selectors"}, "param": {"parameter", "parameters"}, "id": {"ID", "IDs"},
	"field": {"name of a field", ""}, "source": {"source", "sources"}, "transform": {"transform", "transforms"}, "between": {"", "pairs of words"},
	"header name": {"header", ""}, "schedule": {"crontab fields", ""}, "multi": {"`\"first\"` or `\"join:…\"`", ""},
}

// noun returns the words for a tag; choices are listed.
func (s *schema) noun(is string, many int) string {
	is = strings.TrimSuffix(is, " or empty")
	if strings.Contains(is, "|") {
		choices := strings.Split(is, "|")
		last := len(choices) - 1
		return "`\"" + strings.Join(choices[:last], "\"`, `\"") + "\"` or `\"" + choices[last] + "\"`"
	}
	word := nouns[is][many]
	if word == "" {
		s.Errorf("no noun for the tag is:%q", is)
	}
	return word
}

// kind says what a value must be.
func (s *schema) kind(name string, f reflect.StructField) string {
	low, high := f.Tag.Get("min"), f.Tag.Get("max")
	bounds := ""
	switch {
	case low != "" && high != "":
		bounds = ", " + low + " to " + high
	case low != "":
		bounds = ", at least " + low
	case high != "":
		bounds = ", at most " + high
	}
	if s.required[name] {
		bounds += ", required"
	}
	kinds := map[reflect.Type]string{
		reflect.TypeFor[bool](): "true or false", reflect.TypeFor[int](): "whole number", reflect.TypeFor[float64](): "share, 0 to 1",
		reflect.TypeFor[Duration](): "time", reflect.TypeFor[Size](): "size", reflect.TypeFor[Before](): "age or day", reflect.TypeFor[*time.Location](): "time zone",
		reflect.TypeFor[Sitemaps](): "`\"auto\"`, `\"off\"` or list of addresses", reflect.TypeFor[[]Network](): "list of networks",
	}
	if kind, ok := kinds[f.Type]; ok {
		return kind + bounds
	}
	switch f.Type.Kind() {
	case reflect.String:
		return s.noun(f.Tag.Get("is"), 0) + bounds
	case reflect.Slice:
		return "list of " + s.noun(f.Tag.Get("is"), 1) + bounds
	case reflect.Map:
		return "table: " + s.noun(f.Tag.Get("key"), 0) + " to " + s.noun(f.Tag.Get("is"), 0) + bounds
	}
	s.Errorf("%s: no words for the type %s", name, f.Type)
	return ""
}

// initial shows a default as the file would spell it.
func (s *schema) initial(name string, v reflect.Value) string {
	switch value := v.Interface().(type) {
	case Duration:
		return cell(`"` + short(time.Duration(value)) + `"`)
	case Size:
		return cell(fmt.Sprintf(`"%dMB"`, value/1e6))
	case Sitemaps:
		return cell(`"auto"`)
	case *time.Location:
		return cell(`"` + value.String() + `"`)
	case Before:
		return "–"
	case int:
		if !s.fits(name, value) {
			return "–" // it has none
		}
		return cell(fmt.Sprint(value))
	case bool, float64:
		return cell(fmt.Sprint(value))
	case []string:
		if s.required[name] {
			return "–"
		}
		return cell(strings.ReplaceAll(fmt.Sprintf("%q", value), `" "`, `", "`))
	}
	switch {
	case v.Kind() == reflect.Map:
		return cell("{}")
	case v.Kind() == reflect.Slice:
		return cell("[]")
	case s.required[name]:
		return "–"
	}
	return cell(`"` + filepath.ToSlash(v.String()) + `"`)
}

// fits reports whether the file may hold a number as the value of a key.
func (s *schema) fits(name string, n int) bool {
	_, err := parse("sitesync.toml", fmt.Appendf(nil, "site.start = [\"https://www.example.com/\"]\n%s = %d\n", name, n), variables)
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

// cell returns a value as code of a table.
func cell(value string) string { return "`" + strings.ReplaceAll(value, "|", `\|`) + "`" }

// quoted is what a comment quotes of a configuration.
var quoted = regexp.MustCompile(`\{.*\}|\[.*\]|"[^"]*"|^(true|false)\b`)

// otherPage is a page that a comment names.
var otherPage = regexp.MustCompile(`docs/([a-z-]+\.md)`)

// sentence returns a comment as text of a table, with a capital letter first.
func sentence(words string) string {
	words = strings.ReplaceAll(quoted.ReplaceAllString(words, "`$0`"), "|", `\|`)
	words = otherPage.ReplaceAllString(words, "[$1](../$1)")
	runes := []rune(words)
	if len(runes) > 0 {
		runes[0] = unicode.ToUpper(runes[0])
	}
	return string(runes)
}
