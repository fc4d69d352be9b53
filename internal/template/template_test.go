package template

import (
	"errors"
	std "html/template"
	"iter"
	"strings"
	"testing"
	text "text/template"
	"time"

	"golang.org/x/net/html"
)

type word string

type inner struct{ N int }

type page struct {
	Name  string
	Word  word
	List  []inner
	None  []string
	Map   map[string]string
	Any   any
	Inner *inner
	Nil   *inner
	Seq   iter.Seq2[string, error]
	When  time.Duration
	On    bool
}

var sample = page{
	Name: "bees & wasps", Word: "wasp", List: []inner{{1}, {0}, {3}}, Map: map[string]string{"b": "2", "a": "1"}, Any: map[string]any{"x": 4}, Inner: &inner{7},
	Seq: func(yield func(string, error) bool) { _ = yield("one", nil) && yield("two", nil) }, When: time.Minute, On: true,
}

var funcs = map[string]any{
	"upper": strings.ToUpper, "sum": func(n inner, more ...int) int { return n.N + len(more) }, "share": func(f float64) float64 { return f / 2 },
	"fail": func(err error) (string, error) { return "", err }, "fault": func() error { return errors.New("it ends here") },
}

// TestLanguage: what templates of the project are written in gives what text/template gives.
func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		`{{.Name}} {{.Word}} {{.Inner.N}} {{.Any.x}} {{.Map.a}} {{.When}} {{.On}} {{"é"}} {{12}} {{true}}`,
		`{{if .On}}on{{else}}off{{end}}{{if .None}}some{{else if .Nil}}nil{{else}}none{{end}}{{if not .Inner}}no{{end}}`,
		`{{with .Inner}}{{.N}}{{$.Name}}{{end}}{{with .Nil}}{{.N}}{{else}}nothing{{end}}{{with $n := .Name}}{{$n}}{{end}}`,
		`{{range .List}}{{.N}},{{end}}{{range $i, $v := .List}}{{$i}}={{$v.N}} {{end}}{{range $v := .List}}{{$v.N}}{{end}}{{range .None}}x{{else}}empty{{end}}`,
		`{{range $k, $v := .Map}}{{$k}}{{$v}}{{end}}{{range .Map}}{{.}}{{end}}{{range $v, $err := .Seq}}{{fail $err}}{{$v}};{{end}}`,
		`{{$x := "a"}}{{if .On}}{{$x = "b"}}{{$y := 1}}{{$y}}{{end}}{{$x}}{{define "row"}}[{{.}}{{with $}}{{.}}{{end}}]{{end}}{{template "row" .Name}}{{template "row" 3}}`,
		`{{upper .Name}}{{sum .Inner}}{{sum .Inner 1 2}}{{share 3}}{{range .List}}{{sum .}}{{end}}`,
		`{{eq .Word "wasp"}}{{eq .Inner.N 1 7}}{{ne .Name "x"}}{{lt 1 2}}{{gt .Inner.N 7}}{{ge .Inner.N 7}}{{len .List}}{{len .Name}}{{index .Map "b"}}`,
		`{{and .Name .On}}{{and .On .None .Name}}{{or .None .Name}}{{or "" 0}}{{not .Map}}{{print .Name 1 2 "x"}}{{printf "%-5s|%03d" .Word .Inner.N}}`,
		"a {{- /* why */ -}} b\n{{- range .List}}\n\t{{.N}}\n{{- end}}\n",
	} {
		var got, want strings.Builder
		if err := text.Must(text.New("").Funcs(funcs).Parse(source)).Execute(&want, &sample); err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if err := Must(Text(source, funcs, nil)).Execute(&got, &sample); err != nil || got.String() != want.String() {
			t.Errorf("%s: %v\ngot  %q\nwant %q", source, err, got.String(), want.String())
		}
	}
	var got strings.Builder
	if err := Must(Text(`{{range .List}}{{of .}}{{end}}`, Funcs{"of": func(n *inner) int { return n.N }}, nil)).Execute(&got, &sample); err != nil || got.String() != "103" {
		t.Errorf("a function takes the address of what has one: %q, %v", got.String(), err)
	}
	got.Reset()
	if err := Must(Text(`{{$x := .Name}}<{{$x}}>`, nil, strings.ToUpper)).Execute(&got, &sample); err != nil || got.String() != "<BEES & WASPS>" {
		t.Errorf("every value goes through clean, and no other text: %q, %v", got.String(), err)
	}
}

// TestFaults: a template that asks for what there is not, or that would write a value where
// it is more than text, is an error that names the place.
func TestFaults(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`{{.Other}}`: "has no field Other", `{{.Nil.N}}`: "nothing has the field N", `{{.When.Seconds}}`: "nothing has the field Seconds", `{{template "x"}}`: `no template "x"`,
		`{{upper}}`: "takes 1 value", `{{upper .Name .Name}}`: "takes 1 value", `{{upper .On}}`: "bool is no string", `{{.Name | upper}}`: "several commands", `{{.Name 1}}`: "is no function",
		`{{fail fault}}`: "it ends here", `{{range .List}}{{break}}{{end}}`: "not part of this language", `{{1.5}}`: "not part of this language",
		`<a {{.Name}}>`: "double quotes", `<a href={{.Name}}>`: "double quotes", `<a href='{{.Name}}'>`: "double quotes", `<{{.Name}}>`: "double quotes", `<!-- {{.Name}} -->`: "double quotes",
		`<a ONCLICK="{{.Name}}">`: "no value stands in onclick", `<p style="{{.Name}}">`: "no value stands in style", `<iframe srcdoc="{{.Name}}">`: "no value stands in srcdoc",
		`<object data="{{.Name}}">`: "no value stands in data", `<video poster="{{.Name}}">`: "no value stands in poster",
		`<script>if (a<b && c>d) {{.Name}}</script>`: "in script", `<style>a>b{{.Name}}</style>`: "in style",
		`<script>{{.Name}}</script>`: "in script", `<style media="print">{{.Name}}</style>`: "in style", `<Script defer>{{.Name}}`: "in script",
	} {
		var got strings.Builder
		page, err := HTML(source, funcs)
		if err == nil {
			err = page.Execute(&got, &sample)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: wrote %q, %v; no %q", source, got.String(), err, want)
		}
	}
}

// places is a page with a value in each place where a value may stand.
const places = `<!doctype html><title>{{.}}</title><body class="a {{.}}" data-open="{{.}}"><textarea>{{.}}</textarea><p id="{{.}}">{{.}}<b>{{.}}</b>
<a href="{{.}}">{{.}}</a> <a href="#{{.}}">x</a> <a href="/why?url={{.}}&amp;q={{.}}">x</a> <a href="/plan/{{.}}">x</a><form action="{{.}}"><input value="{{.}}"></form>
<img src="{{.}}" alt="{{.}}">{{if .}}<i title="{{.}}" hidden>{{end}}{{with .}}<script src="/app.js" defer></script>{{.}}{{end}}`

// FuzzHTML: whatever a value is, a page is what html/template makes of it, byte for byte, and
// has the same elements and attributes as with a plain word.
func FuzzHTML(f *testing.F) {
	for _, value := range []string{
		"plain", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)' x='`, `</title></textarea></style><svg onload=alert(1)>`, "javascript:alert(1)",
		" \tjava\nscript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "mailto:a@example.com", "HTTPS://www.example.com/?a=b&c=d#e+f", "//evil.example/", "/a b/é?q=%20%zz%",
		"{{.}}", "\x00\xff\u202e", "a:b/c", "--><!--", "&lt;&#60;", "", "`${x}`", "\\u003cscript\\u003e", "http://a'b(c)",
	} {
		f.Add(value)
	}
	page := Must(HTML(places, nil))
	measure := std.Must(std.New("").Parse(places))
	shape := func(t *testing.T, page string) (all []string) {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for node := range root.Descendants() {
			if node.Type != html.TextNode {
				all = append(all, node.Data)
			}
			for _, a := range node.Attr {
				all = append(all, a.Key)
				if scheme, _, has := strings.Cut(strings.TrimSpace(a.Val), ":"); has && (a.Key == "href" || a.Key == "src" || a.Key == "action") && !strings.ContainsAny(scheme, "/#?") {
					if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" && scheme != "mailto" {
						t.Errorf("%s leads to %s", a.Key, a.Val)
					}
				}
			}
		}
		return all
	}
	f.Fuzz(func(t *testing.T, value string) {
		var got, want, plain strings.Builder
		err := errors.Join(page.Execute(&got, value), measure.Execute(&want, value))
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(want.String(), "#ZgotmplZ", "#unsafe"); got.String() != want && !strings.Contains(value, "ZgotmplZ") {
			t.Errorf("got\n%s\nwant\n%s", got.String(), want)
		}
		if value == "" {
			return // the last parts are left out
		}
		if err := page.Execute(&plain, "plain"); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(shape(t, got.String()), " "), strings.Join(shape(t, plain.String()), " "); got != want {
			t.Errorf("the page has other elements:\n%s\n%s", got, want)
		}
	})
}

// TestRaw: the program's own text is written as it is between tags, and as a value inside of
// one.
func TestRaw(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	page := Must(HTML(`<style>{{.}}</style><p title="{{.}}">{{.}}</p>`, nil))
	if err := page.Execute(&got, Raw(`a>b{}"`)); err != nil || got.String() != `<style>a>b{}"</style><p title="a&gt;b{}&#34;">a>b{}"</p>` {
		t.Errorf("%q, %v", got.String(), err)
	}
}
