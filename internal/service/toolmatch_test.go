package service

import (
	"testing"
	"time"

	"sitesync/internal/wire"
)

func TestServed(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const earlier, now, later = "2026-03-01T11:59:59Z", "2026-03-01T13:00:00+01:00", "2026-03-01T12:00:01Z"
	tests := []struct {
		disabled bool
		from, to string
		want     bool
	}{
		{false, "", "", true},
		{true, "", "", false},
		{true, earlier, later, false},
		{false, earlier, later, true},
		{false, now, "", true},
		{false, "", now, false},
		{false, later, "", false},
		{false, "", earlier, false},
		{false, "nonsense", "", false},
		{false, "", "nonsense", false},
	}
	for _, test := range tests {
		if got := served(wire.Banner{IsDisabled: test.disabled, From: test.from, To: test.to}, at); got != test.want {
			t.Errorf("disabled %v, from %q to %q: want %v, got %v", test.disabled, test.from, test.to, test.want, got)
		}
	}
}

func TestMatchesTerm(t *testing.T) {
	terms := []wire.Term{{Name: " Opening  Hours"}, {Name: "ÅBNINGSTID"}}
	for query, want := range map[string]bool{
		"opening hours": true, "  OPENING\thours ": true, "åbningstid": true,
		"opening": false, "opening hours today": false, "openinghours": false, "": false, " ": false,
	} {
		if got := matchesTerm(terms, query); got != want {
			t.Errorf("%q: want %v, got %v", query, want, got)
		}
	}
	if matchesTerm([]wire.Term{{}}, "") || matchesTerm(nil, "x") {
		t.Error("an empty term, or none, matched")
	}
}
