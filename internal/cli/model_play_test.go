package cli_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"pgregory.net/rapid"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

const oneDay = 24 * 60 * 60

// player plays one history.
type player struct {
	*house        // the one that is checked
	twin   *house // another one with the same site; nil: none
	latest int64  // moment that was seen

	resumable bool // the last run was ended in its midst
}

func (s *history) play(rt *rapid.T, site *testsite.Site, c *clerk, dir string) {
	m := newModelSite(site, s.Pages, s.Mapped)
	defer m.clear()
	inhabit := func(name string) *house {
		return &house{
			rt: rt, model: m, clerk: c, dir: dir, name: fmt.Sprintf("%s-%s", filepath.Base(dir), name), epoch: 1_800_000_000,
			confirm: s.Confirm, max: s.Max, batch: s.Batch, approved: map[string]bool{}, dead: map[string]int{},
		}
	}
	p := &player{house: inhabit("a"), latest: 1_800_000_000}
	if s.Twin != "" {
		p.twin = inhabit("b")
	}
	c.onDelete = p.checkArrival
	defer func() { c.onDelete = nil }()
	for i, scene := range s.Nights {
		if scene.Again && i > 0 || p.resumable {
			scene.Trouble = p.trouble
		}
		if p.resumable { // the run continues with what the last one saw
			scene.Ops = nil
		}
		if p.twin != nil && scene.Trouble.silent("/") && len(m.pages) >= 18 {
			scene.Trouble = trouble{} // what is asked before the host is given up depends on the order
		}
		rt.Logf("night %d: %s", i, scene.describe())
		p.night(&scene, s.Twin)
	}
	p.settle()
	p.compareWithFresh(inhabit("fresh"))
}

func (s *scene) describe() string {
	return fmt.Sprintf("%v, trouble %q %d, service %q, %d days on, approve %s, run %s %d %+v", s.Ops, s.Trouble.kind, s.Trouble.n, s.Service, s.Clock, s.Approve, s.Run, s.N, s.Crash)
}

func (p *player) each(do func(h *house)) {
	do(p.house)
	if p.twin != nil {
		do(p.twin)
	}
}

// night is one night: the owner's doings, then one run.
func (p *player) night(s *scene, twin string) {
	for _, op := range s.Ops {
		if (twin == "crash" || twin == "fleet") && op.Kind == "lie" {
			continue // the run after a crash reads all, and finds it out sooner
		}
		if path := opKinds()[op.Kind](p.model, op.A, op.B); path != "" {
			p.rt.Logf("  %s %s", op.Kind, path)
		}
	}
	p.epoch += int64(s.Clock) * oneDay
	p.latest = max(p.latest, p.epoch)
	p.each(func(h *house) {
		h.epoch, h.trouble = p.epoch, s.Trouble
		h.configure(4)
		if s.Approve != approveNone && twin != "fleet" && fileExists(h) {
			h.approve(map[document.Cause]document.Cause{approveAll: "", document.CauseMissing: document.CauseMissing}[s.Approve])
		}
		p.model.show(s.Trouble)
	})
	if twin != "" {
		p.twinNight(s, twin)
		return
	}
	p.must(p.clerk.behave(s.Service))
	defer func() { p.must(p.clerk.behave("")) }()
	p.resumable = s.Run == "crash" || p.resumable && s.Run == "none"
	n := checked{before: p.index(), faults: s.Service}
	switch s.Run {
	case "none":
		return
	case "crash":
		p.crash(s.Crash)
	case "dry":
		p.checkDry("sync", "--dry-run", "--format", "json")
		p.model.show(s.Trouble)
		n.result = p.sync()
	case "workers":
		p.checkWorkers(s.Trouble)
		n.result = p.sync()
	case "steps":
		n.result = p.steps()
	case "full":
		n.result = p.sync("--full")
	case "allow":
		n.allows, n.result = true, p.sync("--allow-deletes")
	case "only":
		n.only = fmt.Sprintf("/s%d/", s.N%3)
		n.result = p.sync("--only", n.only+"**")
	case "limit":
		n.limit = 2 + s.N
		n.result = p.sync("--limit", fmt.Sprint(n.limit))
	default:
		n.result = p.sync()
	}
	if fileExists(p.house) {
		p.check(&n)
	}
}

func fileExists(h *house) bool { return h.bytes(h.ledger()) != nil }

func (h *house) sync(args ...string) result {
	return h.run(h.rt.Context(), append([]string{"sync", "--format", "json"}, args...)...)
}

// steps does by plan -o and apply what sync does.
func (h *house) steps() result {
	plan := h.file(".plan")
	h.checkDry("plan", "-o", plan, "--format", "json")
	return h.run(h.rt.Context(), "apply", plan, "--format", "json")
}

// Invariant 11: the same plan with one worker and with sixteen.
func (h *house) checkWorkers(t trouble) {
	if t.kind == fallsIll || t.silent("/") {
		return // what is asked before the host is given up depends on the order
	}
	one, many := h.file(".1"), h.file(".16")
	h.configure(1)
	h.checkDry("plan", "-o", one)
	h.configure(16)
	h.checkDry("plan", "-o", many)
	h.configure(4)
	if string(h.bytes(one)) != string(h.bytes(many)) {
		h.rt.Fatalf("invariant 11: plans made by 1 and by 16 workers differ")
	}
}

// Invariants 2 and 12: the twin runs in another way, and ends where this house does.
func (p *player) twinNight(s *scene, twin string) {
	if s.Trouble.kind == fallsIll {
		p.model.show(trouble{})
	}
	before := p.index()
	r := p.sync()
	p.check(&checked{before: before, result: r})
	switch twin {
	case "steps":
		p.twin.steps()
	case "crash":
		if !p.twin.crash(s.Crash) {
			p.twin.sync()
		}
	case "fleet":
		p.clerk.fleet.fleetNight(p.twin, s.Crash)
	}
	p.compareTwin(twin)
}

func (p *player) compareTwin(twin string) {
	mine, its := p.index(), p.twin.index()
	myBook, myHeld := p.book()
	itsBook, itsHeld := p.twin.book()
	all := map[string]bool{}
	for _, paths := range []map[string]*document.Record{myBook, itsBook} {
		for path := range paths {
			// A copy is found out when it is read, which a run after a crash does sooner.
			all[path] = twin == "steps" || p.model.fate(path, p.trouble) != either
		}
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if !all[path] {
			continue
		}
		if !maps.Equal(mine[path].fields, its[path].fields) {
			p.rt.Fatalf("by %s the index ends otherwise: %s is %v, not %v", twin, path, its[path], mine[path])
		}
		if a, b := plainRecord(myBook[path], twin), plainRecord(itsBook[path], twin); a != b {
			p.rt.Fatalf("by %s the ledger ends otherwise:\n%s\nis not\n%s", twin, b, a)
		}
	}
	if twin == "steps" && len(myHeld) != len(itsHeld) {
		p.rt.Fatalf("by %s other changes are held: %v, not %v", twin, itsHeld, myHeld)
	}
}

// plainRecord prints a record; after a crash, without what tells of runs.
func plainRecord(rec *document.Record, twin string) string {
	if rec == nil {
		return "none"
	}
	plain := *rec
	if twin != "steps" {
		plain.Looks, plain.Since, plain.Reason, plain.Maybe, plain.Led = nil, "", "", false, 0
		plain.Hints, plain.Fetched = document.Hints{}, 0 // it read all
	}
	return fmt.Sprintf("%+v", plain)
}
