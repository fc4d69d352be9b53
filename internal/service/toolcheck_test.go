package service

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"sitesync/internal/wire"
)

// TestToolBodies: what is stored and answered for a body that is taken.
func TestToolBodies(t *testing.T) {
	tests := map[string]struct {
		kind       wire.Kind
		body, want string // after the ID
	}{
		"ranking":          {wire.KindRanking, "{" + ranking, ranking},
		"quicklink":        {wire.KindQuicklink, "{" + quicklink, quicklink},
		"banner":           {wire.KindBanner, "{" + banner, banner},
		"synonyms":         {wire.KindSynonyms, "{" + synonyms, synonyms},
		"least ranking":    {wire.KindRanking, `{"name":"R","WebsiteId":7}`, `"name":"R","WebsiteId":7,"pages":[],"rankingterms":[],"audiences":null,"brokenLinksFoundAt":""}`},
		"nulls":            {wire.KindBanner, `{"name":"B","htmlcode":"<b>","websiteid":7,"bannerterms":null,"isDisabled":null,"from":null,"to":null}`, banner},
		"any case":         {wire.KindQuicklink, `{"URL":"https://x.example/","WebsiteId":7,"Terms":[]}`, quicklink},
		"exact case wins":  {wire.KindQuicklink, `{"URL":1,"url":"https://x.example/","Url":2,"websiteId":"x","websiteid":7}`, quicklink},
		"answers' keys":    {wire.KindBanner, `{"ID":9,"id":"x","engineIds":1,"Frequency":1,"daysOfWeek":1,"cssCode":1,"jsonOption":1,"editorType":1,"brokenLinksFoundAt":1,` + banner, banner},
		"groupId":          {wire.KindSynonyms, `{"groupId":9,` + synonyms, synonyms},
		"window in UTC":    {wire.KindBanner, `{"name":"B","htmlcode":"b","websiteid":1,"from":"2026-03-01T01:30:00.5+02:00","to":"2026-03-01T00:00:00Z"}`, `"name":"B","htmlcode":"b","websiteid":1,"bannerterms":[],"isDisabled":false,"from":"2026-02-28T23:30:00.5Z","to":"2026-03-01T00:00:00Z","audiences":null,` + informs + `,"engineIds":[1]}`},
		"opaque, byte for": {wire.KindBanner, `{"name":"\u0042","htmlcode":"\/","websiteid":1,"audiences":[ {"b" : 1.0, "a":[1e99999]},null ]}`, `"name":"\u0042","htmlcode":"\/","websiteid":1,"bannerterms":[],"isDisabled":false,"audiences":[ {"b" : 1.0, "a":[1e99999]},null ],` + informs + `,"engineIds":[1]}`},
		"unknown keys":     {wire.KindQuicklink, `{"z":{"a" : 1.00},"url":"u","a":null,"websiteid":1,"terms":[{"x":[ 1 ],"name":"t"}]}`, `"url":"u","websiteid":1,"terms":[{"name":"t","x":[ 1 ]}],"brokenLinksFoundAt":"","z":{"a" : 1.00},"a":null}`},
		"pages' keys":      {wire.KindRanking, `{"name":"R","WebsiteId":7,"pages":[{"x":1,"WebsiteId":7,"Page":{"y":2,"PAGEURL":"u","searchable":false},"SHOWPAGE":false,"rank":0}]}`, `"name":"R","WebsiteId":7,"pages":[{"rank":0,"showpage":false,"page":{"pageurl":"u","searchable":false,"y":2},"websiteid":7,"x":1}],"rankingterms":[],"audiences":null,"brokenLinksFoundAt":""}`},
		"big engine":       {wire.KindQuicklink, `{"url":"u","websiteid":9223372036854775807}`, `"url":"u","websiteid":9223372036854775807,"terms":[],"brokenLinksFoundAt":""}`},
	}
	l := open(t, Options{Extended: true})
	last := map[wire.Kind]int{}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sample := toolSamples()[test.kind]
			last[test.kind]++
			sample.body = test.want
			id := strconv.Itoa(last[test.kind])
			if got := l.want(200, "POST", sample.path, test.body); got != sample.with(id) {
				t.Errorf("want %s, got %s", sample.with(id), got)
			}
			if got := l.want(200, "GET", sample.path+"/"+id, ""); got != sample.with(id) {
				t.Errorf("want %s read back, got %s", sample.with(id), got)
			}
		})
	}
}

// TestToolFaults: what is told of a body that is refused, and that nothing is stored.
func TestToolFaults(t *testing.T) {
	const required = "this field is required"
	many := "[" + strings.Repeat(`{"name":"t"},`, 1000) + `{"name":"t"}]`
	page := func(entry string) string { return `{"name":"R","WebsiteId":1,"pages":[` + entry + `]}` }
	window := func(from, to string) string {
		return `{"name":"B","htmlcode":"b","websiteid":1,"from":` + from + `,"to":` + to + `}`
	}
	tests := []struct {
		kind   wire.Kind
		body   string
		answer string // "path: message; ..."; for synonyms the message
	}{
		{wire.KindRanking, `{}`, "WebsiteId: " + required + "; name: " + required},
		{wire.KindRanking, `{"name":" ","WebsiteId":null,"pages":{},"rankingterms":3,"audiences":{}}`, "WebsiteId: " + required + "; audiences: must be an array or null; name: " + required + "; pages: must be an array of at most 1000 entries; rankingterms: must be an array of at most 1000 entries"},
		{wire.KindRanking, `{"name":1,"WebsiteId":"1"}`, "WebsiteId: must be an integer, 1 or more; name: must be a string"},
		{wire.KindRanking, `{"name":"R","WebsiteId":-1}`, "WebsiteId: must be an integer, 1 or more"},
		{wire.KindRanking, `{"name":"R","WebsiteId":9223372036854775808}`, "WebsiteId: must be an integer, 1 or more"},
		{wire.KindRanking, page(`{}`), "pages[0].page.pageurl: " + required + "; pages[0].rank: " + required + "; pages[0].showpage: " + required},
		{wire.KindRanking, page(`null,{"rank":1,"showpage":true,"page":null}`), "pages[0]: must be an object; pages[1].page.pageurl: " + required},
		{wire.KindRanking, page(`{"rank":1,"showpage":true,"page":{"pageurl":"u"}},{"rank":2,"showpage":true,"page":{"pageurl":""}}`), "pages[1].page.pageurl: " + required},
		{wire.KindRanking, page(`{"rank":"1","showpage":"true","page":[],"websiteid":1.5}`), "pages[0].page: must be an object; pages[0].rank: must be an integer, 0 or more; pages[0].showpage: must be true or false; pages[0].websiteid: must be an integer, 0 or more"},
		{wire.KindRanking, page(`{"rank":-1,"showpage":true,"page":{"pageurl":1,"name":1,"pageid":1,"searchable":1,"websiteid":-1}}`), "pages[0].page.name: must be a string; pages[0].page.pageid: must be a string; pages[0].page.pageurl: must be a string; pages[0].page.searchable: must be true or false; pages[0].page.websiteid: must be an integer, 0 or more; pages[0].rank: must be an integer, 0 or more"},
		{wire.KindRanking, `{"name":"R","WebsiteId":1,"rankingterms":[{"name":"t"},{"name":"\t"},"t"]}`, "rankingterms[1].name: " + required + "; rankingterms[2]: must be an object"},
		{wire.KindQuicklink, `{"terms":[{}]}`, "terms[0].name: " + required + "; url: " + required + "; websiteid: " + required},
		{wire.KindQuicklink, `{"url":"u","websiteid":1,"terms":` + many + `}`, "terms: must be an array of at most 1000 entries"},
		{wire.KindBanner, `{"isDisabled":"no"}`, "htmlcode: " + required + "; isDisabled: must be true or false; name: " + required + "; websiteid: " + required},
		{wire.KindBanner, window(`"2026-01-01"`, `1`), "from: must be a date-time of RFC 3339; to: must be a date-time of RFC 3339"},
		{wire.KindBanner, window(`"0000-01-01T00:00:00+01:00"`, `""`), "from: must be a date-time of RFC 3339; to: must be a date-time of RFC 3339"},
		{wire.KindBanner, window(`"2026-01-01T01:00:00+01:00"`, `"2026-01-01T00:00:00Z"`), "to: must be later than from"},
		{wire.KindSynonyms, `{}`, "language: " + required + "; words: " + required},
		{wire.KindSynonyms, `{"words":[],"language":"eng"}`, "language: must be two letters; words: " + required},
		{wire.KindSynonyms, `{"words":["a",""," ",1,null],"language":3}`, "language: must be a string; words[1]: " + required + "; words[2]: " + required + "; words[3]: must be a string; words[4]: " + required},
		{wire.KindSynonyms, `{"words":"a","language":"e1"}`, "language: must be two letters; words: must be an array of at most 1000 entries"},
	}
	l := open(t, Options{Extended: true})
	for _, test := range tests {
		answer := test.answer
		if test.kind == wire.KindSynonyms {
			answer = `{"message":"` + answer + `"}`
		} else {
			answer = `{"` + strings.NewReplacer(": ", `":["`, "; ", `"],"`).Replace(answer) + `"]}`
		}
		if got := l.want(400, "POST", toolSamples()[test.kind].path, test.body); got != answer+"\n" {
			t.Errorf("%s: want %s, got %s", test.body, answer, got)
		}
	}
	var keys strings.Builder
	for i := range 1000 + 1 {
		fmt.Fprintf(&keys, `"%d":1,`, i)
	}
	for kind, sample := range toolSamples() {
		for _, body := range []string{``, `{`, `[]`, `null`, `"x"`, `3`, `{} {}`, strings.Repeat("[", 20000), "{" + keys.String() + sample.body} {
			l.refuses(400, "POST", sample.path, body)
		}
		l.shown(kind)
	}
}
