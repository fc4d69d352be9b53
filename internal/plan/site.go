package plan

import (
	"regexp"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
)

// site is the site as a run knows it after the crawl: its hosts, and its pages by URL.
type site struct {
	options *Options
	stages  Stages
	ledger  Ledger
	folder  *work.Folder
	log     sightingLog
	scratch *spool.Scratch
	table   *spool.Table // the value of a URL is where its sighting stands, plus 1

	past          *past.Past
	survey        document.Survey
	hosts         map[string]document.Host
	memories      map[string]document.HostMemory
	capped        map[string][]*regexp.Regexp     // the patterns of URLs that the crawl did not cover, by host
	interstitials map[string]*judge.Interstitials // what stood in place of pages, by origin

	profile document.Profile // of the ledger, with what was learned in this run
	learned document.Profile
	seen    *spool.Sorter // the URLs that have a sighting; 1: of a page that did not change
	leads   *spool.Sorter // the URLs that redirect or have a canonical
	movers  *spool.Table  // how many documents redirect to a URL, with the flags below
	folds   *spool.Table  // how many redirect there, or are folded into it

	warnings warning.List // about single pages
	lost     int          // pages whose spooled content could not be read
}

// The flags of a URL in site.movers.
const (
	movedTo     = spool.Queued  // a document moved there
	movedPut    = spool.Sighted // which is put, as new
	movedPaired = spool.Known   // and is counted with a delete
)

func (p *Planner) newSite(profile document.Profile, survey document.Survey, earlier *past.Past, scratch *spool.Scratch) (s *site, err error) {
	s = &site{
		options: &p.options, stages: p.stages, ledger: p.ledger, folder: p.folder, log: p.log, scratch: scratch, table: p.folder.Table,
		past: earlier, survey: survey, hosts: map[string]document.Host{}, memories: map[string]document.HostMemory{},
		capped: map[string][]*regexp.Regexp{}, interstitials: map[string]*judge.Interstitials{},
		profile: profile, seen: scratch.Sorter(), leads: scratch.Sorter(), movers: spool.NewTable(), folds: spool.NewTable(),
	}
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
func (s *site) warn(kind, text string) {
	s.survey.Warnings = append(s.survey.Warnings, document.Warning{Kind: kind, Text: text})
}

// notFollowed returns the pattern of a URL that the crawl stopped following; empty: none.
func (s *site) notFollowed(url string) string {
	for _, re := range s.capped[weburl.Origin(url)] {
		if re.MatchString(weburl.Target(url)) {
			return re.String()
		}
	}
	return ""
}

// covered reports whether all pages of a URL's host were looked at: only then is it
// known that a content stands at one address alone.
func (s *site) covered(url string) bool {
	return !judge.HostIncomplete(s.hosts[weburl.Origin(url)], s.options.Limits) && s.notFollowed(url) == ""
}

// interstitialsOf returns what stood before the pages of a URL's host so far.
func (s *site) interstitialsOf(url string) *judge.Interstitials {
	at := weburl.Origin(url)
	if s.interstitials[at] == nil {
		s.interstitials[at] = &judge.Interstitials{}
	}
	return s.interstitials[at]
}

// sighting returns what was seen of a URL; nil when nothing but its table entry is known.
func (s *site) sighting(url string) (*document.Sighting, error) {
	_, at := s.table.Get(spool.Fingerprint(url))
	if at == 0 {
		return nil, nil
	}
	return s.log.Sighting(int64(at) - 1)
}

// replace spools another sighting of a URL, in place of what the crawl saw.
func (s *site) replace(seen *document.Sighting) {
	s.table.SetValue(spool.Fingerprint(seen.URL), uint64(s.log.AddSighting(*seen))+1)
}

// compared reports whether what was read of a page was compared with the ledger for
// good: it was unchanged, and its profile still is what it was.
func (s *site) compared(seen *document.Sighting) bool {
	return seen.Same && seen.Rules == s.stages.Rules(seen.URL, s.profile)
}

// finish reads what was spooled of a page, and makes its document. Where that fails, the
// page is unread from then on, and seen says so.
func (s *site) finish(seen *document.Sighting) (document.Draft, document.Document, error) {
	draft, doc, fault := s.finished(seen)
	if fault == nil {
		return draft, doc, nil
	}
	*seen = unread(*seen, fault)
	s.lost++
	s.replace(seen)
	return document.Draft{}, document.Document{}, s.folder.Group.Flush()
}

func (s *site) finished(seen *document.Sighting) (draft document.Draft, doc document.Document, err error) {
	defer document.Catch(func(fault error) { err = fault })
	draft, err = s.folder.Draft(seen.Draft)
	if err != nil {
		return draft, doc, err
	}
	return draft, s.stages.Finish(draft, seen.URL, s.profile), nil
}

func isGone(seen *document.Sighting) bool {
	return seen.Seen == document.Gone || seen.Seen == document.Missing
}

// target resolves where a sighting's redirect or canonical ends, or where the content of
// a page that is gone was found.
func (s *site) target(seen *document.Sighting) (judge.Target, error) {
	first := seen.Canonical
	if seen.Seen == document.Moved || isGone(seen) {
		first = seen.Target
	}
	if first == "" && seen.Seen != document.Moved {
		return judge.Target{}, nil
	}
	target, err := judge.Resolve(seen.URL, first, s.node)
	if err != nil || target.State != judge.TargetLive || isGone(seen) {
		return target, err
	}
	fp, lost := spool.Fingerprint(target.URL), s.lost
	_, movers := s.movers.Get(fp)
	_, folds := s.folds.Get(fp)
	target.Sole, target.Folds = movers == 1, int(folds)
	target.Alike = seen.Why == sameContent
	if !target.Alike {
		target.Alike, err = s.alike(seen.URL, target.URL)
	}
	if err == nil && seen.Seen == document.Moved {
		err = s.compareTitles(seen.URL, &target)
	}
	if err == nil && s.lost > lost { // one of the two is unread
		return judge.Resolve(seen.URL, first, s.node)
	}
	return target, err
}

// document returns the document of a page that was read in this run, with its titles, else
// that which the index holds of it.
func (s *site) document(url string) (doc document.Document, titles []string, err error) {
	seen, err := s.sighting(url)
	if err != nil {
		return doc, nil, err
	}
	if seen != nil && seen.Draft != 0 {
		draft, doc, err := s.finish(seen)
		if err != nil || seen.Seen != document.Unread {
			return doc, draft.Titles, err
		}
	}
	doc, _, err = s.ledger.Text(url)
	return doc, []string{doc.Fields["Title"]}, err
}

// node tells judge.Resolve what is known of a URL.
func (s *site) node(url string) (judge.Node, error) {
	flags, _ := s.table.Get(spool.Fingerprint(url))
	seen, err := s.sighting(url)
	switch {
	case err != nil:
		return judge.Node{}, err
	case seen != nil:
		node := judge.Node{Seen: seen.Seen, Status: seen.Status, Target: seen.Target, Canonical: seen.Canonical}
		if node.Canonical != "" && seen.Why != sameContent {
			// A path to a page with a mistaken canonical ends at that page.
			alike, err := s.alike(url, node.Canonical)
			if !alike {
				node.Canonical = ""
			}
			return node, err
		}
		return node, nil
	case flags&spool.Kept != 0: // what it was
		rec, err := s.ledger.Get(url)
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
	case flags&spool.Queued == 0:
		return judge.Node{Seen: document.OutOfScope}, nil
	}
	return judge.Node{}, nil
}

// alike reports whether the page at url has at least half of its text blocks on
// the page at other. Where the other's text is not known, because it did not change and
// the ledger keeps no text, it is as it was when the page was last compared with it.
func (s *site) alike(url, other string) (bool, error) {
	mine, err := s.blocks(url)
	if err != nil || len(mine) == 0 {
		return false, err
	}
	theirs, err := s.blocks(other)
	if err != nil {
		return false, err
	}
	if len(theirs) == 0 {
		rec, err := s.ledger.Brief(url)
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
func (s *site) blocks(url string) (map[uint64]bool, error) {
	doc, _, err := s.document(url)
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
