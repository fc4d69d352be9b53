package judge

import (
	"bytes"
	"encoding/json"
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

// Bulk chooses the documents that one bulk delete by date may take: those older than any
// document that stays, by more days than two time zones can differ. Tell it first of every
// document that stays, then of every one that goes. The zero value was told of none yet.
type Bulk struct {
	Barred         bool      // a bulk delete is ruled out
	oldest, newest time.Time // of what stays, of what is taken; zero: nothing is dated
	Taken          int       // documents
}

// Lives tells of a document that the index holds, or is to hold, after the bulk
// delete. A document whose day is not known rules the bulk delete out.
func (b *Bulk) Lives(rec *document.Record) {
	day, known := bulkDay(rec)
	switch {
	case !known:
		b.Barred = true
	case !day.IsZero() && (b.oldest.IsZero() || day.Before(b.oldest)):
		b.oldest = day
	}
}

// bulkDay returns the day by which a filter matches a record's document, zero where
// none does; false when the index may hold another day than the record says.
func bulkDay(rec *document.Record) (day time.Time, known bool) {
	date, dated := rec.Fields["Date"]
	_, explicit := rec.Fields[dateKey]
	switch {
	case rec.Push != document.PushOK || explicit || dated && date != document.HashOf(rec.Date) || !dated && rec.Date != "":
		return day, false
	case rec.Date == "":
		return day, true
	}
	day, err := time.Parse(dateLayout, rec.Date)
	return day, err == nil && !day.IsZero()
}

// Goes reports whether a change takes its document out of the index for certain, once
// it is sent: it is neither held nor waits for another document.
func Goes(c *document.Change) bool {
	return c.Op == document.Delete && c.State == document.Planned && c.Needs == ""
}

// BulkDay returns the day of a document that a bulk delete may take, YYYY/MM/DD; empty
// when it can only be deleted by its ID. rec is its record, nil when there is none.
func BulkDay(c *document.Change, rec *document.Record) string {
	if !Goes(c) || c.Doubt || c.Again || rec == nil {
		return ""
	}
	if day, known := bulkDay(rec); !known || day.IsZero() {
		return ""
	}
	return rec.Date
}

// Take counts a document that may go by bulk, of a day that BulkDay gave.
func (b *Bulk) Take(date string) {
	day, err := time.Parse(dateLayout, date)
	// The filter's bound lies a day before the oldest that lives; what lies within a day
	// of the bound, whichever side, is deleted by its ID, before.
	if err != nil || !b.oldest.IsZero() && !day.Before(b.oldest.AddDate(0, 0, -2)) {
		return
	}
	b.Taken++
	if day.After(b.newest) {
		b.newest = day
	}
}

// Before returns the bound of the filter, YYYY/MM/DD: the lowest that takes all that
// may be taken. It is empty when a bulk delete is ruled out or saves too little.
func (b *Bulk) Before() string {
	bound := b.newest.AddDate(0, 0, 2)
	if b.Barred || b.Taken <= BulkSaves || bound.Year() > 9999 {
		return ""
	}
	return bound.Format(dateLayout)
}

// Takes reports whether a bulk delete takes a document of a day that BulkDay gave.
func (b *Bulk) Takes(date string) bool {
	return date != "" && date <= b.newest.Format(dateLayout)
}

// Spares reports whether a filter with the given bound matches nothing that lives.
func (b *Bulk) Spares(before string) bool {
	bound, err := time.Parse(dateLayout, before)
	return err == nil && !b.Barred && (b.oldest.IsZero() || bound.Before(b.oldest))
}

// bulkFilter is the only filter that is ever sent: Date_date Lt one day.
type bulkFilter struct {
	Date struct {
		Operator string    `json:"operator"`
		Values   [1]string `json:"values"`
	} `json:"Date_date"`
}

// BulkFilter returns the filter of the documents before a day, as it is sent.
func BulkFilter(before string) json.RawMessage {
	var f bulkFilter
	f.Date.Operator, f.Date.Values[0] = "Lt", before
	raw, _ := json.Marshal(f) // strings alone
	return raw
}

// BulkBefore returns the bound of a filter; false for any that BulkFilter did not
// write, since such a one could match more than it seems to.
func BulkBefore(filter json.RawMessage) (before string, ok bool) {
	var f bulkFilter
	if json.Unmarshal(filter, &f) != nil {
		return "", false
	}
	before = f.Date.Values[0]
	_, err := time.Parse(dateLayout, before)
	return before, err == nil && bytes.Equal(filter, BulkFilter(before))
}
