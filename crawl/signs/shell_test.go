package signs

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestEmptyShell(t *testing.T) {
	const app = `<script src="/app.js"></script>`
	words := strings.Repeat("Words that somebody wrote. ", 10)
	for _, page := range []struct {
		name, body string
		shell      bool
	}{
		{"react", `<div id="root"></div>` + app, true},
		{"react with a plea", `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>` + app, true},
		{"vue", `<div id="app"></div><script type="module" src="/i.js"></script>`, true},
		{"vue, loading", `<div id="app"><div class="spinner">Loading…</div></div>` + app, true},
		{"next", `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":"` + words + `"}</script>` + app, true},
		{"nuxt", `<div id="__nuxt"></div><script>window.__NUXT__={}</script>`, true},
		{"gatsby", `<div id="___gatsby"></div>` + app, true},
		{"angular", `<app-root></app-root>` + app, true},
		{"angularjs", `<div ng-app="shop"><div ng-view></div></div>` + app, true},
		{"web component", `<my-shop></my-shop>` + app, true},
		{"svelte", `<div id="svelte"></div>` + app, true},
		{"quasar", `<div id="q-app"></div>` + app, true},
		{"no container", app, true},
		{"inline code alone", `<script>document.body.append("text")</script>`, true},
		{"root below a menu", `<header><nav><a href="/">Home</a> ` + words + `</nav></header><div id="app"></div><footer>` + words + `</footer>` + app, true},
		{"plea alone", `<div class="wrap"><img src="logo.png"></div><noscript><p>Bitte JavaScript einschalten</p></noscript>` + app, true},
		{"long plea", `<div id="root"></div><noscript>` + words + ` JavaScript</noscript>` + app, true},
		{"root with styles and a template", `<div id="root"><style>` + words + `</style></div><template>` + words + `</template>` + app, true},

		{"empty", ``, false},
		{"root without scripts", `<div id="root"></div>`, false},
		{"data is no code", `<div id="root"></div><script type="application/ld+json">{}</script>`, false},
		{"rendered by the server", `<div id="root"><h1>Ants</h1><p>` + words + `</p></div>` + app, false},
		{"short, rendered by the server", `<div id="__next"><p>We are open from nine to five, from Monday to Friday. Ring the bell.</p></div>` + app, false},
		{"picture", `<img src="hill.jpg" alt="A hill"><script src="https://stats.test/s.js"></script>`, false},
		{"film", `<video src="hill.mp4"></video>` + app, false},
		{"contact", `<h1>Contact</h1><p>1 High Street, +44 1632 960001</p><script src="https://stats.test/s.js"></script><noscript><img src="https://stats.test/p.gif"></noscript>`, false},
		{"redirect stub with a link", `<script>location = "/new"</script><a href="/new">Moved</a>`, false},
		{"login", `<form action="/login"><input name="user"></form>` + app, false},
		{"tag manager", `<p>Short news.</p><noscript><iframe src="https://tags.test/ns.html"></iframe></noscript>` + app, false},
		{"old frames", `<iframe src="/menu.html"></iframe>` + app, false},
		{"long, with a plea", `<p>` + words + `</p><noscript>Please switch JavaScript on to order.</noscript>` + app, false},
		{"widget beside text", `<p>` + words + `</p><div id="app"></div>` + app, false},
	} {
		root, err := html.Parse(strings.NewReader("<!doctype html><title>A title that is no text</title>" + page.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := EmptyShell(root); got != page.shell {
			t.Errorf("%s: %t", page.name, got)
		}
	}
}
