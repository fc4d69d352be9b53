package cli_test

import "strings"

// long is a path that makes an ID of over 512 bytes.
var long = strings.Repeat("x", 512)

// moreRows are rows as well, which go through what holds a change back too.
var moreRows = []row{
	{"read, changed: a field vanished, for which one look is not enough", []evening{
		{`links /a; set /a A|About ants||<meta property="article:published_time" content="2024-12-05">`, "put / new, put /a new"},
		{"set /a A|About ants", "unhealthy /a"},
		{"", "put /a changed"},
	}},
	{"read, changed: the rules change in the same night", []evening{
		{`links /a /b; set /a A|About ants||<meta name="topic" content="Animals">; set /b B|About bees||<meta name="topic" content="Animals">`, "put / new, put /a new, put /b new"},
		{`config extract field = [{name = "Category", from = ["meta:topic"]}]; edit /a ants|aphids`, "patch /a changed, patch /b rules, rules "},
	}},
	{"read, changed: pages whose texts change wholly by nature make no place ill", []evening{
		{`config site volatile = ["/w/*"]; links /w/a /w/b; set /w/a A|Sun over the harbour in the morning, with a light wind from the west, and clouds that come over the hills before the evening; set /w/b B|Snow falls on the islands until noon, and then the ice on the canal will carry those who skate to the old mill`, "put / new, put /w/a new, put /w/b new"},
		{"set /w/a A|Storm and hail all day: ferries stay where they are, trains are late, nobody should walk on the pier, and schools close at two; set /w/b B|Fog so thick that lamps burn at lunch, buses crawl behind one another, and the airport sends its guests to hotels in town", "patch /w/a changed, patch /w/b changed"},
	}},
	{"read, changed: two pages change places", []evening{
		{"links /a /b /c /d; set /c C|About cows; set /d D|About dogs; set /a Ferries|The ferry leaves the harbour every hour and takes people, bicycles and goods to the island, where the road leads on to the old fort; set /b Library|The library lends books, films and games to everybody who lives in town, and is open from Monday to Saturday until late in the evening", "put / new, put /a new, put /b new, put /c new, put /d new"},
		{"set /b Ferries|The ferry leaves the harbour every hour and takes people, bicycles and goods to the island, where the road leads on to the old fort; set /a Library|The library lends books, films and games to everybody who lives in town, and is open from Monday to Saturday until late in the evening", "patch /a changed, patch /b changed"},
	}},
	{"read: the text for clients without scripts", []evening{
		{`links /a; series /a 15 "<title>A</title><div id=app></div><script src=/app.js></script><noscript><main><h1>A</h1><p>|Reply number %d says how the inverter is wired, and what the meter shows at noon. |</p></main></noscript>"`, "put / new, put /a new, noscript-text /a"},
	}},
	{"gone, and back the night it is back, as is a page whose link was published before it", []evening{
		{"links /a /soon; set /a A|About ants", "put / new, put /a new, broken-link /soon"},
		{"status /a 410", "delete /a gone"},
		{"heal /a; set /soon Soon|About spiders", "put /a new, put /soon new"},
	}},
	{"missing, in the sitemap: two runs", []evening{
		{"sitemap on; links /a; set /a A|About ants", "put / new, put /a new"},
		{"status /a 404", ""},
		{"", "delete /a missing"},
	}},
	{"missing by the print: two runs, and it is never a new page", []evening{
		{"soft404 on; links /a /b /c; set /a A|About ants; set /b B|About bees", "put / new, put /a new, put /b new, sitemap /sitemap.xml, broken-link /c"},
		{"remove /b", "sitemap /sitemap.xml"},
		{"", "delete /b soft-404, sitemap /sitemap.xml"},
	}},
	{"missing: the host's 404 page shown with 200, but no start page and no page that says just that", []evening{
		{"lost 404 Sorry|There is no page at this address, use the search or begin at the front page; links /a /b /c; set /a A|About ants; set /b B|About bees; set /c Sorry|There is no page at this address, use the search or begin at the front page", "put / new, put /a new, put /b new, broken-link /c"},
		{"set /a Sorry|There is no page at this address, use the search or begin at the front page", ""},
		{"set /a A|About ants", ""},
	}},
	{"missing: a host that shows its start page for what is not there", []evening{
		{`lost 200 Town|All of our town in one place, with news and hours</p><a href="/a">Ants</a> <a href="/b">Bees</a><p>; set / Town|All of our town in one place, with news and hours</p><a href="/a">Ants</a> <a href="/b">Bees</a><p>; set /a A|About ants; set /b B|About bees`, "put / new, put /a new, put /b new, sitemap /sitemap.xml"},
		{"remove /b", "sitemap /sitemap.xml"},
		{"", "delete /b soft-404, sitemap /sitemap.xml"},
	}},
	{"missing: a document whose text the host begins to show for what is not there stays", []evening{
		{"validators off; links /a /b; set /a Sorry|There is no page at this address, use the search or begin at the front page; set /b B|About bees", "put / new, put /a new, put /b new"},
		{"lost 404 Sorry|There is no page at this address, use the search or begin at the front page", ""},
		{"", ""},
		{"", ""},
	}},
	{"missing: what a host shows of a new page on a bad night is no answer", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"soft404 on; remove /; set /a A|About ants and more|/new", "patch /a changed, sitemap /sitemap.xml, start /, broken-link /new"},
		{"soft404 off; links /a; set /new New|About bees", "put /new new"},
	}},
	{"missing: a redirect that ends in 404, until the page is back", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"redirect /a /nowhere", "broken-link /nowhere"},
		{"", "delete /a missing"},
		{"set /a A|About ants", "put /a new"},
	}},
	{"missing: a static host that answers 404 with its start page", []evening{
		{`lost 404 Town|All of our town in one place, with news and hours</p><a href="/a">Ants</a> <a href="/b">Bees</a><p>; set / Town|All of our town in one place, with news and hours</p><a href="/a">Ants</a> <a href="/b">Bees</a><p>; set /a A|About ants; set /b B|About bees`, "put / new, put /a new, put /b new"},
		{"remove /b; edit /a ants|apes; edit / hours|notes", "patch / changed, patch /a changed, delete /b missing"},
		{"", ""},
	}},
	{"moved: an address that today's rules write otherwise", []evening{
		{"links /a?v=1; set /a?v=1 A|About ants and their hills; set /a A|About ants and their hills", "put / new, put /a?v=1 new"},
		{`config site ignore_params = ["utm_*", "v"]`, "put /a new, delete /a?v=1 moved"},
		{"", ""},
	}},
	{"moved: the target names another page as canonical, by mistake", []evening{
		{"links /a; set /a A|All about ants, how they live and what they eat.", "put / new, put /a new"},
		{`redirect /a /new; set /new A|All about ants, how they live and what they eat.||<link rel="canonical" href="/">`, "put /new new, delete /a moved, canonical /new"},
	}},
	{"moved: a Location of bytes in another encoding", []evening{
		{"links /a /b; set /a A|A story of the town, its harbour and the boats that left it; set /b B|Another story, which is about the hills behind the town", "put / new, put /a new, put /b new"},
		{`set /gr%FC%DFe A|A story of the town, its harbour and the boats that left it; set /find?q=%8Dx B|Another story, which is about the hills behind the town; redirect /a "/gr\xfc\xdfe"; redirect /b "/find?q=\x8dx" 308`, "put /find?q=%8Dx new, put /gr%FC%DFe new, delete /a moved, delete /b moved"},
	}},
	{"moved: pages that lead on by themselves, at once, in a second, by a header and by a script", []evening{
		{"links /a /b /c /d; set /a A|About ants and their hills; set /b B|About bees and their hives; set /c C|About cows and their milk; set /d D|About dogs and their bones", "put / new, put /a new, put /b new, put /c new, put /d new"},
		{`raw /a "<html><head><meta http-equiv=refresh content='0,/new/a'></head></html>"; set /new/a A|About ants and their hills; set /b Moved|Go on||<meta http-equiv=refresh content="1,url=/new/b"><meta name=robots content=noindex><link rel=canonical href=/new/b>; set /new/b B|About bees and their hives; header /c Refresh 0,/new/c; set /new/c C|About cows and their milk; raw /d "<html><noscript><meta http-equiv=refresh content='0,/new/d'></noscript><script>location.replace('/new/d')</script></html>"; set /new/d D|About dogs and their bones`,
			"put /new/a new, put /new/b new, put /new/c new, put /new/d new, delete /a moved, delete /b moved, delete /c moved, delete /d moved"},
		{"", ""},
	}},
	{"redirected, missing, led out: by the page itself", []evening{
		{"links /a /b /c /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16 /17; many 18 set /%d N%d|Number %d; set /a A|About ants; set /b B|About bees; set /c C|About cows", "put / new, put /0 new, put /1 new, put /10 new, put /11 new, put /12 new, put /13 new, put /14 new, put /15 new, put /16 new, put /17 new, put /2 new, put /3 new, put /4 new, put /5 new, put /6 new, put /7 new, put /8 new, put /9 new, put /a new, put /b new, put /c new"},
		{`raw /a "<meta http-equiv=refresh content='0,/0'></html>"; raw /b "<meta http-equiv=refresh content='0,/nowhere'></html>"; raw /c "<meta http-equiv=refresh content='0,/hub'></html>"; set /hub Hub|All||<meta name=robots content=noindex>`, "broken-link /nowhere"},
		{"", "delete /a redirected, delete /b missing"}, {"", "delete /c redirected, redirect /b"}, {"redirect /b /nowhere", "redirect /b"},
	}},
	{"a start page that leads on by itself, to another folder too", []evening{
		{`raw / "<html><head><meta http-equiv=refresh content='0,url=en/latest/'></head><body>Go on to the pages</body></html>"; set /en/latest/ Home|Welcome to the town|/en/latest/a; set /en/latest/a A|About ants`, "put /en/latest/ new, put /en/latest/a new"},
		{"", ""},
		{`raw / "<html><head><meta http-equiv=refresh content='0,url=http://elsewhere.invalid/'></head></html>"`, "start /"},
	}},
	{"elsewhere: a page that leads on by itself in two seconds", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{`raw /a "<meta http-equiv=refresh content='2,/c'></html>"; set /c C|About cows`, "put /c new"}, {"", ""}, {"", "elsewhere /a"},
		{"set /a A|About ants", ""},
	}},
	{"a page that leads on by itself late, or to itself, is a page", []evening{
		{`links /a /b; set /a A|About ants||<meta http-equiv=refresh content="11,/c">; set /c C|About cows; set /b B|About bees||<meta http-equiv=refresh content="0,/b">`, "put / new, put /a new, put /b new, put /c new"},
		{"", ""},
	}},
	{"moved: while the target is unread neither is sent", []evening{
		{"links /a; set /a A|About ants and their hills", "put / new, put /a new"},
		{"redirect /a /new; set /new A|About ants and their hills; status /new 503", "unread /new"},
		{"heal /new", "put /new new, delete /a moved"},
	}},
	{"led out: to a page that asks not to be indexed, or that is known for that", []evening{
		{"links /a /b; set /a A|About ants and their hills; set /b B|About bees and their hives", "put / new, put /a new, put /b new"},
		{`redirect /a /hub; set /hub Hub|About ants and their hills||<meta name="robots" content="noindex">`, ""}, {"", ""}, {"", "delete /a redirected"},
		{"redirect /b /hub", ""}, {"", ""}, {"", "delete /b redirected"},
		{"", ""},
	}},
	{"led out: excluded, closed by robots.txt, a picture with and without a name that says so", []evening{
		{`links /a /b /c /d /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11; many 12 set /%d N%d|Number %d; set /a A|About ants; set /b B|About bees; set /c C|About cows; set /d D|About dogs; robots User-agent: *\nDisallow: /no/; config site exclude = ["/out/**"]`, "put / new, put /0 new, put /1 new, put /10 new, put /11 new, put /2 new, put /3 new, put /4 new, put /5 new, put /6 new, put /7 new, put /8 new, put /9 new, put /a new, put /b new, put /c new, put /d new"},
		{"redirect /a /out/a; redirect /b /no/b; redirect /c /p.png; redirect /d /picture; set /picture P|x; header /picture Content-Type image/png", ""}, {"", ""},
		{"", "delete /a redirected, delete /b redirected, delete /c redirected, delete /d redirected"}, {"", ""},
	}},
	{"refused: more than a tenth waits for an approval, and holds no other delete", []evening{
		{"links /a /b /c /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16 /17; many 18 set /%d N%d|Number %d; set /a A|About ants; set /b B|About bees; set /c C|About cows", "put / new, put /0 new, put /1 new, put /10 new, put /11 new, put /12 new, put /13 new, put /14 new, put /15 new, put /16 new, put /17 new, put /2 new, put /3 new, put /4 new, put /5 new, put /6 new, put /7 new, put /8 new, put /9 new, put /a new, put /b new, put /c new"},
		{"links /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16 /17; status /a 401; status /b 401; status /c 401", "patch / changed, unread /a, unread /b, unread /c"}, {"", "unread /a, unread /b, unread /c"}, {"", "unread /a, unread /b, unread /c"},
		{"links /0 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11 /12 /13 /14 /15 /16 /17; status /1 404", "patch / changed, delete /1 missing, unread /a, unread /b, unread /c"},
		{"", "held /a refused, held /b refused, held /c refused"},
		{"approve", "delete /a refused, delete /b refused, delete /c refused"},
		{"", ""},
	}},
	{"refused: its very content stands at a new address, where all pages are read", []evening{
		{"links /a?e=1; set /a?e=1 A|A file of the town that has an address of its own each day, because it is given away from a store of objects that signs what it gives", "put / new, put /a?e=1 new"},
		{"links /a?e=2; set /a?e=2 A|A file of the town that has an address of its own each day, because it is given away from a store of objects that signs what it gives; status /a?e=1 403", "put /a?e=2 new, patch / changed, delete /a?e=1 moved"},
		{"", ""},
	}},
	{"refused: nothing leads to it any more, as far as pages say that were not read tonight", []evening{
		{"links /h /a /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11; many 12 set /%d N%d|Number %d; set /a A|About ants; set /h Hub|See</p><a href=/a>ants</a><p>", "put / new, put /0 new, put /1 new, put /10 new, put /11 new, put /2 new, put /3 new, put /4 new, put /5 new, put /6 new, put /7 new, put /8 new, put /9 new, put /a new, put /h new"},
		{"links /h /0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11; status /a 403", "patch / changed, unread /a"}, {"", "unread /a"}, {"", "unread /a"}, {"", "unread /a"}, {"", "unread /a"},
		{"set /h Hub|See no ants", "patch /h changed, delete /a refused"},
	}},
	{"redirected: each page to an error page of its own", []evening{
		{`links /p; raw /p "<html><title>All</title><body>List <a href=/p/0>0</a><a href=/p/1>1</a><a href=/p/2>2</a><a href=/p/3>3</a><a href=/p/4>4</a></body></html>"; many 5 set /p/%d T%d|Page number %d tells of the ducks and geese and of where they live in the summer`, "put / new, put /p new, put /p/0 new, put /p/1 new, put /p/2 new, put /p/3 new, put /p/4 new"},
		{"many 5 redirect /p/%d /oops?from=/p/%d; many 5 set /oops?from=/p/%d Oops|The page /p/%d could not be found, please use the search or go back to where you came from", "held /oops?from=/p/0 new, held /oops?from=/p/1 new, held /oops?from=/p/2 new, held /oops?from=/p/3 new, held /oops?from=/p/4 new"},
		{"", "held /oops?from=/p/0 new, held /oops?from=/p/1 new, held /oops?from=/p/2 new, held /oops?from=/p/3 new, held /oops?from=/p/4 new, held /p/0 redirected, held /p/1 redirected, held /p/2 redirected, held /p/3 redirected, held /p/4 redirected"},
		{"many 5 set /p/%d T%d|Page number %d tells of the ducks and geese and of where they live in the summer", ""},
	}},
	{"redirected: less than half of the pages, each to an error page of its own", []evening{
		{"links /p/0 /p/1 /p/2 /p/3 /p/4 /p/5 /p/6 /p/7 /p/8 /p/9 /p/10; many 11 set /p/%d T%d|Page number %d tells of the ducks and geese and of where they live in the summer; set /p/0 A|Ants build hills in the woods all summer long; set /p/1 B|Bees fly from flower to flower and make honey; set /p/2 C|Cows give milk to whoever rises early enough; set /p/3 D|Dogs bark at strangers who come up the hill; set /p/4 E|Eels swim across the ocean once in a life", "put / new, put /p/0 new, put /p/1 new, put /p/10 new, put /p/2 new, put /p/3 new, put /p/4 new, put /p/5 new, put /p/6 new, put /p/7 new, put /p/8 new, put /p/9 new"},
		{"many 5 redirect /p/%d /oops?from=/p/%d 302; many 5 set /oops?from=/p/%d Oops|The page /p/%d could not be found, please use the search or go back to where you came from", "held /oops?from=/p/0 new, held /oops?from=/p/1 new, held /oops?from=/p/2 new, held /oops?from=/p/3 new, held /oops?from=/p/4 new"},
		{"many 5 redirect /p/%d /oops?from=/p/%d", "held /oops?from=/p/0 new, held /oops?from=/p/1 new, held /oops?from=/p/2 new, held /oops?from=/p/3 new, held /oops?from=/p/4 new"},
	}},
	{"a redirect loop keeps the document", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"redirect /a /b; redirect /b /a", "redirect /a, redirect /b"},
		{"", "redirect /a, redirect /b"},
	}},
	{"elsewhere: a permanent redirect to another host stays, unless delete.moved_away says so", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{"redirect /a http://elsewhere.invalid/a", ""},
		{"", ""},
		{"", "elsewhere /a"},
		{`config delete moved_away = "delete"`, "delete /a redirected"},
	}},
	{"noindex in place of a text: one look is not enough", []evening{
		{"links /a; set /a A|Ants build hills in the woods, and bite whoever sits on them, all summer long, and in the winter they sleep under the snow", "put / new, put /a new"},
		{`set /a Notice|Closed||<meta name="robots" content="noindex">`, "unhealthy /a"},
		{"set /a A|Ants build hills in the woods, and bite whoever sits on them, all summer long, and in the winter they sleep under the snow", ""},
		{`set /a Notice|Closed||<meta name="robots" content="noindex">`, "unhealthy /a"},
		{"", "delete /a noindex"},
	}},
	{"duplicate by canonical, known or new", []evening{
		{`links /a /print /b; set /a A|About ants and their hills; set /print A|About ants and their hills||<link rel="canonical" href="/a">; set /b B|About bees and their hives`, "put / new, put /a new, put /b new"},
		{"", ""},
		{`set /b A|About ants and their hills||<link rel="canonical" href="/a">`, "delete /b duplicate"},
	}},
	{"duplicate: what a campaign or a session adds to an address", []evening{
		{"set /a A|About ants; set /a?sid=5f2 A|About ants; set /story?id=1 One|About bees; set /story?id=2 Two|About cows; links /a?sid=5f2 /a /a?utm_source=x&gclid=1 /a?fbclid=2 /a?PHPSESSID=7 /a;jsessionid=8 /a?jsessionid=9 /story?id=1 /story?id=2", "put / new, put /a new, put /story?id=1 new, put /story?id=2 new"},
		{"", ""},
	}},
	{"duplicate: it is back when its twin changes, or goes", []evening{
		{`links /a /b /dept /dept/; set /a A|About ants and their hills; set /b A|About ants and their hills||<link rel="canonical" href="/a">; set /dept Dept|The department of bridges; set /dept/ Dept|The department of bridges`, "put / new, put /a new, put /dept new"},
		{"set /a Z|About zebras and their stripes; remove /dept", "put /b new, put /dept/ new, patch /a changed, delete /dept missing, canonical /b"},
	}},
	{"duplicate: it stays folded where no text is kept, until its twin changes", []evening{
		{`config store keep_text = false; links /a /b; set /a A|About ants and their hills; set /b A|About ants and their hills||<link rel="canonical" href="/a">`, "put / new, put /a new"},
		{"", ""},
		{"set /a Z|About bees, which fly from flower to flower", "put /b new, patch /a changed, canonical /b"},
	}},
	{"duplicate: five that fold into one page in one night count as deletes", []evening{
		{"links /t /0 /1 /2 /3 /4 /5 /6 /7; set /t Our offer|Doors made of oak.</p><p>They last for a hundred years.; many 8 set /%d Offer %d|Doors made of oak.</p><p>They last for a hundred years.</p><p>This is offer number %d.", "put / new, put /0 new, put /1 new, put /2 new, put /3 new, put /4 new, put /5 new, put /6 new, put /7 new, put /t new"},
		{`many 5 set /%d Offer %d|Doors made of oak.</p><p>They last for a hundred years.</p><p>This is offer number %d.||<link rel="canonical" href="/t">`, "held /0 duplicate, held /1 duplicate, held /2 duplicate, held /3 duplicate, held /4 duplicate"},
	}},
	{"owner's mistakes: a canonical that is foreign, a loop, to noindex, to another text; told each night", []evening{
		{`links /a /b /c /d /e; set /a A|About ants; set /b B|About bees||<link rel="canonical" href="http://elsewhere.invalid/b">; set /c C|About cows||<link rel="canonical" href="/d">; set /d C|About cows||<link rel="canonical" href="/c">; set /e E|About eels||<link rel="canonical" href="/hub">; set /hub E|About eels||<meta name="robots" content="noindex">`, "put / new, put /a new, put /b new, put /c new, put /d new, put /e new, canonical /b, canonical /c, canonical /d, canonical /e"},
		{`set /a A|About ants||<link rel="canonical" href="/">`, "canonical /a, canonical /b, canonical /c, canonical /d, canonical /e"},
		{"", "canonical /a, canonical /b, canonical /c, canonical /d, canonical /e"},
		{"set /a A|About ants; edit /e eels|elks", "patch /e changed, canonical /b, canonical /c, canonical /d, canonical /e"},
	}},
	{"robots: closed, and open again, though the page that leads there has not changed", []evening{
		{"links /a; set /a A|About ants", "put / new, put /a new"},
		{`robots User-agent: *\nDisallow: /a`, "delete /a robots"},
		{`robots User-agent: *\nDisallow:`, "put /a new"},
	}},
	{"robots: 403 and a redirect to a 404 are no rules", []evening{
		{"links /a; set /a A|About ants; status /robots.txt 403", "put / new, put /a new"},
		{"heal /robots.txt; redirect /robots.txt /nowhere.txt", ""},
	}},
	{"robots: what an unread page leads to is found once it is open", []evening{
		{`links /shut/a; set /shut/a A|All about ants, how they live and what they eat.; robots User-agent: *\nDisallow: /shut/`, "put / new"},
		{`robots User-agent: *\nDisallow:; status / 403`, "unread /, start /"},
		{"heal /", "put /shut/a new"},
	}},
	{"unhealthy: a text that shrank is kept once", []evening{
		{`links /a; set /a A|About ants and their hills. A hill is home to a million ants, and each of them has work to do. They build, they feed their young, they go to war. In winter the hill is quiet, and in spring it wakes with the sun.||<meta name="description" content="All about ants">`, "put / new, put /a new"},
		{`set /a A|Soon.||<meta name="description" content="All about ants">`, "unhealthy /a"},
		{"", "patch /a changed"},
	}},
	{"unhealthy: a page at the address of a file", []evening{
		{"links /plan.pdf; pdf /plan.pdf The plan|What the town plans for the next ten years, street by street", "put / new, put /plan.pdf new"},
		{"set /plan.pdf Sorry|This file has moved, please ask the town hall for it, or look into the archive on the first floor; header /plan.pdf Content-Type text/html", "unhealthy /plan.pdf"},
		{"", "patch /plan.pdf changed"},
	}},
	{"unread: HTML that breaks off where it did not, once, whether or not its length is told", []evening{
		{`config fetch max_failed_share = 1.0; links /a /b; raw /a "<html><head><title>A</title></head><body><main><p>About ants</p><p>and their long way to the hill</p></main></body></html>"; set /b B|About bees`, "put / new, put /a new, put /b new"},
		{`truncate /a 76; edit /b bees|bears`, "patch /b changed, unread /a"},
		{"heal /a; edit /a hill|nest", "patch /a changed"},
		{`raw /a "<html><head><title>A</title></head><body><main><p>About ants</p><p>and their long way to the"`, "unread /a"},
		{"status /a 503", "unread /a"},
		{"heal /a", "patch /a changed"},
	}},
	{"unread: a page that failed before it breaks off is unread once more", []evening{
		{`config fetch max_failed_share = 1.0; links /a /b; set /a A|About ants; set /b B|About bees`, "put / new, put /a new, put /b new"},
		{"status /a 503", "unread /a"},
		{"heal /a; truncate /a 160", "unread /a"},
		{"", "patch /a changed, validators /a"},
		{"heal /a", "patch /a changed"},
	}},
	{"unread: a required field gets no value", []evening{
		{`config extract field = [{ name = "Price", from = ["meta:price"], where = ["/a"], required = true }]; links /a; set /a A|A bike||<meta name="price" content="900">`, "put / new, put /a new"},
		{"set /a A|Not a bike any more", "unread /a"},
		{`set /a A|Mended||<meta name="price" content="950">`, "patch /a changed"},
	}},
	{"unread: more than a tenth of a host, so what only seems missing is held", []evening{
		{"links /a /b /c /d; set /a A|About ants; set /b B|About bees; set /c C|About cows; set /d D|About dogs", "put / new, put /a new, put /b new, put /c new, put /d new"},
		{"remove /a; status /b 410; status /c 503", "delete /b gone, held /a missing, unread /c"},
		{"heal /c", "delete /a missing"},
	}},
	{"an address that is too long for an ID is told, and the others go on", []evening{
		{"links /a /" + long + "; set /a A|About ants; set /" + long + " L|A long way", "put / new, put /a new, link /"},
	}},
	{"a sitemap of HTML is told; where it listed something it holds deletes", []evening{
		{`links /a /b; set /a A|About ants; set /b B|About bees; raw /sitemap.xml "<html><title>Page not found</title><body>There is nothing here.</body></html>"`, "put / new, put /a new, put /b new, sitemap /sitemap.xml"},
		{`raw /sitemap.xml "<urlset><url><loc>/a</loc></url></urlset>"`, ""},
		{`raw /sitemap.xml "<html><title>Page not found</title><body>There is nothing here.</body></html>"; remove /b`, "held /b missing, sitemap /sitemap.xml"},
	}},
	{"a sitemap that could never be read holds nothing, alone or beside another one", []evening{
		{"links /a /b /c; set /a A|About ants; set /b B|About bees; set /c C|About cows; robots Sitemap: /dead.xml; status /dead.xml 500", "put / new, put /a new, put /b new, put /c new, sitemap /dead.xml"},
		{"remove /a", "delete /a missing, sitemap /dead.xml"},
		{`robots Sitemap: /dead.xml\nSitemap: /living.xml; raw /living.xml "<urlset><url><loc>/c</loc></url></urlset>"`, "sitemap /dead.xml"},
		{"remove /b", "delete /b missing, sitemap /dead.xml"},
	}},
	{"a sitemap that grows tenfold for a night spoils no later one", []evening{
		{`links /a /c; set /a A|About ants; set /c C|About cows; raw /sitemap.xml "<urlset><url><loc>/</loc></url><url><loc>/a</loc></url></urlset>"`, "put / new, put /a new, put /c new"},
		{`series /sitemap.xml 20 "<urlset>|<url><loc>/a?x=%d</loc></url>|</urlset>"`, "broken-link /a?x=0, broken-link /a?x=1, broken-link /a?x=10, broken-link /a?x=11, broken-link /a?x=12, broken-link /a?x=13, broken-link /a?x=14, broken-link /a?x=15, broken-link /a?x=16, broken-link /a?x=17, broken-link /a?x=18, broken-link /a?x=19, broken-link /a?x=2, broken-link /a?x=3, broken-link /a?x=4, broken-link /a?x=5, broken-link /a?x=6, broken-link /a?x=7, broken-link /a?x=8, broken-link /a?x=9"},
		{`raw /sitemap.xml "<urlset><url><loc>/</loc></url><url><loc>/a</loc></url></urlset>"; remove /c`, "delete /c missing"},
	}},
	{"a sitemap in an unknown encoding holds deletes", []evening{
		{`links /a; set /a A|About ants; set /b B|About bees; set /f%C3%B8 F|About fish; raw /sitemap.xml "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><urlset><url><loc>/a</loc></url><url><loc>/b</loc></url><url><loc>/f\xf8</loc></url></urlset>"`, "put / new, put /a new, put /b new, put /f%C3%B8 new"},
		{`remove /a; raw /sitemap.xml "<?xml version=\"1.0\" encoding=\"EBCDIC-INT\"?><urlset><url><loc>/b</loc></url></urlset>"`, "held /a missing, sitemap /sitemap.xml"},
	}},
}
