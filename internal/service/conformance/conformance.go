package conformance

import (
	"cmp"
	"net/http"
	"slices"
	"testing"
	"time"
)

// Target is the service to check.
type Target struct {
	BaseURL    string // without a slash at the end
	CustomerID int64
	APIKey     string
	CrawlerID  string        // one that may be written to
	EngineID   int64         // fed by the crawler; 0: no rule of an engine is checked
	Local      bool          // it is internal/service, just opened
	Loose      bool          // it takes what public clients send beyond the specification, as that does unless it is strict
	Extended   bool          // it offers the operations that the specification does not show
	Events     bool          // tracking and feedback may be recorded, which no call takes back
	Ranking    int64         // an existing one to try out and restore; 0: one is made and stays, with empty lists
	Quicklink  int64         // likewise; 0: one is made where Extended, else its rules are skipped
	Wait       time.Duration // how long a write may take to show; 0: at once
}

// rule is one sentence of the specification.
type rule struct {
	name  string // section and sentence
	local bool   // checked on a local service only
	check func(*session)
}

// area is the rules of one part of the interface.
type area struct {
	without string // what the target lacks for them; "": nothing
	rules   []rule
}

// Run checks every rule against the target, one subtest a rule.
func Run(t *testing.T, target Target) {
	client := &http.Client{
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if target.Local {
		client.Transport = NewContract(t)
	}
	shared := &ranking{id: target.Ranking}
	for _, area := range target.areas() {
		for _, r := range area.rules {
			t.Run(r.name, func(t *testing.T) {
				if area.without != "" {
					t.Skip("not checked without " + area.without)
				}
				if target.Loose && slices.Contains(strictRules(), r.name) {
					t.Skip("kept by a strict service alone")
				}
				if r.local && !target.Local {
					t.Skip("checked on the local service only: it reads back what is stored, or could touch what others put there")
				}
				r.check(newSession(t, target, client, shared))
			})
		}
	}
	shared.restore(newSession(t, target, client, shared))
}

// strictRules are the rules in which a service that takes what public clients send differs.
func strictRules() []string {
	return []string{
		"4 paths are written as shown",
		"a key of a search that is not known is refused",
		"a value of a search of another type is refused",
		"4.5 a query of a search that is empty or no string is refused",
		"2.9 all keys are strings", // and those of the other events: see spoilEvent
	}
}

func (target Target) areas() []area {
	lack := func(has bool, what string) string {
		if has {
			return ""
		}
		return what
	}
	engine := lack(target.EngineID != 0, "an engine")
	events := cmp.Or(engine, lack(target.Events, "leave to record events"))
	extended := cmp.Or(engine, lack(target.Extended, "the operations that the specification does not show"))
	return []area{
		{"", accessRules()}, {"", errorRules()}, {"", versionRules()},
		{"", putRules()}, {"", patchRules()}, {"", deleteRules()}, {"", bulkDeleteRules()}, {"", pathRules()},
		{engine, rankingRules()}, {engine, bannerRules()}, {engine, synonymRules()},
		{cmp.Or(engine, lack(target.Quicklink != 0 || target.Extended, "a quicklink")), quicklinkRules()},
		{engine, searchRules()}, {engine, servedRules()}, {events, trackingRules()}, {events, feedbackRules()}, {events, aiRules()},
		{extended, extendedRules()},
	}
}
