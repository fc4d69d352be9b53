package app

import (
	"iter"

	"sitesync/diffstore"
	"sitesync/diffstore/pages"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report/site"
	"sitesync/internal/spool"
)

// siteMemory is the soft memory limit of the method Site in bytes, enough for 100,000 URLs with their links.
// Under a lower limit, the garbage collector would run all the time.
const siteMemory = 160 << 20

// Site returns every known URL and, if faults is true, the faults of the site, such as broken links. It joins
// the ledger (the record of what the index holds) with the pages file (what was last seen of each page). If
// the pages file is damaged, Site warns and leaves out the pages after the damage.
func (a *App) Site(cfg *config.Config, ledger *diffstore.Ledger, faults bool) (*site.Site, error) {
	a.SoftMemory(siteMemory)
	last, _, err := ledger.Run("")
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for e, err := range Held(ledger) {
		if err != nil {
			return nil, err
		}
		held[e.ID] = true
	}
	next, stop := iter.Pull2(pages.All(pages.Path(cfg.Store.Path)))
	defer stop()
	b := site.NewBuilder(last.Run, last.Start, spool.NewTable())
	var this document.SitePage
	page, damage, more := next()
	// upTo returns the page with this ID from the pages file, or nil. It first adds the pages that come
	// before the ID, which the ledger does not have. An empty id adds all remaining pages.
	upTo := func(id string) *document.SitePage {
		for more && damage == nil && (id == "" || page.URL <= id) {
			this = page
			page, damage, more = next()
			if this.URL == id {
				return &this
			}
			b.Add(spool.Fingerprint(this.URL), &this, nil, held[this.URL])
		}
		return nil
	}
	for rec, err := range ledger.Briefs() {
		if err != nil {
			return nil, err
		}
		b.Add(spool.Fingerprint(rec.ID), upTo(rec.ID), rec, held[rec.ID])
	}
	upTo("")
	if damage != nil {
		full := string(a.Spell("sitesync sync --full"))
		a.Logger().Warn(OneLine(damage) + "; the next runs look at these pages again, and " + full + " does so at once")
	}
	return b.Site(faults), nil
}
