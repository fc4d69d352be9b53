package extract

import (
	"fmt"
	"strings"
	"testing"
)

const (
	saysArticle = `<meta property="og:type" content="article">`
	one         = "A paragraph of the text, which is long enough to be one, and says something that a reader would want to find again."
	prose       = "<p>" + one + "</p>"
)

// paragraphs returns n paragraphs, each with words of its own.
func paragraphs(n int) (source, text string) {
	for i := range n {
		source += strings.Replace(prose, "A", fmt.Sprint(i), 1)
	}
	return source, strings.TrimSpace(strings.NewReplacer("<p>", "", "</p>", "\n").Replace(source))
}

// What a click shows is content, what it pops up is not.
func TestCollapsedPanels(t *testing.T) {
	table := []struct{ name, body, want string }{
		{"a button alone as opener", `<main><button aria-expanded="false" aria-controls="x">Q</button><div id="x" hidden>A</div></main>`, "Q\nA"},
		{"named by Bootstrap", `<main><h2><a href="#" data-bs-target="#x">Q</a></h2><div id="x" style="display:none">A</div></main>`, "Q\nA"},
		{"tab panel", `<main><p>Q</p><div role="tabpanel" aria-hidden="true">A</div></main>`, "Q\nA"},
		{"a button before its panel", `<div><button class="q" aria-controls="x">Q</button><div id="x" hidden>A</div></div>`, "Q\nA"},
		{"a button before a menu", `<button class="toggle" aria-controls="x">No</button><nav id="x" hidden>No</nav><p>A</p>`, "A"},
		{"a button named for a menu", `<button class="menu-toggle" aria-controls="x">No</button><div id="x" hidden>No</div><p>A</p>`, "A"},
		{"a menu", `<main><button aria-controls="x">Menu</button><ul id="x" class="menu" hidden><li>No</ul><p>A</p></main>`, "Menu\nA"},
		{"a dialog", `<main><button>Open</button><div role="dialog" id="panel-x" hidden>No</div><p>A</p></main>`, "A"},
		{"a modal", `<main><div class="modal panel" aria-hidden="true">No</div><p>A</p></main>`, "A"},
		{"a copy of a slide", `<main><div class="slide" aria-hidden="true">A</div><div class="slide slick-cloned" aria-hidden="true">A</div></main>`, "A"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, "<body>"+row.body), "Content", row.want)
	}
}

// What may be boilerplate is settled by what kind of page it is on.
func TestDoubtfulParts(t *testing.T) {
	source, text := paragraphs(6)
	talk := `<div id="comments"><p>A reader says that.</p></div>`
	related := `<section><h2>Læs også:</h2><ul><li><a href="/a">One</a><li><a href="/b">Two</a></ul></section>`
	reviews := `<div class="customer-reviews"><p>It fits.</p></div>`
	list := `<ul><li><a href="/a">Bus 7</a><li><a href="/b">Bus 8</a></ul>`
	table := []struct{ name, source, want string }{
		{"comments on another page", source + talk, text + "\nA reader says that."},
		{"comments in a forum", saysArticle + `<meta name="generator" content="phpBB">` + source + talk, text + "\nA reader says that."},
		{"more comments than text", saysArticle + `<main>` + prose + `<div id="comments">` + source + `</div></main>`, one + "\n" + text},
		{"related by its heading", source + related, text},
		{"related by its class", source + `<div class="c-related__list"><p>Another page</p></div>`, text},
		{"a wrapper with something beside", `<div class="page-with-sidebar"><p>Short</p></div>` + source, "Short\n" + text},
		{"a list of links in an article", saysArticle + source + list, text},
		{"a list of links on another page", source + list, text + "\nBus 7\nBus 8"},
		{"filters of a list", `<form class="facets-form"><p>In stock (9)</p></form>` + source, text},
		{"the same text again", source + `<section><h2>Again</h2>` + source + `</section>` + prose, text + "\nAgain\n" + one},
		{"reviews of a product", `<div itemscope itemtype="https://schema.org/Product">` + source + `</div>` + reviews, text},
		{"reviews of a product by its JSON-LD", `<script type="application/ld+json">{"@type":"Product"}</script>` + source + reviews, text},
		{"reviews on another page", source + reviews, text + "\nIt fits."},
		{"reviews are most of it", `<meta property="og:type" content="product"><main>` + prose + `<div class="reviews">` + source + `</div></main>`, one + "\n" + text},
		{"a hint", source + `<div role="tooltip">No</div><div role="status">No</div><div class="toast">No</div>`, text},
		{"an action on each item", strings.ReplaceAll(source, "</p>", `</p><a href="/x">Reply</a>`), text},
		{"for screen readers", source + `<p><span class="sr-only">No</span></p>`, text},
		{"a note in the text", source + `<aside class="note">Mind the gap.</aside>`, text + "\nMind the gap."},
		{"a title and lead before main", `<div class="hero"><h1>Title</h1><p>Lead</p></div><div><p>Stray</p></div><main>` + source + `</main>`, "Title\nLead\n" + text},
		{"other stories by their heading", source + `<div><h2>Latest news:</h2><p>A bridge opens.</p><p>A bridge closes.</p></div>`, text},
		{"other stories on a page of lists", `<div><h2>Latest news</h2><p>A bridge opens.</p></div><p>All of them</p>`, "Latest news\nA bridge opens.\nAll of them"},
		{"teasers of other stories", source + `<div>` + strings.Repeat(`<h3><a href="/a">A bridge opens</a></h3><p>After years of work.</p>`, 3) + `</div>`, text},
		{"a thread that is commented", source + `<section><h3>Join the conversation</h3><p>12 replies</p></section>`, text},
		{"a poll", source + `<div><b>Afstemning</b><p>Ja</p><p>Nej</p></div>`, text},
		{"the author of the text", source + `<div><p>About the author</p><p>She writes.</p></div>`, text},
		{"lines on the page itself", source + `<p>Last modified: 3 May 2024, mend a link (ab12cd3)</p><p>Available Languages: en | da</p><p>Zuletzt geändert am 3.5.2024</p>`, text},
		{"a line that begins so", source + `<p>Last modified files come first.</p><p>Updated prices hold.</p>`, text + "\nLast modified files come first.\nUpdated prices hold."},
		{"a box below the title", `<main><h1>Title</h1><div role="alert">Mind the gap.</div>` + source + `</main>`, "Title\nMind the gap.\n" + text},
		{"links that touch", source + `<p>On <a href="/a">One</a><a href="/b">Two</a></p>`, text + "\nOn One Two"},
		{"a heading with an ID", source + `<h2 id="related-pests">Related pests</h2><h2 id="tags">Tags</h2><dl><dt id="sharing">Sharing<dd>By cutting.</dl>`, text + "\nRelated pests\nTags\nSharing\nBy cutting."},
		{"named by its heading in an article", saysArticle + source + `<section id="related-work"><h2>Related work</h2>` + strings.Replace(prose, "A", "Another", 1) + `</section>`, text + "\nRelated work\n" + strings.Replace(one, "A", "Another", 1)},
		{"comments named by their heading", saysArticle + source + `<div id="comments"><h2>Comments</h2><p>A reader says that.</p></div>`, text},
		{"a banner named by its heading", source + `<div id="cookie-notice"><h2>Cookie notice</h2><p>Agree.</p></div>`, text},
		{"a part named after the trail", prose + `<div class="no-breadcrumb">` + source + `</div>`, one + "\n" + text},
		{"a heading on trails", source + `<h2 id="breadcrumb">Breadcrumb</h2>`, text + "\nBreadcrumb"},
		{"items named as boilerplate", source + strings.Repeat(`<div class="menu-item"><p>Hake</p></div>`, 3), text + "\nHake\nHake\nHake"},
		{"links named as boilerplate in each item", source + strings.Repeat(`<div class="item-tags"><a href="/a">Boats</a><i>,</i><a href="/b">Sea</a></div>`, 3), text},
		{"a small part named as boilerplate in an article", saysArticle + source + `<div class="promo-box"><p>Hake</p></div>`, text},
		{"a small part named as boilerplate", source + `<div class="print-only"><p>Fee: 20 pounds</p></div>`, text + "\nFee: 20 pounds"},
		{"a teaser's header", strings.Repeat("<div>", 8) + `<div class="header"><h2>Title</h2></div>` + source, "Title\n" + text},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, row.source), "Content", row.want)
	}
}

// Manuals and papers name each section by an ID, which says what it is about.
func TestSectionsNamedByID(t *testing.T) {
	source, text := paragraphs(6)
	const said = "Ships keep their own list, which the office reads."
	ids := []string{"s-adding-related-objects", "related", "module-quay.fields.related", "module-quay.pagination", "pager", "module-quay.cookies",
		"the-filters-argument", "howto-newsletter", "ships-and-facets", "sec-gdpr", "cookie-messages", "quay-breadcrumbs", "the-sidebar", "custom-footer", "toc-1", "promo"}
	forms := []string{
		`<section id="%s"><h2>Lists of ships</h2><p>` + said + `</p></section>`,
		`<div class="section" id="%s"><span id="x"></span> <span id="y"></span><h3>Lists of ships<a href="#x">¶</a></h3><p>` + said + `</p></div>`,
		`<section id="%s"><h2>Lists of <code>ships</code></h2><div><button>Copy</button><pre>` + said + `</pre></div></section>`,
		`<section id="%s"><h2><a href="#x">Lists of ships</a></h2><p>` + said + `</p></section>`,
	}
	for _, id := range ids {
		for i, form := range forms {
			for _, head := range []string{"", saysArticle} {
				got := readDocument(t, Options{}, testURL, head+`<div role="main"><h1>Quays</h1>`+source+fmt.Sprintf(form, id)).Fields["Content"]
				if want := "Quays\n" + text + "\nLists of ships\n" + said; got != want {
					t.Errorf("%s, form %d, %q: got  %q\nwant %q", id, i, head, got, want)
				}
			}
		}
	}
}

// Outside of the main part the frame and the tools of consent are known by their IDs.
func TestBoxesNamedByID(t *testing.T) {
	source, text := paragraphs(6)
	const said = "<p>Ships keep their own list, which the office reads.</p>"
	table := []struct{ name, source, want string }{
		{"a tool's cookie notice", source + `<div id="onetrust-policy"><h2>We use cookies</h2>` + said + `</div>`, text},
		{"by its class too", source + `<section id="related" class="related"><h2>More</h2>` + said + `</section>`, text},
		{"the frame", source + `<div id="footer"><h2>About us</h2>` + said + `</div>`, text},
		{"in the main part", `<main>` + source + `<div id="footer">` + said + `</div></main>`, text + "\nShips keep their own list, which the office reads."},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, row.source), "Content", row.want)
	}
}

// The container that a page names after its text is kept, with the title and the prose
// before it, where it is the one so named and holds enough.
func TestNamedText(t *testing.T) {
	source, text := paragraphs(6)
	const box = `<div class="x1"><div>Our offer</div><div>Buy it</div></div>`
	const offer = "\nOur offer\nBuy it"
	table := []struct{ name, source, want string }{
		{"by a class of a build", `<div class="ArticlePage_articleBody__x7Gh2">` + source + `</div>` + box, text},
		{"by microdata", `<div itemprop="articleBody">` + source + `</div>` + box, text},
		{"with its title and lead", box + `<h1>Title</h1><div>By us</div>` + prose + `<div class="entry-content">` + source + `</div>`, "Title\n" + one + "\n" + text},
		{"the outer of two", `<div class="post-content"><div class="entry-content">` + prose + `</div>` + source + `</div>` + box, one + "\n" + text},
		{"several", `<div class="entry-content">` + source + `</div><div class="entry-content">` + prose + strings.Replace(prose, "A", "Another", 1) + `</div>` + box, text + "\n" + one + "\n" + strings.Replace(one, "A", "Another", 1) + offer},
		{"too little", `<div class="entry-content">` + prose + `</div><div>` + source + `</div>` + box, one + "\n" + text + offer},
		{"a part of it", `<div class="post-content-share">` + source + `</div><p>Other</p>`, text + "\nOther"},
		{"none", `<div>` + source + `</div>` + box, text + offer},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, testURL, "<body><main>"+row.source), "Content", row.want)
	}
}
