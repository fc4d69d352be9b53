package service

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/service/tools"
	"sitesync/internal/wire"
)

// TestToolCrash kills the serving process while search tools are written. What was
// acknowledged must hold, a replaced ranking must be whole, and no ID may come again.
func TestToolCrash(t *testing.T) {
	const rounds = 6
	path := filepath.Join(t.TempDir(), "service.db")
	there := map[string]bool{} // by ID of an acknowledged banner; false once its deletion is
	replaced := 0              // the last version of the ranking that was acknowledged
	for range rounds {
		callUntilKilled(t, path, 5, func(l *local, n int) bool {
			made := l.call("POST", "/api/banners", "{"+banner).body
			id := strings.TrimPrefix(strings.Split(made, ",")[0], `{"id":`)
			if made == "" {
				return false
			}
			if _, again := there[id]; again {
				t.Fatalf("the ID %s was given again", id)
			}
			there[id] = true
			if n%2 == 1 {
				delete(there, id) // in doubt
				if l.call("DELETE", "/api/banners/"+id, "").status != 200 {
					return false
				}
				there[id] = false
			}
			if replaced == 0 && l.call("POST", "/api/rankings", version(0)).status != 200 ||
				l.call("PUT", "/api/rankings/1", version(replaced+1)).status != 200 {
				return false
			}
			replaced++
			return true
		})
	}
	l := open(t, Options{Path: path})
	for id, want := range there {
		if got := l.call("GET", "/api/banners/"+id, "").status == 200; got != want {
			t.Errorf("banner %s: want it there %v, got %v", id, want, got)
		}
	}
	rankings, err := tools.All[wire.Ranking](l.Tools, testCustomer, wire.KindRanking)
	if err != nil || len(there) < rounds || replaced == 0 {
		t.Fatalf("%d banners and %d replacements were acknowledged (%v)", len(there), replaced, err)
	}
	if got := len(rankings[0].RankingTerms); got != replaced && got != replaced+1 || rankings[0].Name != fmt.Sprint("v", got) {
		t.Errorf("version %d was acknowledged, got %s with %d terms", replaced, rankings[0].Name, got)
	}
}

// version is a ranking with n terms.
func version(n int) string {
	return fmt.Sprintf(`{"name":"v%d","WebsiteId":1,"rankingterms":[%s]}`, n, strings.TrimSuffix(strings.Repeat(`{"name":"t"},`, n), ","))
}
