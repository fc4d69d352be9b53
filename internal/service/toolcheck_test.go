package service

import (
	"strings"
	"testing"

	"sitesync/internal/wire"
)

// TestToolBodies: what is stored and answered for a body that is taken.
func TestToolBodies(t *testing.T) {
	l := open(t, Options{Extended: true})
	for name, test := range map[string]struct {
		kind       wire.Kind
		body, want string // after the ID
	}{
		"ranking":       {wire.KindRanking, "{" + ranking, ranking},
		"quicklink":     {wire.KindQuicklink, "{" + quicklink, quicklink},
		"banner":        {wire.KindBanner, "{" + banner, banner},
		"synonyms":      {wire.KindSynonyms, `{"groupId":9,` + synonyms, synonyms},
		"least ranking": {wire.KindRanking, `{"name":"R","WebsiteId":7}`, `"name":"R","WebsiteId":7,"pages":[],"rankingterms":[],"brokenLinksFoundAt":""}`},
		"any case":      {wire.KindQuicklink, `{"URL":"https://x.example/","WebsiteId":7,"Terms":[]}`, quicklink},
		"answers' keys": {wire.KindBanner, `{"ID":9,"id":"x","engineIds":1,"Frequency":1,"daysOfWeek":1,"cssCode":1,"jsonOption":1,"editorType":1,"brokenLinksFoundAt":1,` + banner, banner},
		"opaque":        {wire.KindBanner, `{"name":"B","htmlcode":"b","websiteid":7,"isDisabled":false,"audiences":[{"b":1.0,"a":[1e99999]},null]}`, strings.Replace(banner, "null", `[{"b":1.0,"a":[1e99999]},null]`, 1)},
		"unknown keys":  {wire.KindQuicklink, `{"z":{"a" : 1.00},"url":"u","a":null,"websiteid":1}`, `"url":"u","websiteid":1,"terms":[],"z":{"a" : 1.00},"a":null,"brokenLinksFoundAt":""}`},
	} {
		sample := toolSamples()[test.kind]
		got := l.want(200, "POST", sample.path, test.body)
		start, after, _ := strings.Cut(got, ",")
		id, isID := strings.CutPrefix(start, `{"`+sample.id+`":`)
		if !isID || after != test.want {
			t.Errorf("%s: want %s, got %s", name, test.want, got)
		}
		if again := l.want(200, "GET", sample.path+"/"+id, ""); again != got {
			t.Errorf("%s: want %s read back, got %s", name, got, again)
		}
	}
}

// TestToolFaults: a body that is refused is told what is wrong where, and nothing is stored.
func TestToolFaults(t *testing.T) {
	const required = "this field is required"
	page := func(entry string) string { return `{"name":"R","WebsiteId":1,"pages":[` + entry + `]}` }
	window := func(from, to string) string {
		return `{"name":"B","htmlcode":"b","websiteid":1,"from":` + from + `,"to":` + to + `}`
	}
	l := open(t, Options{Extended: true})
	for _, test := range []struct {
		kind         wire.Kind
		body, answer string // "path: message; ..."; for synonyms the message
	}{
		{wire.KindRanking, `{"name":" ","WebsiteId":null,"audiences":{}}`, "WebsiteId: must be the ID of an engine; audiences: must be an array or null; name: " + required},
		{wire.KindRanking, `{"name":1,"WebsiteId":"1"}`, "name: can't be a JSON number"},
		{wire.KindRanking, `{"name":"R","WebsiteId":9223372036854775808}`, "WebsiteId: can't be a JSON number 9223372036854775808"},
		{wire.KindRanking, page(`null,{"page":{"pageurl":"u"}},{"page":null}`), "pages[0].page.pageurl: " + required + "; pages[2].page.pageurl: " + required},
		{wire.KindRanking, page(`{"rank":1.5}`), "pages.rank: can't be a JSON number 1.5"},
		{wire.KindRanking, `{"name":"R","WebsiteId":1,"rankingterms":[{"name":"t"},{"name":"\t"}]}`, "rankingterms[1].name: " + required},
		{wire.KindQuicklink, `{"terms":[{}]}`, "terms[0].name: " + required + "; url: " + required + "; websiteid: must be the ID of an engine"},
		{wire.KindBanner, `{"name":"B"}`, "htmlcode: " + required + "; websiteid: must be the ID of an engine"},
		{wire.KindBanner, window(`"2026-01-01"`, `null`), "from: must be a date-time of RFC 3339"},
		{wire.KindBanner, window(`""`, `"x"`), "to: must be a date-time of RFC 3339"},
		{wire.KindBanner, window(`"2026-01-01T01:00:00+01:00"`, `"2026-01-01T00:00:00Z"`), "to: must be later than from"},
		{wire.KindSynonyms, `{"words":[],"language":"eng"}`, "language: must be two letters; words: " + required},
		{wire.KindSynonyms, `{"words":["a"," ",null],"language":"e1"}`, "language: must be two letters; words[1]: " + required + "; words[2]: " + required},
	} {
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
	for kind, sample := range toolSamples() {
		for _, body := range []string{``, `{`, `[]`, `null`, `"x"`, `3`, `{} {}`, strings.Repeat("[", 20000)} {
			l.refuses(400, "POST", sample.path, body)
		}
		if got := l.storedTools(kind); got != "[]" {
			t.Errorf("stored: %s", got)
		}
	}
}
