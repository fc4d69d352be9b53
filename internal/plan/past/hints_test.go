package past

import (
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

var began = time.Date(2026, time.March, 4, 2, 30, 0, 0, time.UTC)

// oneHost is a ledger that remembers one host, and the document that others are folded into.
type oneHost struct {
	Ledger
	memory document.HostMemory
	target document.Record
}

func (l oneHost) Brief(string) (*document.Record, error) { return &l.target, nil }

func (l oneHost) Host(string) (document.HostMemory, error) { return l.memory, nil }

// TestHints: the next run reads a page in full for one reason of many, or takes a hint.
func TestHints(t *testing.T) {
	const rules = "rules"
	proved := document.Trust{Checks: 60}
	today := began.Truncate(24 * time.Hour).Unix()
	liar := document.Trust{Checks: 100, Lies: []int{1, 2}}
	const changed = "what it was folded into may have changed without it"
	const rests = "until its recheck: it is folded into https://a.test/, which stands, and the host's duplicates stay what they are"
	folded := func(edit func(*document.Record, *document.HostMemory)) func(*document.Record, *document.HostMemory) {
		return func(r *document.Record, h *document.HostMemory) {
			h.Folds = proved
			r.Push, r.Listed, r.Canonical = document.PushNone, false, "https://a.test/"
			r.Looks = []document.Look{{Seen: document.Read, Why: document.WhyCanonical}}
			edit(r, h)
		}
	}
	for name, c := range map[string]struct {
		edit               func(rec *document.Record, host *document.HostMemory)
		followed, how, why string
	}{
		"validators":               {nil, rules, "conditional", "by the validators of what was read last"},
		"lastmod":                  {func(_ *document.Record, h *document.HostMemory) { h.Lastmod = proved }, rules, "skip", "as long as the sitemap gives the same lastmod: that host's dates are believed"},
		"lastmod of what it lists": {func(r *document.Record, h *document.HostMemory) { h.Lastmod, r.Listed = proved, false }, rules, "conditional", "by the validators of what was read last"},
		"none":                     {func(r *document.Record, _ *document.HostMemory) { r.Hints = document.Hints{} }, rules, "full", "the page came with neither ETag nor Last-Modified"},
		"lies":                     {func(_ *document.Record, h *document.HostMemory) { h.Validators = liar }, rules, "full", "the host's validators are not believed (2 lies in 100 checks)"},
		"other links":              {nil, "others", "full", "the last run did not follow every link of the host by today's rules"},
		"links not followed":       {func(_ *document.Record, h *document.HostMemory) { h.Followed = "" }, "", "full", "the last run did not follow every link of the host by today's rules"},
		"doubt":                    {func(r *document.Record, _ *document.HostMemory) { r.Push = document.PushDoubt }, rules, "full", "the service did not acknowledge its content"},
		"refused":                  {func(r *document.Record, _ *document.HostMemory) { r.Push = document.PushRefused }, rules, "full", "the service did not acknowledge its content"},
		"ill":                      {func(r *document.Record, _ *document.HostMemory) { r.Suspect = document.HashOf("x") }, rules, "full", "it looked ill in the last run"},
		"folded": {func(r *document.Record, _ *document.HostMemory) {
			r.Canonical, r.Push = "https://a.test/", document.PushNone
		}, rules, "full", changed},
		"folded by itself":               {folded(func(*document.Record, *document.HostMemory) {}), rules, "skip", rests},
		"folded, other links":            {folded(func(_ *document.Record, h *document.HostMemory) { h.Followed = "" }), "", "full", changed},
		"folded and listed":              {folded(func(r *document.Record, _ *document.HostMemory) { r.Listed = true }), rules, "full", changed},
		"folded, due":                    {folded(func(r *document.Record, _ *document.HostMemory) { r.Fetched -= 100 * 3600 }), rules, "full", changed},
		"folded for equal content":       {folded(func(r *document.Record, _ *document.HostMemory) { r.Looks[0].Why = "equal" }), rules, "full", changed},
		"folded, not proved":             {folded(func(_ *document.Record, h *document.HostMemory) { h.Folds.Checks = 49 }), rules, "full", changed},
		"folded, others went":            {folded(func(_ *document.Record, h *document.HostMemory) { h.Folds = liar }), rules, "full", changed},
		"folded into what is missing":    {folded(func(r *document.Record, _ *document.HostMemory) { r.Canonical += "missing" }), rules, "full", changed},
		"folded into what was never put": {folded(func(r *document.Record, _ *document.HostMemory) { r.Canonical += "new" }), rules, "full", changed},
		"other rules":                    {func(r *document.Record, _ *document.HostMemory) { r.Rules = 2 }, rules, "full", "the rules that read it have changed"},
		"recheck":                        {func(r *document.Record, _ *document.HostMemory) { r.Fetched -= 100 * 3600 }, rules, "full", "it is due for a recheck"},
		"read by a clock ahead":          {func(r *document.Record, _ *document.HostMemory) { r.Fetched += 2 * 365 * 24 * 3600 }, rules, "full", "it is due for a recheck"},
		"a day that is over": {func(r *document.Record, h *document.HostMemory) {
			h.Lastmod, r.Hints.Lastmod, r.Fetched = proved, today-24*3600, began.Unix()-24*3600
		}, rules, "conditional", "by the validators of what was read last"},
		"a day that is over everywhere": {func(r *document.Record, h *document.HostMemory) {
			h.Lastmod, r.Hints.Lastmod, r.Fetched = proved, today-2*24*3600, began.Unix()-24*3600
		}, rules, "full", "the sitemap names a day alone, and the page was read before that day was over"},
		"a day that is over, not believed": {func(r *document.Record, h *document.HostMemory) {
			r.Hints.Lastmod, r.Fetched = today-2*24*3600, began.Unix()-24*3600
		}, rules, "conditional", "by the validators of what was read last"},
		"a day that was over": {func(r *document.Record, h *document.HostMemory) {
			h.Lastmod, r.Hints.Lastmod = proved, today-2*24*3600
		}, rules, "skip", "as long as the sitemap gives the same lastmod: that host's dates are believed"},
	} {
		rec := &document.Record{
			ID: "https://a.test/p", Push: document.PushOK, Rules: 1, Listed: true, Fetched: began.Unix(), Hints: document.Hints{ETag: "e", Lastmod: 5},
		}
		ledger := oneHost{memory: document.HostMemory{Followed: rules}, target: document.Record{Push: document.PushOK}}
		if c.edit != nil {
			c.edit(rec, &ledger.memory)
		}
		switch rec.Canonical {
		case "https://a.test/missing":
			ledger.target.Misses = 1
		case "https://a.test/new":
			ledger.target.Push = document.PushNone
		}
		options := Options{
			Start: began, Recheck: 100 * time.Hour, Rules: func(string) uint64 { return 1 },
			Expired: func(string, string) (string, string) { return "", "" },
		}
		p := New(options, ledger, spool.NewTable())
		got, err := p.Hints(rec, c.followed)
		if err != nil || got.Tonight != c.how || got.Why != c.why {
			t.Errorf("%s: %s: %s, %v; want %s: %s", name, got.Tonight, got.Why, err, c.how, c.why)
		}
	}
}

// TestCalledChanged: a trusted sitemap calls a page changed by another date, and by leaving it
// out; one that is not trusted calls nothing.
func TestCalledChanged(t *testing.T) {
	rec := &document.Record{ID: "https://a.test/p", Hints: document.Hints{Lastmod: 5}}
	for _, trusted := range []bool{false, true} {
		p := &Past{trust: map[string]*hintTrust{"https://a.test": {lastmod: trusted}}}
		for lastmod, want := range map[int64]bool{5: false, 6: trusted, 0: trusted} {
			if got := p.CalledChanged(rec, lastmod); got != want {
				t.Errorf("trusted %v, date %d: %v", trusted, lastmod, got)
			}
		}
	}
}

// TestCopies: what was added twice or more is known, what was added once or never is not.
func TestCopies(t *testing.T) {
	var c Copies
	for n := range uint64(1000) {
		for range n % 4 {
			c.Add(n + 1)
		}
	}
	for n := range uint64(1000) {
		if got, want := c.Of(n+1), int(min(n%4, 2)); got != want {
			t.Errorf("%d was added %d times: %d", n, n%4, got)
		}
	}
	if c.Add(0); c.Of(0) != 0 {
		t.Error("0 is a value")
	}
}
