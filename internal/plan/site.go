package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
)

// site is the site as a run knows it after the crawl, and what single pages lead to.
type site struct {
	pages
	origins

	options *Options
	past    *past.Past
	scratch *spool.Scratch
	learned document.Profile // of pages.profile, in this run
	texts   past.Copies      // main texts that were read in this run
	ruled   bool             // the owner's rules about texts are others than those that made what the index holds
	seen    *spool.Sorter    // the URLs that have a sighting; 1: of a page that did not change
	leads   *spool.Sorter    // the URLs that redirect or have a canonical
	movers  *spool.Table     // how many documents redirect to a URL, with the flags below
	folds   *spool.Table     // how many redirect there, or are folded into it
	inbound inbound
	prints  tally.Printer

	warnings warning.List // about single pages
}

// pages are the pages by URL: as the crawl saw them, else as the ledger knows them.
type pages struct {
	stages  Stages
	ledger  Ledger
	folder  *work.Folder
	log     sightingLog
	table   *spool.Table     // the value of a URL is where its sighting stands, plus 1
	profile document.Profile // of the ledger, after the crawl with what was learned in this run
	lost    int              // pages whose spooled content could not be read
}

// origins are the hosts.
type origins struct {
	survey   document.Survey
	hosts    map[string]document.Host
	memories map[string]document.HostMemory
	capped   map[string][]*regexp.Regexp // the patterns of URLs that the crawl did not cover, by host
	looks    map[string]*judge.Looks     // by origin
	liars    map[string]string           // by origin, the first page that had changed although its validators had not
}

// The flags of a URL in site.movers.
const (
	movedTo     = spool.Queued  // a document moved there
	movedPut    = spool.Sighted // which is put, as new
	movedPaired = spool.Known   // and is counted with a delete
)

func (p *Planner) newSite(survey document.Survey, earlier *past.Past, scratch *spool.Scratch) (s *site, err error) {
	s = &site{
		pages:   p.pages,
		origins: origins{survey, map[string]document.Host{}, map[string]document.HostMemory{}, map[string][]*regexp.Regexp{}, map[string]*judge.Looks{}, map[string]string{}},
		options: &p.options, past: earlier, scratch: scratch, ruled: judge.OwnerRulesDiffer(p.options.RulesBefore, p.options.RulesNow),
		seen: scratch.Sorter(), leads: scratch.Sorter(), movers: spool.NewTable(), folds: spool.NewTable(),
	}
	s.inbound = inbound{site: s, refused: spool.NewTable()}
	for _, h := range survey.Hosts {
		s.hosts[h.Host] = h
		s.memories[h.Host], err = s.ledger.Host(h.Host)
		if err != nil {
			return nil, err
		}
	}
	for _, c := range survey.Caps {
		s.capped[c.Host] = append(s.capped[c.Host], regexp.MustCompile(c.Pattern)) // which the crawl made
	}
	return s, nil
}

// warn adds a warning about the site as a whole to those of the crawl.
func (o *origins) warn(kind, text string) {
	o.survey.Warnings = append(o.survey.Warnings, document.Warning{Kind: kind, Text: text})
}

// notFollowed returns the pattern of a URL that the crawl stopped following; empty: none.
func (o *origins) notFollowed(url string) string {
	for _, re := range o.capped[weburl.Origin(url)] {
		if re.MatchString(weburl.Target(url)) {
			return re.String()
		}
	}
	return ""
}

// readWhole reports whether every page of a host was looked at, and all its sitemaps.
func (o *origins) readWhole(origin string) bool {
	h := o.hosts[origin]
	return h.Covered && !h.Unlisted && len(o.capped[origin]) == 0
}

// covered reports whether all pages of a URL's host were looked at: only then is it
// known that a content stands at one address alone.
func (s *site) covered(url string) bool {
	return s.hosts[weburl.Origin(url)].Covered && s.notFollowed(url) == ""
}

// looksOf returns what was seen of a URL's host so far.
func (o *origins) looksOf(url string) *judge.Looks {
	at := weburl.Origin(url)
	if o.looks[at] == nil {
		o.looks[at] = &judge.Looks{}
	}
	return o.looks[at]
}

// sighting returns what was seen of a URL; nil when nothing but its table entry is known.
func (p *pages) sighting(url string) (*document.Sighting, error) {
	_, at := p.table.Get(spool.Fingerprint(url))
	if at == 0 {
		return nil, nil
	}
	return p.log.Sighting(int64(at) - 1)
}

// replace spools another sighting of a URL, in place of what the crawl saw.
func (p *pages) replace(seen *document.Sighting) {
	p.table.SetValue(spool.Fingerprint(seen.URL), uint64(p.log.AddSighting(*seen))+1)
}

// compared reports whether what was read of a page was compared with the ledger for
// good: it was unchanged, and its profile still is what it was.
func (p *pages) compared(seen *document.Sighting) bool {
	return seen.Same && seen.Rules == p.stages.Rules(seen.URL, p.profile)
}

// finish reads what was spooled of a page, and makes its document. Where that fails, the
// page is unread from then on, and seen says so.
func (p *pages) finish(seen *document.Sighting) (document.Draft, document.Document, error) {
	draft, doc, fault := p.finished(seen)
	if fault == nil {
		return draft, doc, nil
	}
	*seen = unread(*seen, fault)
	p.lost++
	p.replace(seen)
	return document.Draft{}, document.Document{}, p.folder.Group.Flush()
}

func (p *pages) finished(seen *document.Sighting) (draft document.Draft, doc document.Document, err error) {
	defer document.Catch(func(fault error) { err = fault })
	draft, err = p.folder.Draft(seen.Draft)
	if err != nil {
		return draft, doc, err
	}
	return draft, p.stages.Finish(draft, seen.URL, p.profile), nil
}

// mayMove reports whether the content of a page may be found elsewhere.
func mayMove(seen *document.Sighting) bool {
	return isGone(seen) || seen.Seen == document.Unread && seen.Refusal != document.RefusedNot
}

func isGone(seen *document.Sighting) bool {
	return seen.Seen == document.Gone || seen.Seen == document.Missing
}

// target resolves where a sighting's redirect or canonical ends, or where the content of
// a page that is gone was found.
func (s *site) target(seen *document.Sighting) (judge.Target, error) {
	first := seen.Canonical
	if seen.Seen == document.Moved || seen.Seen == document.Elsewhere || mayMove(seen) {
		first = seen.Target
	}
	if first == "" && seen.Seen != document.Moved {
		return judge.Target{}, nil
	}
	target, err := judge.Resolve(seen.URL, first, s.node)
	_, target.Ours = s.hosts[weburl.Origin(target.URL)]
	target.Ours = target.Ours && !slices.Contains(s.options.FileOrigins, weburl.Origin(target.URL))
	if err != nil || target.State != judge.TargetLive || mayMove(seen) {
		return target, err
	}
	fp, lost := spool.Fingerprint(target.URL), s.lost
	_, movers := s.movers.Get(fp)
	_, folds := s.folds.Get(fp)
	target.Sole, target.Folds = movers == 1, int(folds)
	target.Alike = seen.Why == sameContent
	if !target.Alike && seen.Seen != document.Elsewhere {
		target.Alike, err = s.alike(seen.URL, target.URL)
	}
	if err == nil && (seen.Seen == document.Moved || seen.Seen == document.Elsewhere) {
		err = s.compareTitles(seen.URL, &target)
	}
	if err == nil && s.lost > lost { // one of the two is unread
		return judge.Resolve(seen.URL, first, s.node)
	}
	return target, err
}

// document returns the document of a page that was read in this run, with titles for tally.Printer, else
// that which the index holds of it.
func (p *pages) document(url string) (doc document.Document, titles []string, err error) {
	seen, err := p.sighting(url)
	if err != nil {
		return doc, nil, err
	}
	if seen != nil && seen.Draft != 0 {
		draft, doc, err := p.finish(seen)
		if err != nil || seen.Seen != document.Unread {
			return doc, append(draft.Titles, doc.Fields["Title"]), err
		}
	}
	doc, _, err = p.ledger.Text(url)
	return doc, []string{doc.Fields["Title"]}, err
}

// node tells judge.Resolve what is known of a URL.
func (p *pages) node(url string) (judge.Node, error) {
	flags, _ := p.table.Get(spool.Fingerprint(url))
	seen, err := p.sighting(url)
	switch {
	case err != nil:
		return judge.Node{}, err
	case seen != nil:
		node := judge.Node{Seen: seen.Seen, Status: seen.Status, Target: seen.Target, Canonical: seen.Canonical}
		if node.Canonical != "" && seen.Why != sameContent {
			// A path to a page with a mistaken canonical ends at that page.
			alike, err := p.alike(url, node.Canonical)
			if !alike {
				node.Canonical = ""
			}
			return node, err
		}
		return node, nil
	case flags&spool.Kept != 0: // what it was
		rec, err := p.ledger.Get(url)
		if err != nil || rec == nil {
			return judge.Node{}, err
		}
		node := judge.Node{Seen: document.Kept}
		if !rec.IsDocument() {
			node.Canonical = rec.Canonical
		}
		if n := len(rec.Looks); !rec.IsDocument() && rec.Canonical == "" && n > 0 {
			node.Seen = rec.Looks[n-1].Seen
		}
		return node, nil
	case flags&spool.Queued == 0, flags&spool.Sighted != 0: // what it shows is neither a document nor a page
		return judge.Node{Seen: document.OutOfScope}, nil
	}
	return judge.Node{}, nil
}

// alike reports whether the page at url has at least half of its text blocks on
// the page at other. Where the other's text is not known, because it did not change and
// the ledger keeps no text, it is as it was when the page was last compared with it.
func (p *pages) alike(url, other string) (bool, error) {
	mine, err := p.blocks(url)
	if err != nil || len(mine) == 0 {
		return false, err
	}
	theirs, err := p.blocks(other)
	if err != nil {
		return false, err
	}
	if len(theirs) == 0 {
		rec, err := p.ledger.Brief(url)
		return rec != nil && !rec.IsDocument() && rec.Canonical == other, err
	}
	shared := 0
	for block := range mine {
		if theirs[block] {
			shared++
		}
	}
	return 2*shared >= len(mine), nil
}

// blocks returns the hashes of a page's text blocks: of what was read in this run,
// else of what the index holds.
func (p *pages) blocks(url string) (map[uint64]bool, error) {
	doc, _, err := p.document(url)
	if err != nil {
		return nil, err
	}
	blocks := map[uint64]bool{}
	for line := range strings.Lines(doc.Fields["Content"]) {
		if text := strings.TrimSpace(line); text != "" {
			blocks[xxhash.Sum64String(text)] = true
		}
	}
	return blocks, nil
}
