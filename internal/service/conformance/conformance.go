package conformance

import (
	"net/http"
	"testing"
	"time"
)

// Target is the service to check.
type Target struct {
	BaseURL    string // without a slash at the end
	CustomerID int64
	APIKey     string
	CrawlerID  string        // one that may be written to
	Local      bool          // it is internal/service, just opened, with no switch set
	Wait       time.Duration // how long a write may take to show; 0: at once
}

// rule is one sentence of the specification.
type rule struct {
	name  string // section and sentence
	local bool   // checked on a local service only
	check func(*session)
}

// Run checks every rule against the target, one subtest a rule.
func Run(t *testing.T, target Target) {
	client := &http.Client{
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			if r.local && !target.Local {
				t.Skip("checked on the local service only: it reads back what is stored, or could touch what others put there")
			}
			r.check(newSession(t, target, client))
		})
	}
}

func rules() []rule {
	var all []rule
	for _, some := range [][]rule{accessRules(), putRules(), patchRules(), deleteRules(), bulkDeleteRules(), pathRules(), errorRules()} {
		all = append(all, some...)
	}
	return all
}
