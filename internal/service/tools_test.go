package service

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/service/tools"
	"sitesync/internal/wire"
)

// Bodies that each kind takes, as they are answered after the ID.
const (
	ranking   = `"name":"R","WebsiteId":7,"pages":[{"rank":1,"showpage":true,"page":{"name":"","pageid":"","pageurl":"https://x.example/","searchable":false,"websiteid":0},"websiteid":0}],"rankingterms":[{"name":"t"}],"audiences":null,"brokenLinksFoundAt":""}`
	quicklink = `"url":"https://x.example/","websiteid":7,"terms":[],"brokenLinksFoundAt":""}`
	banner    = `"name":"B","htmlcode":"b","websiteid":7,"isDisabled":false,"audiences":null,"engineIds":[7],"frequency":"","daysOfWeek":"","cssCode":"","jsonOption":"","editorType":"","brokenLinksFoundAt":""}`
	synonyms  = `"words":["a","b"],"language":"en"}`
)

// toolSample is one kind with a body that it takes.
type toolSample struct{ path, id, body string }

func toolSamples() map[wire.Kind]toolSample {
	return map[wire.Kind]toolSample{
		wire.KindRanking:   {"/api/rankings", "id", ranking},
		wire.KindQuicklink: {"/api/quicklinks", "id", quicklink},
		wire.KindBanner:    {"/api/banners", "id", banner},
		wire.KindSynonyms:  {"/api/synonymsgroup", "groupId", synonyms},
	}
}

// storedTools returns the tools of a kind that a customer has, as they are stored.
func (l *local) storedTools(kind wire.Kind) string {
	l.t.Helper()
	all, err := tools.All[json.RawMessage](l.Tools, testCustomer, kind)
	if err != nil {
		l.t.Fatal(err)
	}
	var list []string
	for _, one := range all {
		list = append(list, string(one))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// refuses checks that a request is answered {message} with a status.
func (l *local) refuses(status int, method, path, body string) {
	l.t.Helper()
	if got := l.want(status, method, path, body); !strings.HasPrefix(got, `{"message":"`) {
		l.t.Errorf("%s %s: want {message}, got %s", method, path, got)
	}
}

// TestToolsAtOnce: many clients at once each get IDs of their own and see their own
// writes.
func TestToolsAtOnce(t *testing.T) {
	const clients, rounds = 8, 5
	l := open(t, Options{Extended: true})
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			name := strconv.Itoa(n)
			for range rounds {
				made := l.call("POST", "/api/quicklinks", `{"url":"made `+name+`","websiteid":1}`).body
				id := strings.TrimPrefix(strings.Split(made, ",")[0], `{"id":`)
				changed := l.call("PUT", "/api/quicklinks/"+id, `{"url":"changed `+name+`","websiteid":1}`).body
				read := l.call("GET", "/api/quicklinks/"+id, ``).body
				if read != changed || !strings.Contains(read, `{"id":`+id+`,"url":"changed `+name+`"`) {
					t.Errorf("client %s: made %s, changed to %s, read %s", name, made, changed, read)
				}
			}
		})
	}
	all.Wait()
	links, err := tools.All[wire.Quicklink](l.Tools, testCustomer, wire.KindQuicklink)
	for i, link := range links {
		if link.ID != int64(i+1) {
			t.Errorf("link %d has the ID %d", i+1, link.ID)
		}
	}
	if err != nil || len(links) != clients*rounds {
		t.Errorf("want %d links, got %d (%v)", clients*rounds, len(links), err)
	}
}
