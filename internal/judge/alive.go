package judge

import (
	"fmt"
	"reflect"
	"slices"

	"sitesync/internal/document"
)

func (j *judgement) alive() {
	switch {
	case j.fold():
	case j.Expired != "":
		j.expired()
	case j.policy.Orphans && j.Sighting.Seen == document.Read && j.Record.IsDocument() &&
		j.HostFull && !j.Linked && !j.Sighting.InSitemap:
		j.remove(document.CauseOrphan, nil)
	case j.Content != nil:
		j.judgeRead()
	default:
		j.refresh()
	}
}

// fold judges a page that names a canonical URL. If the canonical page was not read, the page waits. If the
// canonical page has at least half of the page's text, it replaces the page. In both cases fold returns true.
func (j *judgement) fold() bool {
	s, t := j.Sighting, j.Target
	if s.Canonical == "" {
		return false
	}
	switch {
	case t.State == TargetUnread:
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
	still, which := "", string(t.State)
	switch {
	case t.State == TargetLive && t.Hops > 1:
		which = "a redirect or names another page"
	case t.State == TargetLive:
		which = "a page with other content"
	}
	if j.Record.IsDocument() && j.Record.Canonical == s.Canonical {
		still = "still "
	} else if j.Record.IsDocument() {
		j.verdict.Unseen, j.verdict.Newly = true, true
	}
	const text = "%snames %s as canonical, which is %s; the page is kept under its own address"
	j.verdict.warn(warnCanonical, j.URL, fmt.Sprintf(text, still, s.Canonical, which))
	return false
}

const warnCanonical = "canonical"

// expired deletes a document that is older than the configuration allows. The record keeps the document's
// date. From this date the next run knows that the document stays out, without reading the page again.
func (j *judgement) expired() {
	kept := j.plain()
	kept.Hints, kept.Date = j.Sighting.Hints, j.Date()
	switch {
	case j.Content != nil:
		kept.Rules = j.Content.Rules
	case j.Record != nil:
		kept.Rules = j.Record.Rules
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

func (j *judgement) judgeRead() {
	if !j.Record.IsDocument() || !j.Delta.Same() {
		for _, kind := range j.Content.Warn {
			j.verdict.warn(kind, j.URL, j.warning(kind))
		}
	}
	if how, why := j.illness(); how != "" && j.suspect(document.Illness{How: how, Length: j.Content.Length}, why) {
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
		change.Cause = document.CauseRetry
		change.Evidence = fmt.Sprintf("refused %s: %s", document.Count(rec.Strikes, "time"), rec.Reason)
	case j.Delta.Same():
		j.refresh()
		return
	default: // the smallest call: a PATCH, or a PUT if a field must be removed
		change.Cause = document.CauseChanged
		if rec.Rules != j.Content.Rules && !j.Sighting.Own {
			change.Cause = document.CauseRules
		}
		change.Op, change.Fields = document.Patch, j.Delta.Changed
		if len(j.Delta.Lost) > 0 {
			change.Op = document.Put
			change.Fields = slices.Sorted(slices.Values(slices.Concat(j.Delta.Changed, j.Delta.Lost)))
		}
	}
	j.verdict.Change = change
}

func (j *judgement) warning(kind string) string {
	if kind == document.WarnLanguage {
		return j.Content.Misread
	}
	text := warningTexts[kind]
	if rec := j.Record; kind == fileWithoutText && rec != nil && rec.Push == document.PushOK && j.keepsText() {
		text = "the index keeps what it has of the file, until it has text again"
	}
	if j.Content.Why != "" && (kind == fileWithoutText || kind == document.WarnCut) {
		text = j.Content.Why + "; " + text
	}
	return text
}

const fileWithoutText = "file-without-text"

var warningTexts = map[string]string{
	fileWithoutText:  "the file is indexed by its title and link text only",
	"empty-shell":    "the page has no text without JavaScript",
	document.WarnCut: "only the beginning of its text is indexed; divide the page or the file",
	"noscript-text": "its text is what it shows to clients without JavaScript; " +
		"links in that are not followed: list the pages in a sitemap",
	"streamed-text":    "most of its text is sent behind the page, and JavaScript moves it to its place",
	"hidden-text":      "most of its text is hidden until JavaScript shows it",
	"no-content-match": "extract.content matches nothing on the page; its main text was found without",
}

// accepted returns the record to keep after the service acknowledges the content that was read. Its hints
// (ETag, Last-Modified, lastmod) come from the response with this content.
func (j *judgement) accepted() *document.Record {
	s := j.Sighting
	hints := s.Hints
	if j.Lied&document.ClaimValidator != 0 { // an ETag that was wrong once would hide the next change as well
		hints.ETag, hints.LastModified = "", ""
	}
	if j.Lied&document.ClaimLastmod != 0 || j.breaksOff() && j.Record.Since != "" {
		hints.Lastmod = 0
	}
	born := j.policy.Start
	// a record without Fields belongs to a document that the service never acknowledged
	if j.Record.IsDocument() && len(j.Record.Fields) > 0 {
		born = j.Record.Born
	}
	var recent []uint64
	if rec := j.Record; rec != nil && len(rec.Fields) > 0 {
		now := document.SumFields(j.Content.Type, j.Content.Fields).Short()
		recent = append([]uint64{document.SumFields(rec.Type, rec.Fields).Short()}, rec.Recent...)
		recent = slices.DeleteFunc(recent, func(sum uint64) bool { return sum == now })
		recent = recent[:min(len(recent), document.MaxRecent)]
	}
	return &document.Record{
		ID: j.URL, Type: j.Content.Type, Fields: j.Content.Fields, Content: j.Content.Sum, Length: j.Content.Length,
		Date: j.Content.Date, Rules: j.Content.Rules, Hints: hints, Fetched: j.policy.Start, Born: born,
		Push: document.PushOK, Listed: s.InSitemap, First: s.First, Ended: s.Ended,
		Canonical: s.Canonical, Recent: recent, Print: j.Content.Print,
	}
}

// breaksOff reports whether the page of a document was read, but its HTML came without </html>. The caller
// may then clear the sitemap's lastmod in the record: it could hide that the page is complete again.
func (j *judgement) breaksOff() bool {
	return j.Record.IsDocument() && j.Record.Type == document.PageContent &&
		j.Sighting.Seen == document.Read && !j.Sighting.Ended
}

func (j *judgement) refresh() {
	rec, s := j.Record, j.Sighting
	if rec == nil {
		return
	}
	next := *rec
	next.Misses, next.Standing, next.Since, next.Suspect = 0, document.Standing{}, "", document.Illness{}
	next.Listed = s.InSitemap
	switch {
	case !next.IsDocument():
	case s.Seen == document.Read:
		next.Canonical = s.Canonical
	case next.Canonical != "":
		text := "still names " + next.Canonical + " as canonical by mistake; the page is kept under its own address"
		j.verdict.warn(warnCanonical, j.URL, text)
	}
	if rec.IsDocument() || rec.Misses > 0 || rec.Since != "" {
		next.Looks = nil
	}
	if s.Seen == document.Read {
		next.Hints, next.Ended = s.Hints, s.Ended
		if j.breaksOff() && rec.Hints.Lastmod == 0 {
			next.Hints.Lastmod = 0
		}
	}
	// Content is the hash of the whole page as read, including text that the document leaves out
	if s.Seen == document.Read && !s.Content.IsZero() {
		next.Content = s.Content
	}
	if s.Rules != 0 {
		next.Rules = s.Rules
	}
	if s.Fetched && (j.policy.RecheckDue(j.URL, rec) || DayOpen(next.Hints.Lastmod, rec.Fetched)) {
		next.Fetched = j.policy.Start
	}
	if !reflect.DeepEqual(rec, &next) {
		j.verdict.Next = &next
	}
}
