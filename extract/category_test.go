package extract

import "testing"

// TestCategoryOfATrail holds that neither the way to the first page nor the page
// itself is taken for its category.
func TestCategoryOfATrail(t *testing.T) {
	const url = "https://www.example.com/p/page"
	trail := func(items string) string { return `<ol class="breadcrumb">` + items + `</ol>` }
	ld := func(items string) string {
		return `<script type="application/ld+json">{"@type":"BreadcrumbList","itemListElement":[` + items + `]}</script>`
	}
	table := []struct{ name, source, want string }{
		{"home, part, page", trail(`<li><a href="/">Home</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home by its word", trail(`<li><a href="/forside">Forside</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home by its address", trail(`<li><a href="https://www.example.com/">Sample Borough</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home of a language", `<html lang="da">` + trail(`<li><a href="/da/">Kommunen</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home by the site's name", `<meta property="og:site_name" content="Sample Borough">` + trail(`<li><a href="/welcome">Sample borough</a><li><a href="/n">News</a><li>Page`), "News"},
		{"you are here", trail(`<li>You are here:<li><a href="/">Home</a><li><a href="/n">News</a><li>Page`), "News"},
		{"no home", trail(`<li><a href="/n">News</a><li><a href="/n/2026">2026</a><li>Page`), "News"},
		{"no page", trail(`<li><a href="/">Home</a><li><a href="/n">News</a>`), "News"},
		{"home and page", trail(`<li><a href="/">Home</a><li>Something`) + `<h1>Page</h1>`, "P"},
		{"home and page by its name", trail(`<li>Home<li>Page`) + `<h1>Page</h1>`, "P"},
		{"home and page by its address", trail(`<li><a href="/">Home</a><li><a href="/p/page/">Here</a>`), "P"},
		{"home and page by a fragment", trail(`<li><a href="/">Home</a><li><a href="#">Here</a>`), "P"},
		{"no link at all", trail(`<li>Home<li>News`), "News"},
		{"addresses that differ in their query", trail(`<li><a href="/?id=1">Welcome</a><li><a href="/p/page?id=2">News</a>`), "Welcome"},
		{"another host's first page", trail(`<li><a href="https://shop.example.com/">Shop</a><li><a href="/n">News</a><li>Page`), "Shop"},
		{"JSON-LD, page without an address", ld(`{"position":1,"name":"Home","item":"https://www.example.com/"},{"position":2,"name":"Something"}`), "P"},
		{"JSON-LD, page with its address", ld(`{"position":1,"name":"Home","item":"https://www.example.com/"},{"position":2,"name":"News","item":"https://www.example.com/n"},{"position":3,"name":"Here","item":"https://www.example.com/p/page"}`), "News"},
		{"JSON-LD, addresses in objects", ld(`{"position":1,"item":{"@id":"https://www.example.com/","name":"Welcome"}},{"position":2,"item":{"@id":"/n","name":"News"}}`), "News"},
		{"JSON-LD, no names", ld(`{"position":1,"item":"https://www.example.com/"},{"position":2,"item":"https://www.example.com/n"}`), "P"},
		{"JSON-LD section of the page after an empty trail", trail(`<li><a href="/">Home</a><li>Here`) + `<meta property="article:section" content="Health">`, "Health"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, url, row.source+"<p>Text"), "Category", row.want)
	}
}
