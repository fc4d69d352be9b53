package page

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// TestXHTML: what is sent as XHTML and is well-formed is read by the rules of XML, into the tree
// that HTML makes of the same page written long; all else is read as HTML.
func TestXHTML(t *testing.T) {
	const lead, last = `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">`, `</html>`
	page := func(head, body string) string {
		return lead + "<head><title>T</title>" + head + "</head><body>" + body + `<p>Text</p><a href="/next">n</a></body>` + last
	}
	for name, c := range map[string]struct{ xhtml, html string }{ // html: empty: the same
		"script":             {page(`<script src="a.js"/>`, ""), page(`<script src="a.js"></script>`, "")},
		"style":              {page(`<style type="text/css"/>`, ""), page(`<style type="text/css"></style>`, "")},
		"title":              {strings.Replace(page("", ""), "<title>T</title>", "<title/>", 1), strings.Replace(page("", ""), "<title>T</title>", "<title></title>", 1)},
		"form":               {page("", `<form><textarea name="q"/><select/></form>`), page("", `<form><textarea name="q"></textarea><select></select></form>`)},
		"frame":              {page("", `<iframe src="/f"/><noscript/>`), page("", `<iframe src="/f"></iframe><noscript></noscript>`)},
		"hidden":             {page("", `<div hidden=""/><nav id="n"/>`), page("", `<div hidden=""></div><nav id="n"></nav>`)},
		"anchors":            {page("", `<a id="top"/><span/><p/>`), page("", `<a id="top"></a><span></span><p></p>`)},
		"void":               {page(`<meta charset="utf-8"/><base href="/b/"/>`, `<br/>a<img src="x" alt="A"/>`), ""},
		"entities":           {page("", "<p>caf&eacute;&nbsp;&amp;&#x41;&rarr;</p>"), ""},
		"CDATA":              {page("", "<p><![CDATA[a <b> & c]]></p>"), page("", "<p>a &lt;b&gt; &amp; c</p>")},
		"script with CDATA":  {page("<script>//<![CDATA[\nif (a<b && c) x='<p>';\n//]]></script>", ""), ""},
		"without scripts":    {page("", `<noscript><p>a &amp; <a href="/b">b</a></p></noscript>`), ""},
		"a frame's text":     {page("", `<iframe src="/f"><p>old</p></iframe>`), ""},
		"comments":           {page("", "<!--googleoff: index--><p>x</p><!--googleon: index-->"), ""},
		"SVG":                {page("", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>S</title><a xlink:href="/s">s</a></svg>`), ""},
		"formulas":           {page("", `<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>`), ""},
		"languages":          {page("", `<p xml:lang="de" lang="de">Hallo</p>`), ""},
		"template":           {page("", `<template><a href="/no">no</a></template>`), ""},
		"prefixes":           {`<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head/><h:body><h:p>a</h:p></h:body></h:html>`, "<html><head></head><body><p>a</p></body></html>"},
		"no namespace":       {`<html><head/><body><div/><p>a</p></body></html>`, "<html><head></head><body><div></div><p>a</p></body></html>"},
		"frames":             {lead + `<head/><frameset><frame src="/f"/></frameset>` + last, "<html><head></head><frameset><frame src='/f'></frameset></html>"},
		"another charset":    {strings.Replace(page("", "<p>\xCF</p>"), "?>", ` encoding="windows-1251"?>`, 1), page("", "<p>П</p>")},
		"not closed":         {page("", `<nav/><p>a`), "HTML"},
		"not closed inside":  {page("", "<nav/><noscript><p></noscript>"), "HTML"},
		"unknown entity":     {page("", `<nav/>&nothing;`), "HTML"},
		"bare ampersand":     {page("", `<nav/>a & b`), "HTML"},
		"attribute, no mark": {page("", `<nav/><p class=x>a</p>`), "HTML"},
		"no page":            {`<feed><title/><entry>a</entry></feed>`, "HTML"},
		"no body":            {lead + "<title/>a" + last, "HTML"},
		"control characters": {page("", "<nav/>\x01"), "HTML"},
		"nothing":            {"", "HTML"},
	} {
		root, is, err := Parse([]byte(c.xhtml), "Application/XHTML+xml; q=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.html == "" || c.html == "HTML" {
			c.html = c.xhtml
		}
		charset := "utf-8"
		if c.html == c.xhtml {
			charset = is.Name
		}
		want, _, _ := Parse([]byte(c.html), "text/html; charset="+charset, nil)
		if got, want := outline(root), outline(want); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	root, _, err := Parse([]byte(page("", `<base href="/b/"/><p xml:base="/no/"><nav/><a href="x">x</a><title xmlns="urn:other"/></p>`)), document.MediaXHTML, nil)
	if titles := strings.Count(outline(root), ":title title"); titles != 1 {
		t.Errorf("%d titles", titles)
	}
	links := ReadLinks(&document.Page{URL: "https://www.example.com/", Root: root}, weburl.NewCanonicalizer(nil), "").Found
	if err != nil || fmt.Sprint(links) != "[{https://www.example.com/b/x x false} {https://www.example.com/next n false}]" {
		t.Errorf("links %v, %v", links, err)
	}
}

// outline returns the elements, texts and comments of a tree, neighbouring texts as one.
func outline(root *html.Node) string {
	var b strings.Builder
	for n := root; n != nil; {
		switch n.Type {
		case html.ElementNode:
			fmt.Fprintf(&b, "\n%s %s:%s %s", strings.Repeat(" ", depthOf(n)), n.Namespace, n.Data, n.DataAtom)
			for _, a := range n.Attr {
				if key := strings.TrimPrefix(a.Namespace+":"+a.Key, ":"); !strings.HasPrefix(key, "xmlns") {
					fmt.Fprintf(&b, " %s=%q", key, a.Val)
				}
			}
			b.WriteString("\n")
		case html.TextNode:
			b.WriteString(n.Data)
		case html.CommentNode:
			if n.Parent.Type == html.ElementNode {
				b.WriteString("<!--" + n.Data + "-->")
			}
		}
		next := n.FirstChild
		for ; next == nil && n != nil; n = n.Parent {
			next = n.NextSibling
		}
		n = next
	}
	return b.String()
}

func depthOf(n *html.Node) (depth int) {
	for n = n.Parent; n != nil; n = n.Parent {
		depth++
	}
	return depth
}

// FuzzParseXML: whatever is sent as XHTML makes a tree that is no deeper than one of HTML, in
// which the parts of a page stand where they do there.
func FuzzParseXML(f *testing.F) {
	for _, text := range []string{
		`<html><head><script/></head><body><noscript><p/></noscript><!--x--><![CDATA[a]]>&eacute;</body></html>`,
		`<?xml version="1.0" encoding="x"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body a:b="c"/></h:html>`,
		`<!DOCTYPE html [<!ENTITY a "b">]><html><body><iframe></iframe>&a;</body></html>`, `<html><body><style><a></b></style></body></html>`,
		"<html><body>" + strings.Repeat("<p>", 513) + strings.Repeat("</p>", 513) + "</body></html>",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseXML(text, func(int64) error { return nil })
		if err != nil {
			return
		}
		for n := root.FirstChild; n != nil; n = Next(root, n) {
			if depth := depthOf(n); depth > 513 || n.Type == html.ElementNode && n.DataAtom != atom.Lookup([]byte(n.Data)) {
				t.Fatalf("%q: %+v at %d", text, n, depth)
			}
		}
	})
}
