package extract

import (
	"strings"
	"testing"
)

func TestContentKeepsTextWithBreaks(t *testing.T) {
	table := []struct{ name, body, want string }{
		{"white space and NBSP", "<p> a\n\t b&nbsp;&nbsp;c\u2003d </p>", "a b c d"},
		{"inline elements join", `<p>Hel<b>lo</b>, <i>you</i>!</p>`, "Hello, you!"},
		{"table rows", `<table><caption>Hours</caption><tr><th>Day<th>Open<tr><td>Monday<td>10–16</table>`, "Hours\nDay Open\nMonday 10–16"},
		{"layout table", `<table><tr><td><p>one</p><p>two</p></td><td><div>three</div></td></tr></table>`, "one\ntwo\nthree"},
		{"code keeps its lines", "<pre><code>a := 1\n\tb := <b>2</b>\n\nc</code></pre>", "a := 1\nb := 2\nc"},
		{"inline code", `<p>run <code>go test</code> now</p>`, "run go test now"},
		{"one line break", `<p>Town Hall<br>Square 1</p>`, "Town Hall Square 1"},
		{"two line breaks", `one<br> <br>two`, "one\ntwo"},
		{"soft hyphen and zero width", "<p>kom&shy;mu\u200bne\ufeff</p>", "kommune"},
		{"word break", `<p>donau<wbr>dampf</p>`, "donaudampf"},
		{"control characters", "<p>a\u0001b\u0085c&#x80;d</p>", "ab c€d"},
		{"button as heading", `<h3><button>Question</button></h3><p>Answer</p>`, "Question\nAnswer"},
		{"a header in what has the role of main", `<div role="main"><header><p>Open daily.</p></header><p>Come.</p></div>`, "Open daily.\nCome."},
		{"words around a control", `<p>Price<button>Buy</button>20 or<input>30</p>`, "Price 20 or 30"},
		{"permalink sign", `<h2>Install<a href="#i">¶</a></h2><p>Text <a href="#">C# #</a> <a href="/7">7</a></p>`, "Install\nText C# # 7"},
		{"footnote signs", `<p>Text<sup><a href="#f1">1</a></sup></p><ol><li>Note <a href="#r1">↩</a></ol>`, "Text\nNote"},
		{"shadow tree", `<x-card><template shadowrootmode="open"><p>one</p></template></x-card>`, "one"},
		{"custom element", `<x-card>one</x-card><x-card>two</x-card>`, "one\ntwo"},
		{"math", `<p>E = <math><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math></p>`, "E = mc2"},
		{"math with its source", `<p>So <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^1</annotation></semantics></math> is</p>`, "So x is"},
		{"math with its meaning", `<math><semantics><mi>y</mi><annotation-xml encoding="text/html"><p>why</p></annotation-xml></semantics></math>`, "y"},
		{"line numbers", "<pre><span class=source-line-no>001</span><b>a</b>\n<span class=source-line-no>002</span><b>b</b></pre>", "a\nb"},
		{"line numbers in a cell", "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>", "a\nb"},
		{"line numbers in a cell that is named as its code's", "<table><tr><td class=lntd><pre>7\n</pre><td class=lntd><pre>b</pre></table>", "b"},
		{"numbers in code", "<pre class=line-numbers>42</pre><pre>x = <span class=mi>7</span></pre><p class=lineno>8</p>", "42\nx = 7\n8"},
		{"ruby", `<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>`, "漢kan"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, "<body>"+row.body), "Content", row.want)
	}
}

func TestBoilerplateIsLeftOut(t *testing.T) {
	table := []struct{ name, body string }{
		{"site header", `<header><a href="/">Logo</a> Slogan</header>`},
		{"aside", `<aside>Box</aside>`},
		{"style", `<style>p { color: red }</style>`},
		{"noscript", `<noscript>Turn it on</noscript>`},
		{"template", `<template><p>Later</p></template>`},
		{"svg", `<svg><title>Icon</title><text>Icon</text></svg>`},
		{"iframe", `<iframe src="/x">No frames</iframe>`},
		{"form without text", `<form><label>Name <input></label><legend>You</legend><select><option>A</select><textarea>t</textarea><button>Send</button></form>`},
		{"role", `<div role="navigation">Menu</div><div role="contentinfo">Address</div><div role="Search">Find</div>`},
		{"hidden", `<p hidden>no</p>`},
		{"aria-hidden", `<p>Keep <span aria-hidden="true">icon</span></p>`},
		{"display none", `<div style="color:red; Display : NONE">no</div><div style="visibility:hidden">no</div>`},
		{"closed dialog", `<dialog>no</dialog>`},
		{"cookie banner", `<div id="CybotCookiebotDialog"><p>We use cookies. Long text. Really.</p></div><div class="my-cookie-banner"><p>Cookies!</p></div>`},
		{"share bar", `<div class="social-share">Share <a href="f">Facebook</a></div><div class="share"><a href="t">Tell a friend</a></div>`},
		{"breadcrumbs", `<ol class="Breadcrumbs"><li><a href="/">Home</a><li>Here</ol>`},
		{"site's name", `<div id="header"><h1><a href="/">Site</a></h1>Slogan</div>`},
		{"old frame", `<div id="header">Logo</div><div class="sidebar">Box</div><div id="footer">Address</div>`},
		{"skip link", `<p class="skip-link"><a href="#m">Skip</a></p>`},
		{"pagination", `<div class="pagination"><a href="?p=2">2</a></div>`},
	}
	for _, row := range table {
		body := strings.ReplaceAll(row.body, "Keep", "")
		checkField(t, row.name, Options{}, htmlPage(t, testURL, "<body>"+body+"<p>Kept text.</p>"+body), "Content", "Kept text.")
	}
}

// What looks like boilerplate by name or tag and holds the content stays.
func TestRecallComesFirst(t *testing.T) {
	table := []struct{ name, body, want string }{
		{"a wrapper named after its side bar", `<div class="sidebar"><h1>Title</h1><p>Text</p></div>`, "Title\nText"},
		{"a wrapper of main", `<div class="menu related"><main><p>Text</p></main></div>`, "Text"},
		{"header of an article", `<article><header><h1>Title</h1><p>Lead</p></header><p>Text</p></article>`, "Title\nLead\nText"},
		{"header with the h1", `<header><h1>Title</h1><p>Lead</p></header><p>Text</p>`, "Title\nLead\nText"},
		{"menu of a restaurant", `<div class="menu"><p>Soup 60</p><p>Fish 120</p></div><p>Text</p>`, "Soup 60\nFish 120\nText"},
		{"the page in one form", `<form action="/x.aspx"><input><h2>Title</h2><p>Text <button>Go</button></p></form>`, "Title\nText"},
		{"all text in boilerplate by name", `<div class="related"><p>Text</p></div>`, "Text"},
		{"all text in boilerplate by tag, no script", `<footer><p>Text</p></footer>`, "Text"},
		{"an anchor that is never closed", `<a name="top"><div class="menu"><p>Soup 60</p></div><p>Text</p>`, "Soup 60\nText"},
		{"cookie policy", `<div class="cookie-policy"><h2>Cookies</h2><p>Text</p></div>`, "Cookies\nText"},
		{"all text hidden until a script runs", `<script></script><div style="display:none"><p>` + strings.Repeat("Text ", 80) + `</p></div>`, strings.TrimSpace(strings.Repeat("Text ", 80))},
		{"a hidden main", `<main hidden><p>A long text nobody sees</p></main><main><p>Text</p></main>`, "Text"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, `<body style="display:none">`+row.body), "Content", row.want)
	}
}

func TestMainRegion(t *testing.T) {
	long := strings.Repeat("Some words of the real text. ", 20)
	links := strings.Repeat(`<li><a href="/x">An entry of a list</a></li>`, 30)
	other := strings.Replace(long, "Some", "Other", 1)
	text, list := strings.TrimSpace(long), strings.TrimSpace(strings.Repeat("An entry of a list\n", 30))
	table := []struct{ name, body, want string }{
		{"main", `<div>Stray</div><main><p>` + long + `</p></main><div>Stray</div>`, text},
		{"role main", `<div>Stray</div><div role="main"><p>` + long + `</p></div>`, text},
		{"two, and what is between them", `<div>Stray</div><main><h2>Title</h2><p>` + long + `</p></main><p>Between</p><main><p>` + other + `</p><p>` + other + `More</p></main><div>Stray</div>`, "Title\n" + text + "\nBetween\n" + strings.TrimSpace(other) + "\n" + other + "More"},
		{"several in another", `<div>Stray</div><main><main>One</main><p>` + long + `</p><main><p>` + other + `</p></main>Last</main><div>Stray</div>`, "One\n" + text + "\n" + strings.TrimSpace(other) + "\nLast"},
		{"two that are less than the rest", `<main>One</main><div><p>` + long + `</p></div><main>Two</main>`, text},
		{"one article", `<div>Stray</div><article><p>` + long + `</p></article>`, text},
		{"main that is a mistake", `<main>Hi</main><div><p>` + long + `</p></div>`, text},
		{"several articles", `<div><article><p>` + long + `</p></article><article><p>` + other + `</p></article></div>`, text + "\n" + strings.TrimSpace(other)},
		{"related article", `<div><p>` + long + `</p><div class="related"><article>Other</article></div></div>`, text},
		{"densest cell", `<table><tr><td>Stray<p></td><td><p>` + long + `</p></td></table>`, text},
		{"h1 beside the densest block", `<div><h1>Title</h1></div><div><p>` + long + `</p></div>`, "Title\n" + text},
		{"two dense blocks", `<div><p>` + long + `</p></div><div><p>` + other + `</p></div>`, text + "\n" + strings.TrimSpace(other)},
		{"a list of links", `<div><p>All entries:</p><ul>` + links + `</ul></div>`, "All entries:\n" + list},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, "<body>"+row.body), "Content", row.want)
	}
}

func TestOwnersSelectors(t *testing.T) {
	const page = `<h1>Title</h1><aside class="box"><p>Box</p></aside><main><p>Text</p><p class="ad">Ad <i>now</i></p></main><div class="box">More</div>`
	table := []struct {
		name    string
		options Options
		want    string
		warn    string
	}{
		{"content", Options{Content: "main p:first-child"}, "Text", ""},
		{"content in boilerplate, several, in order", Options{Content: "div.box, aside.box"}, "Box\nMore", ""},
		{"nested content once", Options{Content: "main, main p"}, "Text\nAd now", ""},
		{"exclude", Options{Exclude: []string{".ad", "h1"}}, "Text", ""},
		{"content and exclude", Options{Content: "main", Exclude: []string{"i"}}, "Text\nAd", ""},
		{"content without a match", Options{Content: "#content"}, "Text\nAd now", WarnNoContent},
	}
	for _, row := range table {
		d := checkField(t, row.name, row.options, htmlPage(t, testURL, page), "Content", row.want)
		if got := strings.Join(d.Warn, " "); got != row.warn {
			t.Errorf("%s: warnings %q, want %q", row.name, got, row.warn)
		}
	}
}

func TestExcludedFieldsAreNotRead(t *testing.T) {
	doc := readDocument(t, Options{Exclude: []string{"h1", "meta[name=description]"}}, testURL,
		`<head><title>Page</title><meta name=description content=no></head><body><h1>No</h1><p>Text</p>`)
	if doc.Fields["Title"] != "Page" || doc.Fields["Description"] != "" || doc.Fields["Content"] != "Text" {
		t.Errorf("got %q", doc.Fields)
	}
}
