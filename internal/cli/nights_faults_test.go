package cli_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"sitesync/internal/testsite"
)

const htmlType = "text/html; charset=utf-8"

// badNights are the faults of the matrix.
func badNights() []*badNight {
	var all []*badNight
	for _, some := range [][]*badNight{redirectNights(), rubbishNights(), healingNights(), listNights(), emptyNights()} {
		all = append(all, some...)
	}
	return all
}

// redirectNights send pages to other addresses.
func redirectNights() []*badNight {
	return []*badNight{
		echoNight("error page by redirect", "/error?url=", "Something went wrong", "We could not show the page %s to you. Please try again in a while, or tell us how you came here."),
		echoNight("login page by redirect", "/konto?next=", "Town ID", "You need a town ID to read %s. It takes a minute to get one at the town hall, bring your papers."),
		{name: "pages lead to other old pages", least: 10, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if others := c.truth.alive(kindNews, kindInfo, kindPerson); p.kind == kindNews && p.n <= 200 {
				redirect(a, 301, others[(3*p.n+len(others)/2)%len(others)].path)
			}
		}},
		{name: "items show the list", least: 100, begin: func(c *nightCell) {
			if c.night == 0 { // all texts change as well
				for _, p := range c.truth.alive() {
					c.truth.edit(p)
				}
			}
		}, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.kind == kindItem {
				c.truth.answer("/item", a)
			}
		}},
		{name: "302 to another host", strike: toPlace(302, "http://other.example/closed"), unknown: anyToPlace(302, "http://other.example/closed")},
		{name: "302 to the same path of another host", strike: func(_ *nightCell, p *nightPage, a *testsite.Answer) { redirect(a, 302, "http://other.example"+p.path) }},
		{name: "302 to maintenance.html", strike: toPlace(302, "/maintenance.html"), unknown: maintenance(302)},
		{name: "every page leads on by itself", strike: func(_ *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				answerWith(a, 200, htmlType, strings.Replace(string(a.Body), "</head>", `<meta http-equiv="refresh" content="0; url=/maintenance.html"></head>`, 1))
			}
		}, unknown: func(c *nightCell, path string, a *testsite.Answer) {
			if maintenance(200)(c, path, a); path != "/maintenance.html" {
				a.Header.Set("Refresh", "0;/maintenance.html")
			}
		}},
		{name: "301 to maintenance.html", strike: toPlace(301, "/maintenance.html"), unknown: maintenance(301)},
	}
}

// echoNight sends every page to an address that says which one was asked.
func echoNight(name, place, title, text string) *badNight {
	return &badNight{name: name,
		strike:  func(_ *nightCell, p *nightPage, a *testsite.Answer) { redirect(a, 301, place+url.QueryEscape(p.path)) },
		unknown: func(_ *nightCell, path string, a *testsite.Answer) { echoElse(path, place, a) },
		always: func(c *nightCell, path string, a *testsite.Answer) {
			if was, ok := strings.CutPrefix(path, place); ok {
				was, _ = url.QueryUnescape(was)
				answerWith(a, 200, htmlType, c.truth.layout("en", title, "", fmt.Sprintf("<h1>%s</h1><p>"+text+"</p>", title, was), nil))
			}
		}}
}

func echoElse(path, place string, a *testsite.Answer) {
	if !strings.HasPrefix(path, place) {
		redirect(a, 301, place+url.QueryEscape(path))
	}
}

func redirect(a *testsite.Answer, status int, to string) {
	answerWith(a, status, htmlType, "<p>Moved</p>")
	a.Header.Set("Location", to)
}

func toPlace(status int, to string) func(*nightCell, *nightPage, *testsite.Answer) {
	return func(_ *nightCell, _ *nightPage, a *testsite.Answer) { redirect(a, status, to) }
}

func anyToPlace(status int, to string) func(*nightCell, string, *testsite.Answer) {
	return func(_ *nightCell, _ string, a *testsite.Answer) { redirect(a, status, to) }
}

func maintenance(status int) func(*nightCell, string, *testsite.Answer) {
	return func(c *nightCell, path string, a *testsite.Answer) {
		if path != "/maintenance.html" {
			redirect(a, status, "/maintenance.html")
			return
		}
		answerWith(a, 200, htmlType, c.truth.layout("en", "A short break", "", "<h1>A short break</h1><p>Our pages get a new coat of paint tonight. Come again tomorrow, we will be there.</p>", nil))
	}
}

// rubbishNights show something else in place of the pages' texts.
func rubbishNights() []*badNight {
	return []*badNight{
		{name: "not found with the address at 200", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) { notFoundEcho(c, p.path, a) }, unknown: notFoundEcho},
		{name: "notice under each page's title", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				answerWith(a, 200, htmlType, c.truth.html(p, "", []string{
					"Because of the storm all of the town's counters stay shut today, and the texts that you look for can't be shown before the power is back.",
					"Listen to the radio for news, keep away from the harbour, and call us only if you are in need of help."}))
			}
		}},
		{name: "PHP error", strike: func(_ *nightCell, p *nightPage, a *testsite.Answer) { phpError(p, a) }},
		{name: "another language for everybody", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if _, code := p.tongue(); code == "en" && !p.file() {
				twin := *p
				twin.kind = kindDanish
				answerWith(a, 200, htmlType, c.truth.layout("da", twin.title(), c.truth.head(p), c.truth.main(&twin, twin.blocks()), p))
			}
		}},
		{name: "crossed cache", least: 5, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			all := c.truth.alive(kindNews, kindItem, kindPerson, kindDanish, kindInfo)
			for i, other := range all {
				if other == p {
					c.truth.answer(all[(i+1)%len(all)].path, a)
				}
			}
		}},
		{name: "files give a page", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.file() {
				answerWith(a, 200, htmlType, c.truth.layout("en", "Get our files", "", "<h1>Get our files</h1><p>To get "+p.path+" you have to say that you agree to our terms, which fill three pages.</p>", nil))
			}
		}},
		{name: "one notice under many headings", least: 5, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() && p.kind != kindFront && p.kind != kindList {
				answerWith(a, 200, htmlType, c.truth.layout("en", p.title(), "", "<h1>"+p.title()+"</h1><p>This page is being written anew.</p>", nil))
			}
		}},
		{name: "cut without a length", strike: func(_ *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				half := string(a.Body[:len(a.Body)/2])
				testsite.Raw("HTTP/1.1 200 OK\r\nContent-Type: "+htmlType+"\r\nConnection: close\r\n\r\n"+half)(nil, a)
			}
		}},
	}
}

func notFoundEcho(c *nightCell, path string, a *testsite.Answer) {
	answerWith(a, 200, htmlType, c.truth.layout("en", "Nothing here", "", "<h1>Nothing here</h1><p>The address "+path+" leads to no page of ours. Search for "+path+" above, or begin at the front page.</p>", nil))
}

func phpError(p *nightPage, a *testsite.Answer) {
	rng := rand.New(rand.NewPCG(uint64(p.n), 77))
	answerWith(a, 200, htmlType, fmt.Sprintf("<br />\n<b>Fatal error</b>:  Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused in /var/www/releases/%x/src/%s/Repository.php:%d\nStack trace:\n#0 /var/www/releases/%x/src/Kernel.php(%d): Repository-&gt;find('%s')\n#1 {main}\n  thrown in <b>/var/www/releases/%x/src/%s/Repository.php</b> on line <b>%d</b><br />",
		rng.Uint32(), p.kind, rng.IntN(900), rng.Uint32(), rng.IntN(300), p.path, rng.Uint32(), p.kind, rng.IntN(900)))
}

// healingNights show the pages' own texts, or none, in a way that passes.
func healingNights() []*badNight {
	longer := func(blocks func(p *nightPage) int) func(*nightCell, *nightPage, *testsite.Answer) {
		return func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.file() {
				return
			}
			l, _ := p.tongue()
			all := p.blocks()
			for i := range blocks(p) {
				all = append(all, l.block("the mayor", uint64(p.n), uint64(5000+i)))
			}
			answerWith(a, 200, htmlType, c.truth.html(p, "", all))
		}
	}
	return []*badNight{
		{name: "text a fifth longer", keeps: true, strike: longer(func(p *nightPage) int { return 1 + len(p.blocks())/5 })},
		{name: "text five times as long", keeps: true, strike: longer(func(p *nightPage) int { return 4 * len(p.blocks()) })},
		{name: "one field more", keeps: true, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				answerWith(a, 200, htmlType, c.truth.html(p, `<meta name="description" content="What the town knows of `+p.title()+`, told by those who were there.">`, p.blocks()))
			}
		}},
		{name: "5 % are 404", proof: true, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.kind != kindFront && rand.New(rand.NewPCG(uint64(p.n), uint64(c.night))).IntN(20) == 0 {
				c.truth.answer("/nothing", a)
			}
		}},
		{name: "some are 410", proof: true, strike: func(_ *nightCell, p *nightPage, a *testsite.Answer) {
			if p.kind != kindFront && p.n%15 == 7 {
				answerWith(a, http.StatusGone, htmlType, "<p>Gone</p>")
			}
		}},
		{name: "a link before its page", proof: true, strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if p.modified > 0 && p.kind == kindInfo {
				c.truth.answer("/nothing", a)
			}
		}},
		{name: "all are 404 though listed", strike: func(c *nightCell, _ *nightPage, a *testsite.Answer) { c.truth.answer("/nothing", a) }},
	}
}

// listNights are faults of robots.txt and sitemap, and addresses without end.
func listNights() []*badNight {
	special := func(name, path string, say func(c *nightCell, a *testsite.Answer)) *badNight {
		return &badNight{name: name, keeps: true, always: func(c *nightCell, at string, a *testsite.Answer) {
			if at == path && c.ill {
				say(c, a)
			}
		}}
	}
	status := func(code int) func(*nightCell, *testsite.Answer) {
		return func(_ *nightCell, a *testsite.Answer) { answerWith(a, code, htmlType, "<p>Sorry</p>") }
	}
	bloated := special("sitemap bloated", "/sitemap.xml", func(c *nightCell, a *testsite.Answer) {
		var more strings.Builder
		for i := range 3 * c.size {
			fmt.Fprintf(&more, "<url><loc>%s/tag/%d</loc></url>\n", nightOrigin, i)
		}
		answerWith(a, 200, "application/xml", strings.Replace(string(a.Body), "</urlset>", more.String()+"</urlset>", 1))
	})
	bloated.slow = 2 // a list that was long for some nights, and is short, is a collapse until its size is forgotten
	return []*badNight{
		bloated,
		special("sitemap dead", "/sitemap.xml", status(503)),
		special("sitemap 404", "/sitemap.xml", status(404)),
		special("robots.txt 404", "/robots.txt", status(404)),
		special("robots.txt is a page", "/robots.txt", func(c *nightCell, a *testsite.Answer) { c.truth.answer("/", a) }),
		special("robots.txt guarded", "/robots.txt", func(_ *nightCell, a *testsite.Answer) { testsite.BotGuard()(nil, a) }),
		special("robots.txt empty", "/robots.txt", func(_ *nightCell, a *testsite.Answer) { answerWith(a, 200, "text/plain", "") }),
		special("robots.txt guarded by 403", "/robots.txt", func(_ *nightCell, a *testsite.Answer) {
			answerWith(a, 403, htmlType, "<title>Just a moment...</title>")
			a.Header.Set("Cf-Mitigated", "challenge")
		}),
		special("robots.txt guarded by 202", "/robots.txt", func(_ *nightCell, a *testsite.Answer) {
			answerWith(a, 202, htmlType, "")
			a.Header.Set("X-Amzn-Waf-Action", "challenge")
		}),
		sessionNight("session in the path", func(id, path string) string { return path + ";jsessionid=" + id }, func(path string) string {
			was, _, _ := strings.Cut(path, ";jsessionid=")
			return was
		}),
		sessionNight("session before the path", func(id, path string) string { return "/(S(" + id + "))" + path }, func(path string) string {
			if strings.HasPrefix(path, "/(S(") {
				_, path, _ = strings.Cut(path, "))")
			}
			return path
		}),
	}
}

// sessionNight writes a session's ID into all links, another one each night.
func sessionNight(name string, into func(id, path string) string, out func(path string) string) *badNight {
	return &badNight{name: name, keeps: true, always: func(c *nightCell, path string, a *testsite.Answer) {
		if !c.ill {
			return
		}
		if was := out(path); was != path {
			c.truth.answer(was, a)
		}
		id := fmt.Sprintf("%016X", rand.New(rand.NewPCG(uint64(c.truth.day), 9)).Uint64())
		if a.Header.Get("Content-Type") != htmlType {
			return
		}
		text := sessionLinks.ReplaceAllStringFunc(string(a.Body), func(link string) string {
			return `<a href="` + into(id, strings.TrimPrefix(strings.TrimSuffix(link, `"`), `<a href="`)) + `"`
		})
		answerWith(a, a.Status, htmlType, text)
	}}
}

var sessionLinks = regexp.MustCompile(`<a href="(/[^"]*)"`)

// emptyNights show next to nothing.
func emptyNights() []*badNight {
	return []*badNight{
		{name: "empty shells", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				answerWith(a, 200, htmlType, `<!doctype html><html lang="en"><head><title>`+p.title()+`</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`)
			}
		}},
		{name: "notice with noindex", strike: func(c *nightCell, p *nightPage, a *testsite.Answer) {
			if !p.file() {
				answerWith(a, 200, htmlType, c.truth.layout("en", "Another day", `<meta name="robots" content="noindex">`, "<h1>Another day</h1><p>The town sleeps, and so do its pages. Ask the neighbours.</p>", nil))
			}
		}},
	}
}
