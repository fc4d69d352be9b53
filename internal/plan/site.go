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

// site combines the crawl's sightings (results of looks at URLs) with the ledger (what the index holds).
type site struct {
	pages
	origins

	options  *Options
	past     *past.Past
	scratch  *spool.Scratch
	learned  document.Profile // sections of the profile (text that pages share) that this run learned
	contents past.Copies
	newRules bool
	seen     *spool.Sorter // URLs with a sighting; value 1 if the page is unchanged
	leads    *spool.Sorter // URLs that redirect or name a canonical
	movers   *spool.Table  // for each URL, the number of documents that redirect to it; flags: see movedTo
	folds    *spool.Table  // for each URL, the number of documents that redirect to it or name it canonical
	inbound  inbound
	prints   tally.Printer

	warnings warning.List
}

type pages struct {
	stages     Stages
	ledger     Ledger
	folder     *work.Folder
	log        sightingLog
	table      *spool.Table     // maps a URL to the position of its sighting plus 1
	profile    document.Profile // the stored profile; after the crawl, with the sections learned in this run
	unreadable int
}

type origins struct {
	survey   document.Survey
	hosts    map[string]document.Host
	memories map[string]document.HostMemory
	capped   map[string][]*regexp.Regexp // by host, patterns of URLs that the crawl stopped following
	looks    map[string]*judge.Looks
	liars    map[string]string // by origin, the first page that changed although ETag and Last-Modified did not
}

// The flags in site.movers.
const (
	movedTo     = spool.Queued
	movedPut    = spool.Sighted // the plan puts a new document at the URL
	movedPaired = spool.Known   // the plan deletes a document that moved to the URL
)

func (p *Planner) newSite(survey document.Survey, earlier *past.Past, scratch *spool.Scratch) (s *site, err error) {
	s = &site{
		pages: p.pages,
		origins: origins{
			survey: survey, hosts: map[string]document.Host{}, memories: map[string]document.HostMemory{},
			capped: map[string][]*regexp.Regexp{}, looks: map[string]*judge.Looks{}, liars: map[string]string{},
		},
		options: &p.options, past: earlier, scratch: scratch,
		newRules: judge.OwnerRulesDiffer(p.options.RulesBefore, p.options.RulesNow),
		seen:     scratch.Sorter(), leads: scratch.Sorter(), movers: spool.NewTable(), folds: spool.NewTable(),
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
		s.capped[c.Host] = append(s.capped[c.Host], regexp.MustCompile(c.Pattern))
	}
	return s, nil
}

func (o *origins) warn(kind, text string) {
	o.survey.Warnings = append(o.survey.Warnings, document.Warning{Kind: kind, Text: text})
}

func (o *origins) notFollowed(url string) string {
	for _, re := range o.capped[weburl.Origin(url)] {
		if re.MatchString(weburl.Target(url)) {
			return re.String()
		}
	}
	return ""
}

func (o *origins) readWhole(origin string) bool {
	h := o.hosts[origin]
	return h.Covered && !h.Unlisted && len(o.capped[origin]) == 0
}

func (s *site) covered(url string) bool {
	return s.hosts[weburl.Origin(url)].Covered && s.notFollowed(url) == ""
}

func (o *origins) looksOf(url string) *judge.Looks {
	at := weburl.Origin(url)
	if o.looks[at] == nil {
		o.looks[at] = &judge.Looks{}
	}
	return o.looks[at]
}

func (p *pages) sighting(url string) (*document.Sighting, error) {
	_, at := p.table.Get(spool.Fingerprint(url))
	if at == 0 {
		return nil, nil
	}
	return p.log.Sighting(int64(at) - 1)
}

func (p *pages) replace(seen *document.Sighting) {
	p.table.SetValue(spool.Fingerprint(seen.URL), uint64(p.log.AddSighting(*seen))+1)
}

func (p *pages) compared(seen *document.Sighting) bool {
	return seen.Same && seen.Rules == p.stages.Rules(seen.URL, p.profile)
}

// finish makes a page's document from its stored content. If that fails, the page counts as one
// that could not be read (document.Unread).
func (p *pages) finish(seen *document.Sighting) (document.Draft, document.Document, error) {
	draft, doc, fault := p.finished(seen)
	if fault == nil {
		return draft, doc, nil
	}
	*seen = unread(*seen, fault)
	p.unreadable++
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

func mayMove(seen *document.Sighting) bool {
	return isGone(seen) || seen.Seen == document.Unread && seen.Refusal != document.RefusedNot
}

func isGone(seen *document.Sighting) bool {
	return seen.Seen == document.Gone || seen.Seen == document.Missing
}

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
	fp, lost := spool.Fingerprint(target.URL), s.unreadable
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
	if err == nil && s.unreadable > lost { // the page or its target has just become unread
		return judge.Resolve(seen.URL, first, s.node)
	}
	return target, err
}

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

func (p *pages) node(url string) (judge.Node, error) {
	flags, _ := p.table.Get(spool.Fingerprint(url))
	seen, err := p.sighting(url)
	switch {
	case err != nil:
		return judge.Node{}, err
	case seen != nil:
		node := judge.Node{Seen: seen.Seen, Status: seen.Status, Target: seen.Target, Canonical: seen.Canonical}
		if node.Canonical != "" && seen.Why != sameContent {
			// A canonical to a page with another content is a mistake, and is ignored.
			alike, err := p.alike(url, node.Canonical)
			if !alike {
				node.Canonical = ""
			}
			return node, err
		}
		return node, nil
	case flags&spool.Kept != 0: // the page is unchanged, so its record describes it
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
	case flags&spool.Queued == 0, flags&spool.Sighted != 0: // the URL was not queued, or it makes no document
		return judge.Node{Seen: document.OutOfScope}, nil
	}
	return judge.Node{}, nil
}

// alike reports whether at least half of the text blocks of the page url are also on the page other. If the
// text of other is not stored, alike reports whether the ledger names other as the canonical of url.
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
