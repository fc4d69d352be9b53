package judge

import (
	"encoding/json"
	"fmt"
	"time"

	"sitesync/internal/document"
)

// BulkSaves is how many calls a bulk delete must save.
const BulkSaves = 50

// dateLayout is the form of days, specification section 2.3; dateKey is the field that
// a filter addresses them by. A document that has it itself is matched by that, and
// not by its Date.
const (
	dateLayout = "2006/01/02"
	dateKey    = "Date_date"
)

// Bulk is a bulk delete in the form of a retention rule, and the proof that it takes nothing
// that stays: it is to be told of all that does. The zero value is ruled out.
type Bulk struct {
	Before string // the bound of the filter, YYYY/MM/DD; empty: there is no such delete
	Barred bool   // something that stays may be as old
}

// NewBulk returns the bulk delete of a rule that takes what is older than a day, YYYY/MM/DD;
// of none when that is empty. The bound lies a day before, because the service may count
// days in another time zone.
func NewBulk(cutoff string) *Bulk { return &Bulk{Before: dayBefore(cutoff)} }

func dayBefore(date string) string {
	day, err := time.Parse(dateLayout, date)
	if err != nil {
		return ""
	}
	return day.AddDate(0, 0, -1).Format(dateLayout)
}

// Possible reports whether nothing rules the bulk delete out yet.
func (b *Bulk) Possible() bool { return b.Before != "" && !b.Barred }

// Lives tells of a document that the index holds, or is to hold, after the bulk delete.
// One that may be dated before the rule's day rules it out.
func (b *Bulk) Lives(rec *document.Record) {
	if !b.Possible() {
		return
	}
	day, known := bulkDay(rec)
	b.Barred = !known || day != "" && day <= b.Before
}

// Goes reports whether a change takes its document out of the index for certain, once it
// is sent: it is neither held nor waits for another document.
func Goes(c *document.Change) bool {
	return c.Op == document.Delete && c.State == document.Planned && c.Needs == ""
}

// Takes reports whether the bulk delete may take a document that a retention rule takes
// out. What is dated within a day of the bound, and what may be, goes by its ID, before.
func (b *Bulk) Takes(c *document.Change, rec *document.Record) bool {
	if !b.Possible() || c.Cause != document.CauseExpired || !Goes(c) || c.Doubt || c.Again || rec == nil {
		return false
	}
	day, known := bulkDay(rec)
	return known && day != "" && day < dayBefore(b.Before)
}

// bulkDay returns the day by which a filter matches a record's document, empty where
// none does; false when the index may hold another day than the record says.
func bulkDay(rec *document.Record) (day string, known bool) {
	date, dated := rec.Fields["Date"]
	_, explicit := rec.Fields[dateKey]
	switch {
	case rec.Push != document.PushOK || explicit || dated && date != document.HashOf(rec.Date) || !dated && rec.Date != "":
		return "", false
	case rec.Date == "":
		return "", true
	}
	_, err := time.Parse(dateLayout, rec.Date)
	return rec.Date, err == nil
}

// BulkFilter returns the filter of the documents before a day, as it is sent: the only one that ever
// is.
func BulkFilter(before string) json.RawMessage {
	return fmt.Appendf(nil, `{%q:{"operator":"Lt","values":[%q]}}`, dateKey, before)
}
