package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"sitesync/internal/document"
)

// lot is n documents of one day, and what the plan does with them.
type lot struct {
	n      int
	rec    *document.Record
	change *document.Change
}

// dated returns the record of an acknowledged document of a day.
func dated(date string, edits ...recordEdit) *document.Record {
	r := acked(func(r *document.Record) {
		if r.Date = date; date != "" {
			r.Fields["Date"] = document.HashOf(date)
		}
	})
	for _, edit := range edits {
		edit(r)
	}
	return r
}

func lives(date string, edits ...recordEdit) lot { return lot{1, dated(date, edits...), nil} }

func goes(n int, date string, edits ...func(*document.Change)) lot {
	c := &document.Change{Op: document.Delete, ID: page, Cause: document.CauseMissing, State: document.Planned}
	for _, edit := range edits {
		edit(c)
	}
	return lot{n, dated(date), c}
}

// becomes is a put or a patch of a document of another day.
func becomes(op document.Op, rec *document.Record, next *document.Record, edits ...func(*document.Change)) lot {
	c := &document.Change{Op: op, ID: page, Next: next, State: document.Planned}
	for _, edit := range edits {
		edit(c)
	}
	return lot{1, rec, c}
}

func (l lot) of(rec *document.Record) lot { l.rec = rec; return l }

func pushed(p document.Push) recordEdit { return func(r *document.Record) { r.Push = p } }
func field(name, value string) recordEdit {
	return func(r *document.Record) { r.Fields[name] = document.HashOf(value) }
}
func cause(c document.Cause) func(*document.Change) {
	return func(change *document.Change) { change.Cause = c }
}
func held(c *document.Change)    { c.State, c.Brake = document.Held, document.BrakeTotal }
func inDoubt(c *document.Change) { c.Doubt, c.Again = true, true }
func again(c *document.Change)   { c.Again = true }
func waits(c *document.Change)   { c.Cause, c.Needs = document.CauseMoved, other }

// choose does with the lots what the planner does, and returns the bound and how many
// go by bulk.
func choose(lots []lot) string {
	var b Bulk
	for _, l := range lots {
		if l.change != nil && l.change.Next != nil {
			b.Lives(l.change.Next)
		}
		if l.rec.IsDocument() && (l.change == nil || !Goes(l.change)) {
			b.Lives(l.rec)
		}
	}
	taken := 0
	for _, l := range lots {
		if l.change == nil {
			continue
		}
		for range l.n {
			b.Take(BulkDay(l.change, l.rec))
		}
	}
	before := b.Before()
	if before == "" {
		return "none"
	}
	for _, l := range lots {
		if l.change != nil && b.Takes(BulkDay(l.change, l.rec)) {
			taken += l.n
		}
	}
	if taken != b.Taken || !b.Spares(before) {
		return fmt.Sprintf("%s: takes %d, counted %d, spares the living: %t", before, taken, b.Taken, b.Spares(before))
	}
	return fmt.Sprintf("%s %d", before, taken)
}

func TestBulk(t *testing.T) {
	old := goes(60, "2018/05/05")
	for name, test := range map[string]struct {
		lots []lot
		want string
	}{
		"nothing":                                 {nil, "none"},
		"fifty calls are saved":                   {[]lot{goes(51, "2018/05/05")}, "2018/05/07 51"},
		"forty-nine calls are saved":              {[]lot{goes(50, "2018/05/05")}, "none"},
		"nothing dated lives":                     {[]lot{old, lives("")}, "2018/05/07 60"},
		"what lives is younger":                   {[]lot{old, lives("2024/01/01")}, "2018/05/07 60"},
		"what lives is three days younger":        {[]lot{old, lives("2018/05/08")}, "2018/05/07 60"},
		"what lives is two days younger":          {[]lot{old, lives("2018/05/07")}, "none"},
		"what lives is a day younger":             {[]lot{old, lives("2018/05/06")}, "none"},
		"what lives is as old":                    {[]lot{old, lives("2018/05/05")}, "none"},
		"what lives is older":                     {[]lot{old, lives("2001/01/01")}, "none"},
		"the oldest that lives decides":           {[]lot{old, lives("2024/01/01"), lives("2018/05/06"), lives("2023/01/01")}, "none"},
		"several days go":                         {[]lot{goes(30, "2018/05/05"), goes(40, "2017/12/31")}, "2018/05/07 70"},
		"days near what lives go by ID":           {[]lot{old, goes(1, "2018/06/28"), goes(1, "2018/06/29"), goes(1, "2018/06/30"), goes(1, "2018/07/02"), lives("2018/07/01")}, "2018/06/30 61"},
		"days beyond what lives go by ID":         {[]lot{old, goes(500, "2020/01/01"), lives("2019/01/01")}, "2018/05/07 60"},
		"too few lie before what lives":           {[]lot{goes(50, "2018/05/05"), goes(500, "2020/01/01"), lives("2019/01/01")}, "none"},
		"the bound crosses a year":                {[]lot{goes(60, "2019/12/30"), lives("2020/01/02")}, "2020/01/01 60"},
		"the bound crosses a leap day":            {[]lot{goes(60, "2024/02/28"), lives("2024/03/02")}, "2024/03/01 60"},
		"of years that have no more days":         {[]lot{goes(60, "9999/12/31")}, "none"},
		"of no day at all":                        {[]lot{goes(60, "")}, "none"},
		"what has no day goes by ID":              {[]lot{old, goes(7, "")}, "2018/05/07 60"},
		"expired documents":                       {[]lot{goes(60, "2018/05/05", cause(document.CauseExpired))}, "2018/05/07 60"},
		"causes together":                         {[]lot{goes(30, "2018/05/05", cause(document.CauseExpired)), goes(30, "2018/05/05", cause(document.CauseOutOfScope))}, "2018/05/07 60"},
		"one that a brake holds lives":            {[]lot{old, goes(1, "2018/05/05", held)}, "none"},
		"a younger one that a brake holds lives":  {[]lot{old, goes(1, "2020/05/05", held)}, "2018/05/07 60"},
		"one that waits for its target lives":     {[]lot{old, goes(1, "2018/05/05", waits)}, "none"},
		"one in doubt goes by ID":                 {[]lot{old, goes(60, "2018/05/05", inDoubt).of(dated("2018/05/05", pushed(document.PushDoubt)))}, "2018/05/07 60"},
		"all in doubt go by ID":                   {[]lot{goes(60, "2018/05/05", inDoubt).of(dated("2018/05/05", pushed(document.PushDoubt)))}, "none"},
		"one that was refused goes by ID":         {[]lot{old, goes(1, "2018/05/05", again).of(dated("2018/05/05", pushed(document.PushRefused)))}, "2018/05/07 60"},
		"something in doubt lives":                {[]lot{old, lives("2024/01/01", pushed(document.PushDoubt))}, "none"},
		"something in doubt without a day lives":  {[]lot{old, lives("", pushed(document.PushDoubt))}, "none"},
		"something refused, once held, lives":     {[]lot{old, lives("2024/01/01", pushed(document.PushRefused), func(r *document.Record) { r.Maybe = true })}, "none"},
		"something refused was never held":        {[]lot{old, lives("2001/01/01", pushed(document.PushRefused))}, "2018/05/07 60"},
		"a hub keeps an old day":                  {[]lot{old, lives("2001/01/01", pushed(document.PushNone))}, "2018/05/07 60"},
		"a day of the owner's lives":              {[]lot{old, lives("2024/01/01", field("Date_date", "2024/01/01"))}, "none"},
		"a day of the owner's goes by ID":         {[]lot{old, goes(1, "2018/05/05").of(dated("2018/05/05", field("Date_date", "2024/01/01")))}, "2018/05/07 60"},
		"a day that the record does not prove":    {[]lot{old, lives("2024/01/01", field("Date", "2001/01/01"))}, "none"},
		"a day that the record does not have":     {[]lot{old, lives("", field("Date", "2001/01/01"))}, "none"},
		"a day in another form":                   {[]lot{old, lives("2024-01-01")}, "none"},
		"not a day":                               {[]lot{old, lives("2024/02/30")}, "none"},
		"the first day of all":                    {[]lot{old, lives("0001/01/01")}, "none"},
		"a day in another form goes by ID":        {[]lot{old, goes(1, "2018-05-05")}, "2018/05/07 60"},
		"a put of something old":                  {[]lot{old, becomes(document.Put, nil, dated("2001/01/01"))}, "none"},
		"a put of something young":                {[]lot{old, becomes(document.Put, nil, dated("2024/01/01"))}, "2018/05/07 60"},
		"a put that is held may be sent":          {[]lot{old, becomes(document.Put, nil, dated("2001/01/01"), held)}, "none"},
		"a patch to an old day":                   {[]lot{old, becomes(document.Patch, dated("2024/01/01"), dated("2001/01/01"))}, "none"},
		"a patch from an old day may fail":        {[]lot{old, becomes(document.Patch, dated("2001/01/01"), dated("2024/01/01"))}, "none"},
		"a patch that brings a day of the owner":  {[]lot{old, becomes(document.Patch, dated("2024/01/01"), dated("2024/01/01", field("Date_date", "x")))}, "none"},
		"a put of what is in doubt may fail":      {[]lot{old, becomes(document.Put, dated("2024/01/01", pushed(document.PushDoubt)), dated("2024/01/01"))}, "none"},
		"a delete without a record goes by ID":    {[]lot{old, goes(1, "2018/05/05").of(nil)}, "2018/05/07 60"},
		"a parked put of something old has a day": {[]lot{old, becomes(document.Put, nil, dated("2001/01/01"), func(c *document.Change) { c.State = document.Refused })}, "none"},
	} {
		if got := choose(test.lots); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		slices.Reverse(test.lots)
		if got := choose(test.lots); got != test.want {
			t.Errorf("%s, the other way round: %s, want %s", name, got, test.want)
		}
	}
}

func TestBulkSpares(t *testing.T) {
	for _, test := range []struct {
		lives  string
		before string
		want   bool
	}{
		{"", "2018/05/07", true}, {"2018/05/08", "2018/05/07", true}, {"2018/05/07", "2018/05/07", false},
		{"2018/05/06", "2018/05/07", false}, {"2018/05/08", "", false}, {"2018/05/08", "2018-05-07", false},
	} {
		var b Bulk
		b.Lives(dated(test.lives))
		if got := b.Spares(test.before); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
		if b.Barred = true; b.Spares(test.before) {
			t.Errorf("%+v: spares though it is ruled out", test)
		}
	}
}

// TestBulkBefore: no filter but the one that BulkFilter writes is ever taken from a plan.
func TestBulkBefore(t *testing.T) {
	const good = `{"Date_date":{"operator":"Lt","values":["2018/05/07"]}}`
	if got := string(BulkFilter("2018/05/07")); got != good {
		t.Fatal(got)
	}
	if before, ok := BulkBefore(json.RawMessage(good)); before != "2018/05/07" || !ok {
		t.Errorf("%q, %t", before, ok)
	}
	for _, filter := range []string{
		``, `{}`, `null`, `[]`, `{"Date_date":{}}`,
		`{"Date_date":{"operator":"Gte","values":["2018/05/07"]}}`,
		`{"Date_date":{"operator":"Lt","values":[]}}`,
		`{"Date_date":{"operator":"Lt","values":[""]}}`,
		`{"Date_date":{"operator":"Lt","values":["2018/05/07","2019/05/07"]}}`,
		`{"Date_date":{"operator":"Lt","values":["2018-05-07"]}}`,
		`{"Date":{"operator":"Lt","values":["2018/05/07"]}}`,
		`{"Date_date":{"operator":"Lt","values":["2018/05/07"]},"Category":{"operator":"Eq","values":["x"]}}`,
		`{"Date_date":{"operator":"Lt","values":["2018/05/07"]},"Date_date":{"operator":"Lt","values":["2019/05/07"]}}`,
	} {
		if _, ok := BulkBefore(json.RawMessage(filter)); ok {
			t.Errorf("%s is taken", filter)
		}
	}
}
