package plan

import (
	"fmt"

	"sitesync/internal/document"
)

// sent returns a change as it is sent. In queue mode the hosted crawler is told of
// the URL, whatever became of the page: it looks for itself.
func (b *braking) sent(c document.Change) document.Change {
	if b.Queue {
		c.Op, c.Doc, c.Filter, c.Needs = document.Queue, nil, nil, ""
	}
	return c
}

// untold reports whether a change is only recorded: what the configuration excludes is
// nothing that a crawler should be told to fetch.
func (b *braking) untold(c *document.Change) bool {
	untold := b.Queue && c.Cause == document.CauseOutOfScope && c.State == document.Planned
	if untold {
		b.excluded++
	}
	return untold
}

// queueWarnings says, once a run, what Ok is worth, and what is not told.
func (b *braking) queueWarnings() (warnings []document.Warning) {
	warn := func(text string) {
		warnings = append(warnings, document.Warning{Kind: document.WarnQueue, Text: text})
	}
	if b.counts.Queue > 0 {
		warn("accepted is no proof of crawling: an inactive crawler answers Ok and never fetches; look in the management console whether it is active, or set push.mode = \"documents\"")
	}
	if b.excluded > 0 {
		warn(fmt.Sprintf("%d documents that the configuration now excludes are not told, and are forgotten here: the hosted crawler would fetch them; exclude them in the management console too", b.excluded))
	}
	return warnings
}

// doubting is a ledger in which every document is in doubt, as it will be once the
// plan is applied.
type doubting struct {
	Ledger
	reason string
}

func (d doubting) doubt(rec *document.Record, err error) (*document.Record, error) {
	if err == nil && rec.IsDocument() {
		rec.Push, rec.Reason = document.PushDoubt, d.reason
	}
	return rec, err
}

// Get returns the record of id.
func (d doubting) Get(id string) (*document.Record, error) { return d.doubt(d.Ledger.Get(id)) }

// Brief returns the record of id without its Fields.
func (d doubting) Brief(id string) (*document.Record, error) { return d.doubt(d.Ledger.Brief(id)) }

// Records visits every record.
func (d doubting) Records(visit func(id string, decode func(brief bool) (*document.Record, error)) error) error {
	return d.Ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		return visit(id, func(brief bool) (*document.Record, error) { return d.doubt(decode(brief)) })
	})
}
