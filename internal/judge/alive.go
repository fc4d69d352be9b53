package judge

import (
	"fmt"
	"slices"

	"sitesync/internal/document"
)

// collapse is the share of its old length under which a content counts as lost.
const collapse = 0.2

// alive judges a page that is there: folded, expired, orphaned, unhealthy, or to
// be sent as far as it differs.
func (j *judgement) alive() {
	switch {
	case j.fold():
	case j.Expired != "":
		j.expired()
	case j.orphaned():
		j.remove(document.CauseOrphan, nil)
	case j.Content != nil:
		j.read()
	default:
		j.refresh()
	}
}

// fold gives way to the page's canonical and reports whether it did.
func (j *judgement) fold() bool {
	s, t := j.Sighting, j.Target
	if s.Canonical == "" {
		return false
	}
	switch {
	case t.State == TargetUnread: // keep both, send neither
		j.wait()
		return true
	case t.State == TargetLive && t.Alike:
		folded := j.plain()
		folded.Canonical, folded.Hints = t.URL, s.Hints
		if !j.Record.IsDocument() {
			j.keepIfNew(folded)
			return true
		}
		j.remove(document.CauseDuplicate, folded)
		j.verdict.Change.Needs = t.URL
		return true
	}
	if j.Content != nil {
		j.verdict.warn("canonical", j.URL, fmt.Sprintf("names %s as canonical, which is %s; the page is kept under its own address", s.Canonical, t.describe()))
	}
	return false
}

// expired takes a document out, and keeps what tells, without reading the page again,
// that it stays out.
func (j *judgement) expired() {
	kept := j.plain()
	kept.Hints = j.Sighting.Hints
	switch {
	case j.Content != nil:
		kept.Date, kept.Rules = j.Content.Date, j.Content.Rules
	case j.Record != nil:
		kept.Date, kept.Rules = j.Record.Date, j.Record.Rules
	}
	switch {
	case j.Record.IsDocument():
		j.remove(document.CauseExpired, kept)
	case j.Content == nil:
		j.refresh()
	default:
		j.keepIfNew(kept)
	}
}

func (j *judgement) orphaned() bool {
	return j.policy.Orphans && j.Sighting.Seen == document.Read && j.Record.IsDocument() && j.HostFull && !j.Linked && !j.Sighting.InSitemap
}

// read sends what differs, unless the page looks ill.
func (j *judgement) read() {
	j.fileWarnings()
	if j.ill() {
		return
	}
	next := j.accepted()
	rec := j.Record
	change := &document.Change{
		Op: document.Put, ID: j.URL, Type: j.Content.Type, Next: next, State: document.Planned,
		Cause: document.CauseNew, Doubt: rec != nil && rec.Push == document.PushDoubt,
	}
	switch {
	case rec == nil || rec.Push == document.PushNone:
	case rec.Push == document.PushDoubt:
		change.Cause, change.Evidence = document.CauseInDoubt, rec.Reason
		if rec.Repair {
			change.Cause = document.CauseRepair
		}
	case rec.Push == document.PushRefused:
		change.Cause, change.Evidence = document.CauseRetry, fmt.Sprintf("refused %s: %s", document.Count(rec.Strikes, "time"), rec.Reason)
	case j.Delta.Same():
		j.refresh()
		return
	default:
		j.differ(change)
	}
	j.verdict.Change = change
}

// differ makes change the smallest call for an acknowledged document: a PATCH, or
// a PUT where a field must go.
func (j *judgement) differ(change *document.Change) {
	change.Cause = document.CauseChanged
	if j.Record.Rules != j.Content.Rules {
		change.Cause = document.CauseRules
	}
	change.Op, change.Fields = document.Patch, j.Delta.Changed
	if len(j.Delta.Lost) > 0 {
		change.Op = document.Put
		change.Fields = slices.Sorted(slices.Values(append(slices.Clone(j.Delta.Changed), j.Delta.Lost...)))
	}
}

// ill holds a collapsed page back once: its text in the index is kept until the
// next run reads the same again.
func (j *judgement) ill() bool {
	rec := j.Record
	if rec == nil || rec.Push != document.PushOK || j.Delta.Same() {
		return false
	}
	why := j.illness()
	if why == "" {
		return false
	}
	hash := document.SumFields(j.Content.Type, j.Content.Fields)
	if rec.Suspect == hash && !j.lostText() {
		return false
	}
	if rec.Suspect != hash || rec.Misses > 0 || rec.Since != "" {
		next := j.copyRecord()
		next.Suspect, next.Misses, next.Since = hash, 0, ""
		j.look(next)
		j.verdict.Next = next
	}
	if !j.lostText() { // which has its own warning
		j.verdict.warn("unhealthy", j.URL, why+"; the indexed text is kept; what was read is sent when the next run reads the same again")
	}
	return true
}

// lostText reports whether a file has no text where the index holds some: that is
// kept for good.
func (j *judgement) lostText() bool {
	return slices.Contains(j.Content.Warn, fileWithoutText) && slices.Contains(j.Delta.Lost, "Content")
}

func (j *judgement) illness() string {
	switch {
	case slices.Contains(j.Content.Warn, "empty-shell"):
		return "the page is an empty shell: its text needs JavaScript"
	case len(j.Delta.Lost) > 0:
		return fmt.Sprintf("the page lost its %s", j.Delta.Lost[0])
	case j.shrank():
		return fmt.Sprintf("the content shrank from %d to %d bytes", j.Record.Length, j.Content.Length)
	}
	return ""
}

func (j *judgement) fileWarnings() {
	if j.Record.IsDocument() && j.Delta.Same() {
		return
	}
	for _, kind := range j.Content.Warn {
		j.verdict.warn(kind, j.URL, j.warning(kind))
	}
}

func (j *judgement) warning(kind string) string {
	text := warningTexts[kind]
	if kind != fileWithoutText {
		return text
	}
	if rec := j.Record; rec != nil && rec.Push == document.PushOK && j.lostText() {
		text = "the index keeps what it has of the file, until it has text again"
	}
	if j.Content.NoText != "" {
		text = j.Content.NoText + "; " + text
	}
	return text
}

const fileWithoutText = "file-without-text"

var warningTexts = map[string]string{
	fileWithoutText:    "the file is indexed by its title and link text only",
	"empty-shell":      "the page has no text without JavaScript",
	"no-content-match": "extract.content matches nothing on the page; its main text was found without",
}

// accepted returns the record as it stands once the service acknowledged the
// content that was read; the hints are those that came with it.
func (j *judgement) accepted() *document.Record {
	s := j.Sighting
	return &document.Record{
		ID: j.URL, Type: j.Content.Type, Fields: j.Content.Fields, Content: j.Content.Sum, Length: j.Content.Length,
		Date: j.Content.Date, Rules: j.Content.Rules, Hints: s.Hints, Fetched: j.policy.Start, Born: j.born(),
		Push: document.PushOK, Listed: s.InSitemap, First: s.First, Ended: s.Ended,
	}
}

// refresh brings the record of an unchanged page up to date where it must be, and
// leaves it alone where it need not.
func (j *judgement) refresh() {
	rec, s := j.Record, j.Sighting
	if rec == nil {
		return
	}
	next := *rec
	next.Misses, next.Since, next.Suspect = 0, "", document.Hash{}
	next.Listed = s.InSitemap
	if rec.IsDocument() || rec.Misses > 0 || rec.Since != "" {
		next.Looks = nil
	}
	if s.Seen == document.Read && s.Hints != (document.Hints{}) { // a hint teaches no hint
		next.Hints = s.Hints
	}
	if s.Seen == document.Read {
		next.Ended = s.Ended
	}
	if s.File { // its bytes, of which nothing may show in the document
		next.Content = s.Content
	}
	if s.Rules != 0 {
		next.Rules = s.Rules
	}
	if s.Fetched && (j.policy.RecheckDue(j.URL, rec) || DayOpen(next.Hints.Lastmod, rec.Fetched)) {
		next.Fetched = j.policy.Start
	}
	if !sameRecord(rec, &next) {
		j.verdict.Next = &next
	}
}

func sameRecord(a, b *document.Record) bool {
	return a.Misses == b.Misses && a.Since == b.Since && a.Suspect == b.Suspect && a.Listed == b.Listed && a.Ended == b.Ended &&
		a.Hints == b.Hints && a.Rules == b.Rules && a.Content == b.Content && a.Fetched == b.Fetched && len(a.Looks) == len(b.Looks)
}
