package cli_test

import (
	"maps"
	"slices"

	"sitesync/internal/document"
)

// checkArrival holds invariant 13 at the very call: what moved on is under its new
// address before its old one goes.
func (p *player) checkArrival(crawler, id string) {
	path := p.path(id)
	page, end := p.model.pages[path], p.model.last(path)
	if page == nil || page.is != "moved" || p.trouble.kind != allWell || end == "" || p.clerk.trouble.readings.Refuse != nil {
		return
	}
	docs, _ := p.clerk.service.Documents(customer, crawler)
	for _, doc := range docs {
		if p.path(doc.ID) == end {
			return
		}
	}
	p.rt.Errorf("invariant 13: %s is deleted, and %s, where it moved to, is not there", id, end)
}

// settle ends all trouble: within some nights, with approval of what is held, the
// index must be still.
func (p *player) settle() {
	p.epoch = p.latest
	p.model.show(trouble{})
	for range 14 { // a sitemap that shrank is believed by halves
		p.each(func(h *house) {
			h.epoch, h.trouble = p.epoch+8*oneDay, trouble{}
			h.configure(4)
			if fileExists(h) {
				h.approve("")
			}
		})
		n := checked{before: p.index()}
		n.result = p.sync("--retry-parked")
		p.check(&n)
		quiet := n.result.Exit == 0 || n.result.Exit == 3 && p.blind(&n.result)
		if quiet && len(n.result.Changes) == 0 && n.result.Counts.Failed == 0 && p.restless() == "" {
			return
		}
	}
	p.rt.Fatalf("the trouble is over for 14 nights, and the index is not still: %s", p.restless())
}

// blind reports whether an exit code 3 is what the law asks of a quiet night: the host is
// not ok, as more than half of the documents show themselves at other addresses.
func (p *player) blind(r *result) bool {
	elsewhere, all := 0, p.index()
	for path := range all {
		if page := p.model.pages[path]; page == nil || page.is == "away" || page.is == "mistaken" || p.model.fate(path, p.trouble) == stays {
			elsewhere++
		}
	}
	return 2*elsewhere > len(all) && slices.ContainsFunc(r.Hosts, func(h struct{ State document.HostState }) bool { return h.State == document.HostIll })
}

// restless returns a page whose record waits for another look; "" when none does.
func (p *player) restless() string {
	recs, _ := p.book()
	for path, rec := range recs {
		f := p.model.fate(path, p.trouble)
		if f == lives && rec.Suspect.How != "" || f == dies && rec.IsDocument() {
			return path
		}
	}
	return ""
}

// compareWithFresh compares the index with what a ledger makes of the site that knows
// nothing of it. What redirects for now, or to nowhere, may stay; what nothing leads to
// any more may stay with its text.
func (p *player) compareWithFresh(fresh *house) {
	fresh.epoch = p.epoch
	fresh.configure(4)
	fresh.sync()
	want, got := fresh.index(), p.index()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		a, b := want[path].fields, got[path].fields
		delete(a, "Date") // frozen at the first push
		delete(b, "Date")
		if !maps.Equal(a, b) {
			p.rt.Fatalf("the index ended with %s as %v, the site has %v", path, b, a)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		_, found := want[path]
		page, f := p.model.pages[path], p.model.fate(path, trouble{})
		switch {
		case found, f == stays:
		case f != dies && !p.model.found(path, trouble{}) && got[path].edition == page.edition:
		default:
			p.rt.Fatalf("the index ended with %s (%s), which the site has not", path, f)
		}
	}
}
