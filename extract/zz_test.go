package extract

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/document"
)

func TestZZDet(t *testing.T) {
	files, _ := filepath.Glob("/tmp/revh/p/*.html")
	more, _ := filepath.Glob("testdata/corpus/*.html")
	files = append(files, more...)
	e := newExtractor(t, Options{})
	var want []document.Draft
	var src []string
	for _, f := range files {
		b, _ := os.ReadFile(f)
		src = append(src, string(b))
		d, err := newExtractor(t, Options{}).Read(htmlPage(t, testURL, string(b)))
		if err != nil {
			t.Fatal(f, err)
		}
		want = append(want, d)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 3 * len(src) {
				k := (i*(2*g+1) + g*7) % len(src)
				p := htmlPage(t, testURL, src[k])
				before := render(t, p.Root)
				d, err := e.Read(p)
				if err != nil || !reflect.DeepEqual(d, want[k]) {
					t.Error("differs", files[k], err)
				}
				if render(t, p.Root) != before {
					t.Error("mutated")
				}
			}
		})
	}
	wg.Wait()
}

func TestZZHostile(t *testing.T) {
	art := `<html><head>` + saysArticle + `</head><body><main>`
	para := prose
	rows := map[string]string{
		"9k paragraphs":    art + strings.Repeat(para, 3000),
		"spans":            art + para + strings.Repeat("<p>"+strings.Repeat("<span>a, b</span>", 80)+"</p>", 100),
		"nested 99":        art + strings.Repeat("<div>"+para, 90),
		"br":               art + strings.Repeat("aaaa, bb<br><br>", 3000),
		"text one node":    art + "<p>" + strings.Repeat("words, and more ", 200000),
		"long class":       art + strings.Repeat(`<div class="`+strings.Repeat("share-x ", 300)+`">`+para+`</div>`, 1000),
		"long style":       art + `<p style="` + strings.Repeat("a ", 1<<20) + `none">x</p>` + strings.Repeat(para, 20),
		"tables":           art + strings.Repeat("<table><tr><td>"+para, 90),
		"links":            art + strings.Repeat(para+`<a href=/x>aaa</a>`, 2000),
		"slug ids":         art + strings.Repeat(`<section id="related"><h2>`+strings.Repeat("x", 1000)+"</h2>", 500),
		"slug ids deep":    art + strings.Repeat(`<section id="related">`, 500) + "<h2>" + strings.Repeat("<b>x</b>", 4000) + "</h2>",
		"buttons":          art + strings.Repeat(`<button class="accordion" aria-controls="`+strings.Repeat("a ", 500)+`">q</button>`, 2000),
		"comments buttons": art + strings.Repeat(`<button class="accordion"></button>`+strings.Repeat("<!--x-->", 1), 1) + strings.Repeat("<button class=accordion></button><!-- -->", 20000),
		"one-parent texts": art + strings.Repeat("x<b></b>", 200000),
		"headings":         art + strings.Repeat("<h2>aa</h2>"+para, 1500),
		"asides":           art + strings.Repeat("<aside>x</aside>\n<!-- -->", 30000),
		"distinct":         func() string { var b strings.Builder; b.WriteString(art); for i := range 3000 { fmt.Fprintf(&b, "<div>short %d</div>", i) }; b.WriteString(strings.Repeat(para, 1500)); return b.String() }(),
		"asides2":          art + "<div>" + strings.Repeat("<!--x-->", 1) + strings.Repeat("<aside></aside>"+strings.Repeat("<!--c-->", 1), 20000),
		"whitespaceasides": art + strings.Repeat("<!-- -->", 30000) + strings.Repeat("<aside></aside>", 3000),
		"interleave":       art + strings.Repeat("<aside></aside>", 2) + func() string { return strings.Repeat("<!--a--><!--b--><!--c-->", 10000) }() + strings.Repeat("<aside></aside>", 3000),
	}
	e := newExtractor(t, Options{})
	for name, s := range rows {
		p := htmlPage(t, testURL, s)
		start := time.Now()
		d, err := e.Read(p)
		t.Logf("%-18s %8d B %v blocks %d err %v", name, len(s), time.Since(start), len(d.Blocks), err)
	}
}
