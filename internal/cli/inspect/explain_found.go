package inspect

import (
	"slices"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// maxSteps is how far back explain follows the pages by which a URL was found.
const maxSteps = 20

// step is how one URL was found. What found the first is the second.
type step struct {
	URL string `json:"url"`
	By  string `json:"by"`
}

// The ways to find a URL.
const (
	byStart   = "start"   // the configuration names it
	bySitemap = "sitemap" // a sitemap listed it
	byPage    = "page"    // the next step's page led to it
	byNothing = "unknown" // the ledger does not tell
	byItself  = "loop"    // it stands in the chain already
)

// discovery returns how the ledger says that a URL was found, back to a start page
// or a sitemap; nil for one that it does not know.
func discovery(ledger *diffstore.Ledger, cfg *config.Config, url string) ([]step, error) {
	var starts []string
	canon := weburl.NewCanonicalizer(cfg.Site.IgnoreParams)
	for _, raw := range cfg.Site.Start {
		if start, err := canon.URL(raw); err == nil {
			starts = append(starts, start)
		}
	}
	var steps []step
	for len(steps) < maxSteps {
		rec, err := ledger.Brief(url)
		if err != nil || rec == nil && steps == nil {
			return nil, err
		}
		by := foundBy(rec, slices.Contains(starts, url))
		if slices.ContainsFunc(steps, func(s step) bool { return s.URL == url }) {
			by = byItself
		}
		steps = append(steps, step{url, by})
		if by != byPage {
			break
		}
		url = rec.First.From
	}
	return steps, nil
}

func foundBy(rec *document.Record, start bool) string {
	switch {
	case start:
		return byStart
	case rec == nil:
		return byNothing
	case rec.First.From != "":
		return byPage
	case rec.Listed:
		return bySitemap
	}
	return byNothing
}
