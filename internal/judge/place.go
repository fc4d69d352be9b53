package judge

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
)

// Astray says how a known document's page suggests that its host or folder is broken. With every value after
// NotAstray, the document is called astray.
type Astray int

const (
	NotAstray      Astray = iota
	AstrayExcluded        // the configuration, robots.txt or the document's age makes its delete due
	AstrayGone
	AstrayMissing // 404, or the host's page for missing URLs
	AstrayNoIndex
	AstrayAway
	AstrayGuarded // a login, a challenge or a maintenance notice takes the page's place
	AstrayEmpty
	AstrayStranger
	astrayKinds = int(iota)
)

var astrayWords = [astrayKinds]string{
	AstrayGone: "answered 410", AstrayMissing: "not there", AstrayExcluded: "excluded",
	AstrayNoIndex: "noindex", AstrayAway: "redirected elsewhere",
	AstrayGuarded: "behind a login or a guard", AstrayEmpty: "empty shells", AstrayStranger: "with another text",
}

// AstrayOf says how a known document is astray. v is the verdict on its page. A document that moves, or that
// its canonical replaces, is not astray.
func AstrayOf(f *Facts, v *Verdict) Astray {
	c, seen := v.Change, f.Sighting.Seen
	leaves := c != nil && c.Op == document.Delete
	switch {
	case v.Move != nil, leaves && c.Cause == document.CauseDuplicate, f.Sighting.Stood:
		return NotAstray
	case seen == document.Gone:
		return AstrayGone
	case seen == document.Moved && (f.Target.State == TargetLive || f.Target.State == TargetHidden):
		return AstrayAway
	case seen == document.Missing, v.Waiting,
		leaves && (c.Cause == document.CauseMissing || c.Cause == document.CauseSoft404):
		return AstrayMissing
	case f.Sighting.Interstitial != "" && seen != document.Read:
		return AstrayGuarded
	case v.Unseen && (seen == document.Moved || seen == document.Elsewhere),
		leaves && c.Cause == document.CauseRedirected:
		return AstrayAway
	case seen == document.NoIndex:
		return AstrayNoIndex
	case leaves:
		return AstrayExcluded
	case f.emptyShell():
		return AstrayEmpty
	case f.Stranger():
		return AstrayStranger
	}
	return NotAstray
}

const shortText = 100

// Stranger reports whether a known page shows a text that shares less than half with its indexed text. A
// difference that a new version of the extracting code could explain does not count.
func (f *Facts) Stranger() bool {
	breaksOff := f.Content == nil && f.Sighting.Print != 0
	if !breaksOff && (f.Content == nil || f.Delta.Same()) {
		return false
	}
	if !f.Record.Acknowledged() || f.Record.Print == 0 || f.Record.Length < shortText {
		return false
	}
	if f.Volatile || f.Shared || f.Returns() {
		return false
	}
	if f.Sighting.Own || f.Ruled {
		return !f.Record.Print.Like(f.shown())
	}
	return f.Record.Print.Strange(f.shown())
}

func (f *Facts) shown() document.Print {
	if f.Content != nil {
		return f.Content.Print
	}
	return f.Sighting.Print
}

// A host, folder or content type with too few documents never counts as broken.
const (
	placeDocuments = 20 // least number of documents in a folder or of a type
	hostDocuments  = 2  // least number of documents on a host
	placeSample    = 3  // least Place.Sample that can show that a place is broken
)

// Place is a host, or a folder or content type of a host. It counts the documents that are astray in one run.
type Place struct {
	Name      string // such as "https://www.example.com/news/" or "PageContent of https://www.example.com/"
	Host      bool
	Documents int // documents that the index holds, or may hold
	Sample    int // documents requested although no hint (such as lastmod) called them changed
	Passed    int // documents of the sample that were not modified

	all, sample [astrayKinds]int
}

// Count counts a document of the place that was looked at. sampled says whether it belongs to the sample.
func (p *Place) Count(shows Astray, sampled bool) {
	p.all[shows]++
	if sampled {
		p.Sample++
		p.sample[shows]++
	}
}

// Ill reports whether the place looks broken: over half of its documents, or of its sample, are astray.
func (p *Place) Ill() bool { return p.half(AstrayExcluded, AstrayStranger) }

// holds reports whether an ill place holds back a due change. If excluded, gone and missing documents alone
// are over half, it holds only deletes. It holds a delete for a 410 only if over half answer 410.
func (p *Place) holds(c *document.Change) bool {
	if !p.Ill() {
		return false
	}
	switch {
	case c.Op != document.Delete:
		return !p.half(AstrayExcluded, AstrayMissing)
	case c.Cause == document.CauseGone:
		return p.half(AstrayGone, AstrayGone)
	}
	return true
}

// half reports whether over half of all documents, or of the sample, have an Astray from first to last.
func (p *Place) half(first, last Astray) bool {
	least := placeDocuments
	if p.Host {
		least = hostDocuments
	}
	sampled := p.Sample >= placeSample && 2*sum(p.sample, first, last) > p.Sample
	return p.Documents >= least && (sampled || 2*sum(p.all, first, last) > p.Documents)
}

// Why says in words how many documents of an ill place are astray, and in which ways.
func (p *Place) Why() string {
	counts, of, asked := p.all, p.Documents, ""
	if 2*sum(p.all, AstrayExcluded, AstrayStranger) <= p.Documents {
		counts, of, asked = p.sample, p.Sample, " that were asked for"
	}
	var shown []string
	for kind := AstrayExcluded; kind <= AstrayStranger; kind++ {
		if n := counts[kind]; n > 0 {
			shown = append(shown, document.Number(n)+" "+astrayWords[kind])
		}
	}
	astray := document.Of(sum(counts, AstrayExcluded, AstrayStranger), of, "document")
	return fmt.Sprintf("%s of %s%s: %s; more than half", astray, p.Name, asked, strings.Join(shown, ", "))
}

func sum(counts [astrayKinds]int, first, last Astray) (n int) {
	for kind := first; kind <= last; kind++ {
		n += counts[kind]
	}
	return n
}

// Most reports whether over half of the astray documents are of the given kind. Excluded ones do not count.
func (p *Place) Most(kind Astray) bool {
	return 2*p.all[kind] > sum(p.all, AstrayGone, AstrayStranger)
}

// Covers reports whether p holds back every change that inner, a place within p, holds back.
func (p *Place) Covers(inner *Place) bool {
	for _, c := range [...]document.Change{
		{Op: document.Put}, {Op: document.Delete}, {Op: document.Delete, Cause: document.CauseGone},
	} {
		if inner.holds(&c) && !p.holds(&c) {
			return false
		}
	}
	return true
}
