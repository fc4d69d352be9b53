package judge

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sitesync/internal/document"
)

func (j *judgement) copyRecord() *document.Record {
	if j.Record == nil {
		return &document.Record{ID: j.URL, Listed: j.Sighting.InSitemap, First: document.First{From: j.from()}}
	}
	next := *j.Record
	next.Listed = j.Sighting.InSitemap
	next.Looks = slices.Clone(j.Record.Looks)
	next.Fields = maps.Clone(j.Record.Fields)
	return &next
}

// seen returns the record to write if a brake (a limit on suspicious changes) holds the due change. The
// record holds what this run saw, without the change. If the stored record says the same, seen returns nil. A
// new page gets a record only if a link or sitemap leads to it, or if it is a start URL. Later runs then
// request the page, even if they skip the page that links to it.
func (j *judgement) seen() *document.Record {
	rec, s := j.Record, j.Sighting
	next := j.copyRecord()
	if rec == nil {
		if !j.Led {
			return nil
		}
		return next
	}
	next.Listed, next.Standing = s.InSitemap, j.standing
	// if the service refuses the document, Since is the run in which the refusals began
	if s.Seen != document.Unread && rec.Push != document.PushRefused {
		next.Since = ""
	}
	switch s.Seen {
	case document.Read, document.Kept:
		next.Misses, next.Looks, next.Ended = 0, nil, s.Ended
		if how, _ := j.illness(); how == "" {
			next.Suspect = document.Illness{}
		}
	default:
		j.look(next)
	}
	if reflect.DeepEqual(rec, next) {
		return nil
	}
	return next
}

func (j *judgement) plain() *document.Record {
	next := &document.Record{ID: j.URL, Listed: j.Sighting.InSitemap, Fetched: j.policy.Start}
	next.First.From = j.from()
	j.look(next)
	return next
}

func (j *judgement) from() string {
	if j.Record != nil {
		return j.Record.First.From
	}
	return j.Sighting.First.From
}

func (j *judgement) looked() *document.Record {
	next := j.copyRecord()
	next.Since = ""
	j.look(next)
	return next
}

func (j *judgement) look(rec *document.Record) {
	s := j.Sighting
	look := document.Look{Run: j.policy.Run, Seen: s.Seen, Status: s.Status, Why: cmp.Or(s.Why, s.Target)}
	rec.Looks = append(rec.Looks, look)
	if extra := len(rec.Looks) - document.MaxLooks; extra > 0 {
		rec.Looks = rec.Looks[extra:]
	}
}

func (j *judgement) keepIfNew(rec *document.Record) {
	old := j.Record
	same := old != nil && !old.IsDocument() && old.Since == "" && !j.policy.RecheckDue(j.URL, old) &&
		old.Listed == rec.Listed && old.Hints == rec.Hints && old.Canonical == rec.Canonical &&
		old.Date == rec.Date && old.Rules == rec.Rules &&
		len(old.Looks) > 0 && sameLook(old.Looks[len(old.Looks)-1], rec.Looks[len(rec.Looks)-1])
	if !same {
		j.verdict.Next = rec
	}
}

func sameLook(a, b document.Look) bool {
	return a.Seen == b.Seen && a.Status == b.Status && a.Why == b.Why
}

func (j *judgement) wait() {
	rec := j.Record
	switch {
	case rec == nil || rec.Push == document.PushNone:
		j.keepIfNew(j.plain())
	case j.Sighting.Seen == document.Read && (rec.Misses > 0 || rec.Since != "" && rec.Push == document.PushOK):
		next := *rec
		next.Misses, next.Standing, next.Since, next.Looks = 0, document.Standing{}, "", nil
		j.verdict.Next = &next
	}
}

func (j *judgement) answered() {
	if rec := j.Record; rec.Since != "" && rec.Push == document.PushOK {
		next := *rec
		next.Since = ""
		j.verdict.Next = &next
	}
}

func (j *judgement) keepMistake(text string) {
	if !j.Record.IsDocument() {
		j.keepIfNew(j.plain())
		j.verdict.warn("redirect", j.URL, text)
		return
	}
	next := j.looked()
	n := len(next.Looks)
	j.verdict.Unseen, j.verdict.Newly = true, n == 1 || !sameLook(next.Looks[n-2], next.Looks[n-1])
	if j.verdict.Newly {
		j.verdict.Next = next
	} else {
		text = "still " + text
		j.answered()
	}
	j.verdict.warn("redirect", j.URL, text)
}

// urlField is the only field that the command "verify" sends to ask for a document. A service may send it
// back without having the document.
const urlField = "Url"

// Compare compares rec, the record of an acknowledged document, with the service's answer a to the command
// "verify". It looks only at fields of rec, because services add fields such as Date_date. If the answer has
// none of the fields of rec except urlField, the document is missing. The service then made an empty
// document, or repeats the request.
func Compare(rec *document.Record, a document.Answer) document.Finding {
	f := document.Finding{ID: rec.ID, Found: document.FoundSame, Index: a.Fields}
	switch a.State {
	case document.Acknowledged:
	case document.Refused:
		f.Found, f.Reason = document.FoundMissing, a.Reason
		return f
	default:
		f.Found, f.Reason, f.Doubt = document.FoundUnknown, a.Reason, a.State == document.InDoubt
		return f
	}
	shown := false
	for _, name := range slices.Sorted(maps.Keys(rec.Fields)) {
		value, there := a.Fields[name]
		shown = shown || there && name != urlField
		if !there || document.HashOf(value) != rec.Fields[name] {
			f.Fields = append(f.Fields, name)
		}
	}
	switch {
	case len(f.Fields) > 0 && shown:
		f.Found, f.Reason = document.FoundAltered, fmt.Sprintf("not as acknowledged: %s", strings.Join(f.Fields, ", "))
	case len(f.Fields) > 0:
		f.Found, f.Fields, f.Doubt = document.FoundMissing, nil, true
		f.Reason = "the service may have made an empty document of the question; the next run puts it again"
	}
	return f
}
