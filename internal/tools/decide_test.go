package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// declared returns a file with one banner.
func declared(html string) []byte {
	f := File{Banners: []Banner{{Name: "Sale", HTML: html}}}
	return f.Declared(7)[0].Body
}

// TestDecide: what the file says (1, 2, or nothing), what the ledger knows, what the
// service shows, and what follows from that.
func TestDecide(t *testing.T) {
	one, two := declared("1"), declared("2")
	shown := func(html string) []byte { // as a service writes it
		return []byte(`{"ID":5,"Name":"Sale","HTMLCODE":"` + html + `","websiteId":7,"isDisabled":false,"bannerterms":null,"from":null,"audiences":[1],"frequency":"x"}`)
	}
	known := func(change func(*document.Tool)) *document.Tool {
		k := &document.Tool{Kind: "banner", Name: "Sale", ID: 5, Declared: document.HashOf(one), Seen: shown("1")}
		if change != nil {
			change(k)
		}
		return k
	}
	making := known(func(k *document.Tool) { k.Making = true })
	for _, c := range []struct {
		name         string
		f            facts
		force, again bool
		want         string
	}{
		{"new", facts{Declared: Declared{Body: one}}, false, false, "create planned"},
		{"the same", facts{Declared: Declared{Body: one}, known: known(nil), now: shown("1")}, false, false, "unchanged"},
		{"the same, not read", facts{Declared: Declared{Body: one}, known: known(nil)}, false, false, "unchanged"},
		{"changed in the file", facts{Declared: Declared{Body: two}, known: known(nil), now: shown("1")}, false, false, "replace planned html"},
		{"changed in the file, not read", facts{Declared: Declared{Body: two}, known: known(nil)}, false, false, "replace planned html"},
		{"changed by hand", facts{Declared: Declared{Body: one}, known: known(nil), now: shown("3")}, false, false, "replace held html"},
		{"changed by hand, forced", facts{Declared: Declared{Body: one}, known: known(nil), now: shown("3")}, true, false, "replace planned html"},
		{"changed in both", facts{Declared: Declared{Body: two}, known: known(nil), now: shown("3")}, false, false, "replace held html"},
		{"changed in both to the same", facts{Declared: Declared{Body: two}, known: known(nil), now: shown("2")}, false, false, "unchanged"},
		{"as the service makes it of what was sent", facts{Declared: Declared{Body: one}, known: known(func(k *document.Tool) { k.Seen = shown("one") }), now: shown("one")}, false, false, "unchanged"},
		{"never ended", facts{Declared: Declared{Body: one}, known: known(func(k *document.Tool) { k.Declared = document.Hash{} }), now: shown("3")}, false, false, "replace held html"},
		{"deleted by hand", facts{Declared: Declared{Body: one}, known: known(nil), gone: true}, false, false, "create held"},
		{"deleted by hand, forced", facts{Declared: Declared{Body: one}, known: known(nil), gone: true}, true, false, "create planned"},
		{"in doubt", facts{Declared: Declared{Body: one}, known: making, now: shown("1")}, true, false, "create unknown"},
		{"in doubt, again", facts{Declared: Declared{Body: one}, known: making, now: shown("1")}, false, true, "unchanged"},
		{"in doubt, again, and the one before is deleted", facts{Declared: Declared{Body: one}, known: making, gone: true}, false, true, "create planned"},
		{"in doubt, and out of the file", facts{known: making}, true, false, "create unknown"},
		{"out of the file", facts{known: known(nil), now: shown("1")}, false, false, "delete planned"},
		{"out of the file, changed by hand", facts{known: known(nil), now: shown("3")}, false, false, "delete held html"},
		{"out of the file, changed by hand, forced", facts{known: known(nil), now: shown("3")}, true, false, "delete planned"},
		{"out of the file, and most others too", facts{known: known(nil), now: shown("1"), whyHeld: "4 of 4"}, true, false, "delete held"},
		{"out of the file and gone", facts{known: known(nil), gone: true}, false, false, "delete planned"},
		{"out of the file and retired", facts{known: known(func(k *document.Tool) { k.Retired = true })}, false, false, "unchanged"},
	} {
		c.f.Kind, c.f.Name = wire.KindBanner, "Sale"
		s := decide(c.f, c.force, c.again)
		words := []string{string(s.Op), string(s.State)}
		if s.Op != OpCreate {
			for _, change := range s.Changes {
				words = append(words, change.Name)
			}
		}
		if got := strings.TrimSpace(strings.Join(words, " ")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOver: what no declaration knows keeps its bytes, what only answers hold is not
// sent, and what was taken out of the file goes.
func TestOver(t *testing.T) {
	base := `{"id":5,"name":"Sale","htmlcode":"1","WebsiteID":7,"from":"2026-01-01T00:00:00Z","bannerterms":[{"name":"b","x":1e3},{"name":"c"}],"audiences":[ {"n":1.50} ],"frequency":"x","Colour":"\u00e9"}`
	f := File{Banners: []Banner{{Name: "Sale", HTML: "<b>&</b>", Terms: []string{"a", "b"}}}}
	want := `{"name":"Sale","htmlcode":"<b>&</b>","websiteid":7,"bannerterms":[{"name":"a"},{"name":"b","x":1e3}],"audiences":[ {"n":1.50} ],"Colour":"\u00e9","isDisabled":false}`
	if got := string(over(wire.KindBanner, []byte(base), f.Declared(7)[0].Body)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// FuzzForeign: what services answer and what markup holds breaks nothing.
func FuzzForeign(f *testing.F) {
	f.Add([]byte(`{"id":1,"pages":[{"page":{"pageurl":"https://www.example.com/"}}],"audiences":[{}]}`), `<a href="/x&amp;y">`)
	f.Add([]byte(`{"ID":"x","words":[null],"from":"yesterday"}`), "<a href=x")
	f.Fuzz(func(t *testing.T, raw []byte, markup string) {
		body := (&File{Rankings: []Ranking{{Name: "R", Pages: []Page{{URL: "https://www.example.com/"}}}}}).Declared(7)[0].Body
		if sent := over(wire.KindRanking, raw, body); !json.Valid(sent) || len(differences(view(wire.KindRanking, body), view(wire.KindRanking, sent))) > 0 {
			t.Errorf("%s over %s is %s", body, raw, sent)
		}
		for _, kind := range wire.Kinds() {
			if _, err := toml.Marshal(declare(kind, raw, strings.ToLower)); err != nil {
				t.Error(err)
			}
			_ = kind.ID(raw)
		}
		_ = (&File{Banners: []Banner{{HTML: markup}}}).Targets()
	})
}
