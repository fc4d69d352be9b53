package profile_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/extract/markup"
	"sitesync/extract/profile"
	"sitesync/internal/document"
)

// A generated site has words of its template in capitals, and words of its content in
// small letters, so that what becomes of either can be counted.

type sitePage struct{ url, html string }

// siteStyle is how a site lays out its pages: %[1]s is the title, %[2]s the name of
// the part of the site, %[3]s its menu, %[4]s the content, %[5]d the page's number.
type siteStyle struct{ name, page string }

var siteStyles = []siteStyle{
	{"tables", `<html><head><title>%[1]s - BOROUGH COUNCIL</title></head><body bgcolor=white><table><tr><td colspan=3><font size=5>BOROUGH COUNCIL OF EXAMPLE</font><br>
<a href=/>HOME</a> | <a href=/a>COUNCIL</a> | <a href=/b>SERVICES</a> | <a href=/c>CONTACT</a></td></tr><tr><td><table>%[3]s</table></td>
<td><font size=4><b>%[1]s</b></font><br><br>%[4]s</td><td><p>OPENING HOURS</p><p>MONDAY TO FRIDAY NINE TO FOUR</p><p>NEWSLETTER SUBSCRIBE HERE</p></td></tr>
<tr><td colspan=3>TOWN HALL SQUARE ONE, TELEPHONE FIVE FIVE FIVE<br><br>COPYRIGHT BOROUGH COUNCIL, ALL RIGHTS RESERVED, BEST VIEWED WITH ANY BROWSER</td></tr></table></body></html>`},
	{"divs", `<html><head><title>BRAND :: %[1]s</title><meta name=description content="BRAND MAKES EVERYTHING FOR EVERYBODY"></head><body><div class=q1><div>BRAND</div><div class=q2><ul>%[3]s</ul></div>
<div>CALL US TODAY ON FREEPHONE</div></div><div class=q4><h1>%[1]s</h1>%[4]s<div>PRINT THIS PAGE</div><div>SEND TO A FRIEND</div><div>UPDATED %[5]d</div></div>
<div class=q7><h3>WHY BRAND</h3><p>THIRTY YEARS OF SERVICE TO ALL OUR CUSTOMERS, IN EVERY TOWN OF THE COUNTRY AND BEYOND, AT PRICES THAT NOBODY BEATS, WITH A SMILE.</p>
<p>DELIVERY IN TWO DAYS</p><ul><li>TERMS</li><li>PRIVACY</li><li>COOKIES</li></ul></div></body></html>`},
	{"semantic", `<html><head><title>%[1]s | %[2]s | PORTAL</title><meta property=og:title content=PORTAL></head><body><header><nav>%[3]s</nav></header><main><p>YOU ARE IN %[2]s</p><h1>%[1]s</h1>%[4]s
<h2>WAS THIS PAGE HELPFUL</h2><p>YES</p><p>NO</p><p>TELL US WHAT YOU WERE LOOKING FOR AND DID NOT FIND</p></main><footer><p>PORTAL OF THE AGENCY</p></footer></body></html>`},
}

// words writes pseudo-words, common ones more often.
func words(random *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		number := int(float64(6000) * random.Float64() * random.Float64() * random.Float64())
		for range 4 {
			b.WriteByte("bdfgklmnprstvz"[number%14])
			b.WriteByte("aeiou"[number/14%5])
			number /= 7
		}
	}
	return b.String()
}

// proseOf writes what a page of its kind has to say: prose, a list, a table that has
// the same rows' names everywhere, or next to nothing.
func proseOf(random *rand.Rand, kind int) string {
	var b strings.Builder
	switch kind {
	case 0:
		for range 2 + random.IntN(5) {
			fmt.Fprintf(&b, "<h2>%s</h2><p>%s.</p><p>%s.</p>", words(random, 3), words(random, 30+random.IntN(60)), words(random, 20))
		}
	case 1:
		for range 5 + random.IntN(15) {
			fmt.Fprintf(&b, "<p>%s.</p>", words(random, 12))
		}
	case 2:
		fmt.Fprintf(&b, "<p>%s.</p><p>data</p><table><tr><td>width</td><td>%d</td></tr><tr><td>colour</td><td>%s</td></tr></table><p>%s.</p>",
			words(random, 40), random.IntN(900), words(random, 1), words(random, 25))
	case 3:
		fmt.Fprintf(&b, "<p>%s.</p>", words(random, 8))
	}
	return b.String()
}

// generate makes n pages in four parts of a site, each with a menu of its own.
func generate(style siteStyle, n int) []sitePage {
	random := rand.New(rand.NewPCG(uint64(len(style.page)), uint64(n)))
	parts := [...]string{"NEWS", "SERVICES", "PRODUCTS", "GALLERY"}
	pages := make([]sitePage, n)
	for i := range pages {
		kind := i % len(parts)
		menu := ""
		for j := range 6 {
			menu += fmt.Sprintf("<tr><td><li><a href=/%[1]s/%[2]d>%[1]s ITEM NUMBER %[2]d</a></li></td></tr>", parts[kind], j)
		}
		pages[i].url = fmt.Sprintf("https://www.example.com/%s/page-%d", strings.ToLower(parts[kind]), i)
		pages[i].html = fmt.Sprintf(style.page, words(random, 4), parts[kind], menu, proseOf(random, kind), i)
	}
	return pages
}

// tally counts words of the template, in capitals, and of the content.
func tally(text string) (template, content int) {
	for word := range strings.FieldsSeq(text) {
		switch {
		case markup.HasLetter(word) && word == strings.ToUpper(word):
			template++
		case markup.HasLetter(word):
			content++
		}
	}
	return template, content
}

// TestSiteFigures: on sites of many pages at least 95 % of the template's words go, and
// under 1 % of the content's. It prints the figures, with what is gone without a
// profile.
func TestSiteFigures(t *testing.T) {
	for _, style := range siteStyles {
		for _, n := range []int{40, 400} {
			t.Run(fmt.Sprintf("%s/%d", style.name, n), func(t *testing.T) {
				e, pages := newExtractor(t), generate(style, n)
				learner, drafts, roots := profile.NewLearner(nil), make([]document.Draft, n), make([]*html.Node, n)
				for i, page := range pages {
					root, err := html.Parse(strings.NewReader(page.html))
					if err != nil {
						t.Fatal(err)
					}
					d, err := e.Read(&document.Page{URL: page.url, Media: "text/html", Root: root})
					if err != nil {
						t.Fatal(err)
					}
					drafts[i], roots[i] = d, root
					learner.Offer(sightingOf(page.url, d, i, nil))
				}
				known, _ := learn(t, learner, drafts, 0)
				var all, plain, finished [2]int
				add := func(sum *[2]int, text string) {
					template, content := tally(text)
					sum[0], sum[1] = sum[0]+template, sum[1]+content
				}
				for i, page := range pages {
					add(&all, markup.TextOf(roots[i], 1<<20))
					add(&plain, e.Finish(drafts[i], page.url, nil).Fields["Content"])
					doc := e.Finish(drafts[i], page.url, known)
					add(&finished, doc.Fields["Content"])
					if template, _ := tally(doc.Fields["Title"] + " " + doc.Fields["Description"]); template > 0 {
						t.Errorf("%s: title %q, description %q", page.url, doc.Fields["Title"], doc.Fields["Description"])
					}
				}
				gone := 1 - float64(finished[0])/float64(all[0])
				lost := 1 - float64(finished[1])/float64(plain[1])
				t.Logf("template words gone %.2f %% (without a profile %.2f %%), content words lost %.2f %%",
					100*gone, 100-100*float64(plain[0])/float64(all[0]), 100*lost)
				if gone < 0.95 || lost > 0.01 {
					t.Error("at least 95 % are to go, and under 1 % to be lost")
				}
			})
		}
	}
}
