package extract

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/extract/field"
	"sitesync/extract/markup"
	"sitesync/extract/rule"
	"sitesync/internal/document"
)

func in(part string) Where {
	return Where{Patterns: []string{part}, Match: func(url string) bool { return strings.Contains(url, part) }}
}

// Rules win over the defaults, earlier rules over later ones, and what gives
// nothing changes nothing.
func TestRulesAndDefaults(t *testing.T) {
	fields := func(fields ...Field) Options { return Options{Fields: fields, Description: "content"} }
	table := []struct {
		name    string
		options Options
		field   string
		want    string
	}{
		{"title", fields(Field{Name: "Title", From: []string{"css:title"}}), "Title", "Item 7 - Shop"},
		{"title that is not there", fields(Field{Name: "Title", From: []string{"css:h6"}}), "Title", "Item 7"},
		{"description over content", fields(Field{Name: "Description", From: []string{"css:.ask"}}), "Description", "on request"},
		{"date is a day", fields(Field{Name: "Date", From: []string{"css:.when", "css:time@datetime"}}), "Date", "2024/03/04"},
		{"date is one day", Options{Multi: "join:; ", Fields: []Field{{Name: "Date", From: []string{"css:.list"}, Transform: []string{"replace:/^.*$/2024-03-04/"}}}}, "Date", "2024/03/04"},
		{"date by layout is a day", fields(Field{Name: "Date", From: []string{"css:.when"}, Transform: []string{"date:D. MMMM YYYY"}}), "Date", "2024/03/03"},
		{"content", fields(Field{Name: "Content", From: []string{"css:.price"}, Transform: []string{"all:\n\n"}}), "Content", "kr. 1.234,50\nkr. 99,-"},
		{"first source", fields(Field{Name: "X", From: []string{"css:.none", "path:1", "const:no"}}), "X", "shop"},
		{"first rule", fields(Field{Name: "X", From: []string{"const:a"}}, Field{Name: "X", From: []string{"const:b"}}), "X", "a"},
		{"a rule for elsewhere", fields(Field{Name: "X", From: []string{"const:a"}, Where: in("/news/")}, Field{Name: "X", From: []string{"const:b"}, Where: in("/shop/")}), "X", "b"},
		{"the second gives what is required", fields(Field{Name: "X", From: []string{"css:h6"}, Required: true}, Field{Name: "X", From: []string{"const:b"}}), "X", "b"},
		{"required elsewhere", fields(Field{Name: "X", From: []string{"css:h6"}, Required: true, Where: in("/news/")}), "X", ""},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			e := newExtractor(t, row.options)
			p := richSource(t)
			d, err := e.Read(p)
			if err != nil {
				t.Fatal(err)
			}
			doc := e.Finish(d, p.URL, document.Profile{})
			if got := doc.Fields[row.field]; got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
			if row.field == "Content" && e.Sum(p, d) != document.HashOf(row.want) {
				t.Error("the content hash is of another content")
			}
		})
	}
}

func TestRequiredFieldMissing(t *testing.T) {
	e := newExtractor(t, Options{Fields: []Field{{Name: "Title", From: []string{"css:h6"}, Required: true}}})
	_, err := e.Read(richSource(t))
	for _, part := range []string{richURL, `extract.field "Title" is required`, "mend the page"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %q in it", err, part)
		}
	}
}

// Each fault names its key: the configuration has looked at all of them before.
func TestFaults(t *testing.T) {
	for want, o := range map[string]Options{
		`extract.content: read CSS selector "main >"`:        {Content: "main >"},
		`extract.exclude[1]: read CSS selector "p:nope"`:     {Exclude: []string{"p", "p:nope"}},
		`extract.section[1].content: read CSS selector "c["`: {Sections: []Section{{Exclude: []string{"b"}}, {Content: "c["}}},
		`extract.field "Price": "path:0" must count`:         {Fields: []Field{{Name: "Price", From: []string{"css:h1", "path:0"}}}},
		`extract.field "Price": "up" must begin with all:`:   {Fields: []Field{{Name: "Price", From: []string{"css:h1"}, Transform: []string{"trim", "up"}}}},
	} {
		if _, err := New(o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The fingerprint of a URL moves with the rules for it, and with no others.
func TestFingerprintOfRules(t *testing.T) {
	const here, there = "https://www.example.com/shop/a", "https://www.example.com/news/a"
	base := Field{Name: "X", From: []string{"path:1"}, Where: in("/shop/")}
	changes := map[string]func(f *Field, o *Options){
		"name":      func(f *Field, _ *Options) { f.Name = "Y" },
		"from":      func(f *Field, _ *Options) { f.From = []string{"path:2"} },
		"transform": func(f *Field, _ *Options) { f.Transform = []string{"map"} },
		"map":       func(f *Field, _ *Options) { f.Map = map[string]string{"a": "b"} },
		"required":  func(f *Field, _ *Options) { f.Required = true },
		"multi":     func(_ *Field, o *Options) { o.Multi = "join:; " },
		"where":     func(f *Field, _ *Options) { f.Where = in("/none/") },
		"twice":     func(f *Field, o *Options) { o.Fields = append(o.Fields, *f) },
	}
	plain := newExtractor(t, Options{})
	before := newExtractor(t, Options{Fields: []Field{base}})
	if plain.Rules(there, nil) != before.Rules(there, nil) || plain.Rules(here, nil) == before.Rules(here, nil) {
		t.Error("a new rule moves another URL's fingerprint, or not its own")
	}
	for name, change := range changes {
		field, o := base, Options{}
		change(&field, &o)
		o.Fields = append(o.Fields, field)
		after := newExtractor(t, o)
		if after.Rules(here, nil) == before.Rules(here, nil) || after.Rules(there, nil) != before.Rules(there, nil) {
			t.Errorf("%s: the wrong fingerprints move", name)
		}
	}
}

// For explain every source is tried; what wins is what Read takes.
func TestRuleTrace(t *testing.T) {
	e := newExtractor(t, Options{Fields: []Field{
		{Name: "X", From: []string{"css:h6", "path:1", "const:c"}},
		{Name: "X", From: []string{"const:d"}},
		{Name: "Title", From: []string{"css:.price"}, Transform: []string{"number"}},
	}})
	trace := []Attempt{{Field: "Title", Source: "h1", Value: "Item 7", Won: true}, {Field: "Category", Source: "breadcrumb", Value: "Bøger", Won: true}}
	p := richSource(t)
	ruled, err := (&field.Evidence{Page: p, Found: &markup.Found{}, Trace: &trace}).Apply(e.fields, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []Attempt{
		{Field: "X", Source: "css:h6", Value: "", Won: false}, {Field: "X", Source: "path:1", Value: "shop", Won: true}, {Field: "X", Source: "const:c", Value: "c", Won: false}, {Field: "X", Source: "const:d", Value: "d", Won: false},
		{Field: "Title", Source: "css:.price", Value: "1234.50", Won: true},
		{Field: "Title", Source: "h1", Value: "Item 7", Won: false}, {Field: "Category", Source: "breadcrumb", Value: "Bøger", Won: true},
	}
	if got := fmt.Sprint(trace); got != fmt.Sprint(want) || fmt.Sprint(ruled) != "map[Title:1234.50 X:shop]" {
		t.Errorf("got %s and %v", got, ruled)
	}
}

// No page makes a rule take more than its bounds.
func TestRuleBounds(t *testing.T) {
	many := strings.Repeat("<p class=x>"+strings.Repeat("y", 2*maxValue)+"</p>", 3) + strings.Repeat("<i>z</i>", 1000)
	deep := `<script type="application/ld+json">{"name":` + strings.Repeat("[", 3000) + `"n"` + strings.Repeat("]", 3000) + `,"many":[` + strings.Repeat(`1,`, 5000) + `1]}</script>`
	table := []struct {
		from, transform string
		least, most     int
	}{
		{"css:.x", "all:", 3 * maxValue, 3 * maxValue},
		{"css:i", "all:", maxValues, maxValues},
		{"css:.x", "replace:/y/yyyyyyyyyy/", maxValue, maxValue},
		{"jsonld:name", "first", 0, 0},
		{"jsonld:many", "all:", maxValues, maxValues},
	}
	for _, row := range table {
		e := newExtractor(t, Options{Fields: []Field{{Name: "X", From: []string{row.from}, Transform: []string{row.transform}}}})
		d, err := e.Read(htmlPage(t, testURL, deep+many))
		if n := len(d.Ruled["X"]); n < row.least || n > row.most || err != nil {
			t.Errorf("%s: %d bytes, %v", row.from, n, err)
		}
	}
}

// FuzzRule holds that what parses is written back as it was read and can be
// evaluated, and that no value comes out with what a field may not hold.
func FuzzRule(f *testing.F) {
	for _, seed := range [][2]string{
		{"css:p, [itemprop=price]@content", "all:, "}, {"jsonld:Product/offers.price", "number"}, {"microdata:Person/name", "max:3"},
		{"css:.when", "date:D. MMMM YYYY|YYYY-MM-DD"}, {"url:/v([0-9]+)/", "replace:/2/$0$$/"}, {"const:a\x00b\nc", "trim"}, {"header:x-section", "map"},
		{"path:-1", "lower"}, {"breadcrumb:1", "first"}, {"link-text", "date"}, {"og:image", "replace:#^#$0\x1b#"},
	} {
		f.Add(seed[0], seed[1])
	}
	p := richSource(f)
	f.Fuzz(func(t *testing.T, source, transform string) {
		_, err := rule.ParseSource(source)
		_, trErr := rule.ParseTransform(transform)
		e, newErr := New(Options{Multi: "join:|", Fields: []Field{{Name: "X", From: []string{source}, Transform: []string{transform}, Map: map[string]string{"2": "two"}}}})
		if (newErr == nil) != (err == nil && trErr == nil) {
			t.Fatalf("New says %v, the parsers %v and %v", newErr, err, trErr)
		}
		if newErr != nil {
			return
		}
		d, err := e.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		value := d.Ruled["X"]
		for line := range strings.SplitSeq(value, "\n") {
			if markup.Clean(line) != line {
				t.Errorf("the value is not clean: %q", value)
			}
		}
		if again, _ := e.Read(p); again.Ruled["X"] != value {
			t.Errorf("another value the second time: %q, %q", value, again.Ruled["X"])
		}
	})
}
