package judge

import (
	"encoding/json"
	"fmt"
	"time"

	"sitesync/internal/document"
)

// BulkSaves is the least number of calls that a bulk delete must save. Else its documents are deleted by ID.
const BulkSaves = 50

// dateLayout is the form of dates (section 2.3 of the search service's specification). A filter compares the
// field dateKey. The service fills it from the field Date, unless the document sets it.
const (
	dateLayout = "2006/01/02"
	dateKey    = "Date_date"
)

// Bulk is a bulk delete: one call that deletes all documents dated before the day Before. It is not sent if
// it may delete a document that must stay. Pass each document that must stay to Lives.
type Bulk struct {
	Before string // the filter deletes documents dated before this day, YYYY/MM/DD; empty: no bulk delete
	Barred bool   // the bulk delete is ruled out, because it may delete a document that must stay
}

// NewBulk returns the bulk delete of documents older than the day cutoff, YYYY/MM/DD; empty: no bulk delete.
// Before is one day earlier than cutoff, because the service may count days in another time zone.
func NewBulk(cutoff string) *Bulk { return &Bulk{Before: dayBefore(cutoff)} }

func dayBefore(date string) string {
	day, err := time.Parse(dateLayout, date)
	if err != nil {
		return ""
	}
	return day.AddDate(0, 0, -1).Format(dateLayout)
}

// Possible reports whether the bulk delete may be sent, as far as b knows.
func (b *Bulk) Possible() bool { return b.Before != "" && !b.Barred }

// Lives tells b that the document of rec must be in the index after the bulk delete. It bars the bulk delete
// if the document's date is uncertain, or not after b.Before.
func (b *Bulk) Lives(rec *document.Record) {
	if !b.Possible() {
		return
	}
	day, known := bulkDay(rec)
	b.Barred = !known || day != "" && day <= b.Before
}

// Goes reports whether c is a delete that the run certainly sends. No brake (limit on suspicious changes)
// holds it, and it waits for no other document.
func Goes(c *document.Change) bool {
	return c.Op == document.Delete && c.State == document.Planned && c.Needs == ""
}

// Takes reports whether the bulk delete may replace c, the delete of the document of rec. The document must
// have expired, with a certain date more than a day before b.Before. Others are deleted by ID.
func (b *Bulk) Takes(c *document.Change, rec *document.Record) bool {
	if !b.Possible() || c.Cause != document.CauseExpired || !Goes(c) || c.Doubt || c.Again || rec == nil {
		return false
	}
	day, known := bulkDay(rec)
	return known && day != "" && day < dayBefore(b.Before)
}

func bulkDay(rec *document.Record) (day string, known bool) {
	date, dated := rec.Fields["Date"]
	_, explicit := rec.Fields[dateKey]
	switch {
	case rec.Push != document.PushOK, explicit, dated && date != document.HashOf(rec.Date), !dated && rec.Date != "":
		return "", false
	case rec.Date == "":
		return "", true
	}
	_, err := time.Parse(dateLayout, rec.Date)
	return rec.Date, err == nil
}

// BulkFilter returns the filter for documents dated before a day, YYYY/MM/DD. A run sends no other filter.
func BulkFilter(before string) json.RawMessage {
	return fmt.Appendf(nil, `{%q:{"operator":"Lt","values":[%q]}}`, dateKey, before)
}
