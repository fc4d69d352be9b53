package robots

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/weburl"
)

// TestAllowed holds RFC 9309, one path a case.
func TestAllowed(t *testing.T) {
	files := []struct {
		name, robots       string
		allowed, forbidden []string
	}{
		{"empty", "", []string{"/", "/a", "/robots.txt"}, nil},
		{"disallow nothing", "user-agent: sitesync\ndisallow:", []string{"/", "/a"}, nil},
		{"allow nothing", "user-agent: sitesync\nallow:\ndisallow: /a", []string{"/"}, []string{"/a"}},
		{"prefix", "user-agent: *\ndisallow: /fish", []string{"/", "/Fish", "/catfish", "/?id=fish", "/fis", "/a/fish"},
			[]string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish?id=1"}},
		{"any case of keys", "USER-AGENT: *\nDisAllow: /a\nALLOW: /a/b", []string{"/a/b"}, []string{"/a"}},

		// Groups, section 2.2.1
		{"own group", "user-agent: *\ndisallow: /\nuser-agent: sitesync\ndisallow: /a", []string{"/", "/b"}, []string{"/a"}},
		{"other groups", "user-agent: other\ndisallow: /\nuser-agent: sitesyncer\ndisallow: /\nuser-agent: site\ndisallow: /\nuser-agent: sitesync-news\ndisallow: /", []string{"/"}, nil},
		{"own with version", "user-agent: sitesync/2.0\ndisallow: /a\nuser-agent: *\ndisallow: /", []string{"/b"}, []string{"/a"}},
		{"own with words", "user-agent: sitesync bot\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"own not first word", "user-agent: bot sitesync\ndisallow: /a", []string{"/a"}, nil},
		{"merged", "user-agent: sitesync\ndisallow: /a\n\nuser-agent: other\ndisallow: /b\n\nuser-agent: sitesync\ndisallow: /c", []string{"/b"}, []string{"/a", "/c"}},
		{"shared group", "user-agent: other\nuser-agent: sitesync\nuser-agent: third\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"shared with any", "user-agent: sitesync\nuser-agent: *\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"own group without rules", "user-agent: *\ndisallow: /\nuser-agent: sitesync\n", []string{"/", "/a"}, nil},
		{"rules before a group", "disallow: /\nuser-agent: *\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"only rules", "disallow: /\nallow: /a", []string{"/", "/a"}, nil},
		{"any with words", "user-agent: * all\ndisallow: /a", nil, []string{"/a"}},
		{"no agent", "user-agent:\ndisallow: /", []string{"/"}, nil},
		{"not any", "user-agent: *x\ndisallow: /", []string{"/"}, nil},
		{"sitemap in a group", "user-agent: sitesync\nsitemap: https://a.example/s.xml\ndisallow: /a\nsitemap: /t.xml\ndisallow: /b", nil, []string{"/a", "/b"}},
		{"unknown between agents", "user-agent: sitesync\nfoo: bar\nuser-agent: other\ndisallow: /a", nil, []string{"/a"}},
		{"unknown in a group", "user-agent: *\ndisallow: /a\nhost: a.example\nclean-param: x /\nnoindex: /c\ndisallow: /b", []string{"/c"}, []string{"/a", "/b"}},

		// Longest match, section 2.2.2
		{"longest wins", "user-agent: *\nallow: /x/page.html\ndisallow: /x/", []string{"/x/page.html", "/x/page.html?y", "/"}, []string{"/x/", "/x/p"}},
		{"allow wins ties", "user-agent: *\ndisallow: /p\nallow: /p", []string{"/p", "/page"}, nil},
		{"tie of stars", "user-agent: *\nallow: /folder\ndisallow: /*older", []string{"/folder/page"}, []string{"/bolder"}},
		{"star is longer", "user-agent: *\nallow: /page\ndisallow: /*.htm", []string{"/page"}, []string{"/page.htm"}},
		{"star counts once", "user-agent: *\nallow: /page\ndisallow: /*.ph", []string{"/page.php5"}, []string{"/x.php"}},
		{"dollar counts", "user-agent: *\nallow: /$\ndisallow: /", []string{"/"}, []string{"/page.htm"}},
		{"trailing star counts", "user-agent: *\nallow: /fish\ndisallow: /fish*", []string{"/fis"}, []string{"/fish", "/fish1"}},
		{"across merged groups", "user-agent: *\ndisallow: /a\nuser-agent: *\nallow: /a/b", []string{"/a/b"}, []string{"/a/c"}},
		{"encoding has one length", "user-agent: *\ndisallow: /ツ\nallow: /%E3%83%84", []string{"/%E3%83%84"}, nil},
		{"encoding of a plain letter has one length", "user-agent: *\ndisallow: /%61%62\nallow: /abc", []string{"/abc"}, []string{"/ab"}},

		// Special characters, section 2.2.3
		{"star in the middle", "user-agent: *\ndisallow: /*.php", []string{"/", "/windows.PHP", "/phpx"},
			[]string{"/index.php", "/filename.php", "/folder/filename.php?parameters", "/folder/any.php.file.html", "/filename.php/", "/a/b.php5"}},
		{"end", "user-agent: *\ndisallow: /*.php$", []string{"/filename.php?parameters", "/filename.php/", "/filename.php5", "/windows.PHP"},
			[]string{"/filename.php", "/folder/filename.php", "/a.php.php"}},
		{"star first", "user-agent: *\ndisallow: *.gif$", []string{"/a.gif?x", "/a.gifs"}, []string{"/a.gif", "/b/c.gif"}},
		{"star alone", "user-agent: *\ndisallow: *", []string{"/robots.txt"}, []string{"/", "/a"}},
		{"two stars", "user-agent: *\ndisallow: /a*b*c$", []string{"/abcd", "/acb"}, []string{"/abc", "/axbxc", "/abcbc", "/aXcbc"}},
		{"star matches nothing", "user-agent: *\ndisallow: /a*/b", []string{"/ab"}, []string{"/a/b", "/ax/b", "/a/x/b"}},
		{"piece may not be used twice", "user-agent: *\ndisallow: /ab*ba$", []string{"/aba"}, []string{"/abba", "/abxba"}},
		{"piece may not be used twice in the middle", "user-agent: *\ndisallow: /a*b*b*c", []string{"/abc"}, []string{"/abbc", "/abxbc"}},
		{"end counts", "user-agent: *\ndisallow: /a$\nallow: /a", []string{"/ab"}, []string{"/a"}},
		{"dollar within", "user-agent: *\ndisallow: /a$b", []string{"/a", "/ab"}, []string{"/a$b", "/a$bc", "/a%24b"}},
		{"encoded dollar", "user-agent: *\ndisallow: /foo-%24", []string{"/foo-", "/foo-x"}, []string{"/foo-$", "/foo-%24", "/foo-$x"}},
		{"encoded star", "user-agent: *\ndisallow: /file-%2A.html", []string{"/file-x.html"}, []string{"/file-*.html", "/file-%2A.html", "/file-%2a.html"}},
		{"query", "user-agent: *\ndisallow: /*?", []string{"/a", "/a%3Fb"}, []string{"/a?", "/a?b", "/?"}},
		{"query parameter", "user-agent: *\ndisallow: /*?*sort=", []string{"/a?resort", "/sort="}, []string{"/a?sort=1", "/a?b=1&sort=2", "/a?resort=1"}},

		// One percent-encoding, section 2.2.2
		{"reserved in a query", "user-agent: *\ndisallow: /foo/bar?baz=https://foo.bar", nil, []string{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2ffoo.bar"}},
		{"reserved encoded in a query", "user-agent: *\ndisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", nil, []string{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"}},
		{"bare letters beyond ASCII", "user-agent: *\ndisallow: /foo/bar/ツ", []string{"/foo/bar/"}, []string{"/foo/bar/ツ", "/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84x"}},
		{"encoded letters beyond ASCII", "user-agent: *\ndisallow: /foo/bar/%e3%83%84", nil, []string{"/foo/bar/%E3%83%84", "/foo/bar/ツ"}},
		{"encoded ASCII", "user-agent: *\ndisallow: /foo/bar/%62%61%7A", nil, []string{"/foo/bar/baz", "/foo/bar/%62%61%7A", "/foo/bar/b%61z"}},
		{"bare ASCII", "user-agent: *\ndisallow: /~joe/", nil, []string{"/~joe/", "/%7Ejoe/", "/%7ejoe/x"}},
		{"slash keeps its meaning", "user-agent: *\ndisallow: /a/b", []string{"/a%2Fb"}, []string{"/a/b"}},
		{"encoded slash keeps its meaning", "user-agent: *\ndisallow: /a%2Fb", []string{"/a/b"}, []string{"/a%2Fb", "/a%2fb"}},
		{"encoded slash after a star", "user-agent: *\ndisallow: /*%2F", []string{"/a/b"}, []string{"/a%2Fb"}},
		{"encoded slash after a star in a query", "user-agent: *\ndisallow: /*?u=*%2Fx", []string{"/a?u=x"}, []string{"/a?u=b%2Fx", "/a?u=b/x"}},
		{"space", "user-agent: *\ndisallow: /a b", []string{"/ab", "/a+b"}, []string{"/a%20b"}},
		{"lone percent", "user-agent: *\ndisallow: /100%", []string{"/100"}, []string{"/100%", "/100%25", "/100%x"}},
		{"bytes that are no UTF-8", "user-agent: *\ndisallow: /\xff", []string{"/"}, []string{"/%FF"}},

		// Lines, section 2.2
		{"carriage returns", "user-agent: *\rdisallow: /a\rdisallow: /b", []string{"/c"}, []string{"/a", "/b"}},
		{"both", "user-agent: *\r\ndisallow: /a\r\n\r\ndisallow: /b\r\n", []string{"/c"}, []string{"/a", "/b"}},
		{"a cut byte order mark", "\xEF\xBBuser-agent: *\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"one byte of it", "\xEFuser-agent: *\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"byte order mark", "\uFEFFuser-agent: *\ndisallow: /a", []string{"/b"}, []string{"/a"}},
		{"comments", "# x\nuser-agent: * # all\ndisallow: /a # not this\n#disallow: /b\ndisallow: #/c", []string{"/b", "/c"}, []string{"/a"}},
		{"blanks", "  user-agent\t:\t*  \n\t disallow  :  /a\t \n", []string{"/b"}, []string{"/a"}},
		{"no colon", "user-agent *\ndisallow /a", []string{"/b"}, []string{"/a"}},
		{"no colon but one in the value", "user-agent *\ndisallow /a:b", []string{"/a"}, []string{"/a:b"}},
		{"sentence", "user-agent: *\ndisallow all of them\ndisallow", []string{"/all", "/"}, nil},
		{"no hyphen", "useragent: *\ndisallow: /a", nil, []string{"/a"}},
		{"space for hyphen", "user agent: *\ndisallow: /a", nil, []string{"/a"}},
		{"misspelt", "user-agent: *\ndissallow: /a\ndisalow: /b\ndissalow: /c\ndiasllow: /d\ndisallaw: /e", []string{"/f"}, []string{"/a", "/b", "/c", "/d", "/e"}},
		{"other words are no rules", "user-agent: *\nnodisallow: /a\ndisallowed-by: /b", []string{"/a", "/b"}, nil},
		{"no leading slash", "user-agent: *\ndisallow: a\ndisallow: https://a.example/b\ndisallow: $", []string{"/a", "/b", "/"}, nil},
		{"page instead of a file", "<!DOCTYPE html>\n<html><body>user-agent: *</body></html>\n<p>disallow: /</p>", []string{"/"}, nil},
		{"noise between lines", "user-agent: *\n\x00\x01\xff:\xfe\n::::\n:\ndisallow: /a", []string{"/b"}, []string{"/a"}},
	}
	count := 0
	for _, f := range files {
		robots := Parse([]byte(f.robots), "sitesync")
		for _, path := range f.allowed {
			count++
			if ok, rule := robots.Allowed(path); !ok {
				t.Errorf("%s: %s is forbidden by %q", f.name, path, rule)
			}
		}
		for _, path := range f.forbidden {
			count++
			if ok, rule := robots.Allowed(path); ok {
				t.Errorf("%s: %s is allowed by %q", f.name, path, rule)
			}
		}
	}
	if count < 150 {
		t.Errorf("the table has %d cases, want 150 at least", count)
	}
}

func TestNamesTheLine(t *testing.T) {
	robots := Parse([]byte("User-agent: *\nDisallow: /a # private\n  ALLOW :/a/b\nDisallow: /"+strings.Repeat("x", 300)), "sitesync")
	cases := []struct{ path, rule string }{
		{"/", ""},
		{"/a", "Disallow: /a"},
		{"/a/b", "ALLOW :/a/b"},
		{"/robots.txt", ""},
		{"/" + strings.Repeat("x", 300), ("Disallow: /" + strings.Repeat("x", 300))[:200]},
	}
	for _, c := range cases {
		if _, rule := robots.Allowed(c.path); rule != c.rule {
			t.Errorf("%.20s: decided by %q, want %q", c.path, rule, c.rule)
		}
	}
}

func TestAgents(t *testing.T) {
	robots := "user-agent: *\ndisallow: /any\nuser-agent: Foo-Bot_x\ndisallow: /foo"
	for agent, path := range map[string]string{"foo-bot_x": "/foo", "FOO-BOT_X/1.2 (+https://a.example)": "/foo", "foo": "/any", "": "/any", "1.2": "/any"} {
		if ok, _ := Parse([]byte(robots), agent).Allowed(path); ok {
			t.Errorf("%q may fetch %s", agent, path)
		}
	}
}

func TestSitemaps(t *testing.T) {
	body := "Sitemap: https://a.example/1.xml\nuser-agent: other\nSITE-MAP:https://a.example/2.xml # two\ndisallow: /\nSitemap https://a.example/3.xml\nsitemap:\nsitemap: /4.xml?a:b\n"
	want := []string{"https://a.example/1.xml", "https://a.example/2.xml", "https://a.example/3.xml", "/4.xml?a:b"}
	if got := Parse([]byte(body), "sitesync").Sitemaps; !slices.Equal(got, want) {
		t.Errorf("Sitemaps = %q, want %q", got, want)
	}
}

func TestDelay(t *testing.T) {
	cases := []struct {
		robots string
		want   time.Duration
	}{
		{"user-agent: *\ncrawl-delay: 10", 10 * time.Second},
		{"user-agent: *\nCrawl-Delay: 0.5", 500 * time.Millisecond},
		{"user-agent: *\ncrawl-delay: 86400", maxDelay},
		{"user-agent: *\ncrawl-delay: 1e300", maxDelay},
		{"user-agent: *\ncrawl-delay: inf", maxDelay},
		{"user-agent: *\ncrawl-delay: nan", 0},
		{"user-agent: *\ncrawl-delay: -1", 0},
		{"user-agent: *\ncrawl-delay: soon", 0},
		{"crawl-delay: 1", 0},
		{"user-agent: *\ncrawl-delay: 3\ncrawl-delay: 2", 3 * time.Second},
		{"user-agent: *\ncrawl-delay: 3\nuser-agent: sitesync\ndisallow: /a", 0},
		{"user-agent: sitesync\ncrawl-delay: 3\nuser-agent: *\ncrawl-delay: 5\ndisallow: /a", 3 * time.Second},
		{"user-agent: sitesync\nuser-agent: other\ncrawl-delay: 3", 3 * time.Second},
		{"user-agent: other\ncrawl-delay: 3\nuser-agent: sitesync\ndisallow: /a", 0},
		{"user-agent: sitesync\ndisallow: /a\ncrawl-delay: 3", 3 * time.Second},
		{"user-agent: sitesync\ndisallow: /a\nuser-agent: other\ncrawl-delay: 3", 0},
	}
	for _, c := range cases {
		if got := Parse([]byte(c.robots), "sitesync").Delay; got != c.want {
			t.Errorf("%q: delay %v, want %v", c.robots, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("user-agent: sitesync\nallow: /a*b$\ndisallow: /%2F?x=%2f\ncrawl-delay: 1\nsitemap: x"), "/a/b?x=%2F")
	f.Add([]byte("\uFEFFuser-agent *\r\rdisallow /"+strings.Repeat("*a", 50)+"b$"), "/"+strings.Repeat("a", 100))
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		robots := Parse(body, "sitesync")
		ok, rule := robots.Allowed(path)
		if !ok && rule == "" {
			t.Errorf("%q is forbidden by no rule", path)
		}
		if robots.Delay < 0 || robots.Delay > maxDelay {
			t.Errorf("delay %v", robots.Delay)
		}
		form := weburl.Normalize(path, false)
		if again := weburl.Normalize(form, false); again != form {
			t.Errorf("one form of %q is %q, and of that %q", path, form, again)
		}
		if again, rule2 := robots.Allowed(form); path != "/robots.txt" && form != "/robots.txt" && (again != ok || rule2 != rule) {
			t.Errorf("%q and its one form %q are judged differently: %q, %q", path, form, rule, rule2)
		}
	})
}
