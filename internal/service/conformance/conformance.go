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
	CrawlerID  string        // a crawler (content source) whose documents the checks may write
	EngineID   int64         // an engine (site search) with the crawler's documents; 0: skip the rules for engines
	Local      bool          // true if the target is a new internal/service
	Loose      bool          // true if the target accepts requests that the specification does not allow
	Extended   bool          // true if the target has operations that the specification does not show
	Events     bool          // true if events may be recorded, which no call can delete
	Ranking    int64         // a ranking to change and restore; 0: a new one is made, and stays empty
	Quicklink  int64         // a quicklink to change and restore; 0: one is made if Extended is true
	Wait       time.Duration // time after which a write must be visible; 0: at once
}

type rule struct {
	name      string // section of the specification, and the sentence that the rule checks
	localOnly bool
	check     func(*session)
}

type area struct {
	missing string // the target lacks this, so the rules are skipped; empty: they are checked
	rules   []rule
}

// Run checks every rule against the target, in one subtest for each rule.
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
				if area.missing != "" {
					t.Skip("not checked without " + area.missing)
				}
				if target.Loose && slices.Contains(strictRules(), r.name) {
					t.Skip("kept by a strict service alone")
				}
				if r.localOnly && !target.Local {
					t.Skip("checked on the local service only: it reads back what is stored, or could touch what others put there")
				}
				r.check(newSession(t, target, client, shared))
			})
		}
	}
	shared.restore(newSession(t, target, client, shared))
}

// strictRules returns the names of the rules that a service with Target.Loose does not follow.
func strictRules() []string {
	return []string{
		"4 paths are written as shown",
		"a key of a search that is not known is refused",
		"a value of a search of another type is refused",
		"4.5 a query of a search that is empty or no string is refused",
		"2.9 all keys are strings",
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
