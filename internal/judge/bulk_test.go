package judge

import (
	"testing"

	"sitesync/internal/document"
)

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

func pushed(p document.Push) recordEdit { return func(r *document.Record) { r.Push = p } }
func field(name, value string) recordEdit {
	return func(r *document.Record) { r.Fields[name] = document.HashOf(value) }
}

// TestBulkLives: the bulk delete of a rule with the day 2018/05/08 has its bound a day
// before, and spares what lives only where nothing is dated before the rule's day.
func TestBulkLives(t *testing.T) {
	for name, test := range map[string]struct {
		lives  *document.Record
		spares bool
	}{
		"without a day":                        {dated(""), true},
		"of the rule's day":                    {dated("2018/05/08"), true},
		"younger":                              {dated("2024/01/01"), true},
		"a day older":                          {dated("2018/05/07"), false},
		"older":                                {dated("2001/01/01"), false},
		"in doubt":                             {dated("2024/01/01", pushed(document.PushDoubt)), false},
		"in doubt, without a day":              {dated("", pushed(document.PushDoubt)), false},
		"refused":                              {dated("2024/01/01", pushed(document.PushRefused)), false},
		"of a day of the owner's":              {dated("2024/01/01", field("Date_date", "2024/01/01")), false},
		"of a day that the record can't prove": {dated("2024/01/01", field("Date", "2001/01/01")), false},
		"of a day that the record lacks":       {dated("", field("Date", "2001/01/01")), false},
		"of a day in another form":             {dated("2024-01-01"), false},
		"of no day at all":                     {dated("2024/02/30"), false},
	} {
		b := NewBulk("2018/05/08")
		b.Lives(dated("2024/01/01"))
		b.Lives(test.lives)
		b.Lives(dated(""))
		if b.Before != "2018/05/07" || b.Possible() != test.spares {
			t.Errorf("%s: before %s: %t", name, b.Before, b.Possible())
		}
	}
	if NewBulk("").Possible() || new(Bulk).Possible() {
		t.Error("a bulk delete without a rule is possible")
	}
}

// TestBulkTakes: a document goes by the bulk delete only when a rule takes it out, nothing
// keeps it back, and its proved day is more than a day before the bound.
func TestBulkTakes(t *testing.T) {
	same := func(*document.Change) {}
	for name, test := range map[string]struct {
		rec   *document.Record
		edit  func(*document.Change)
		takes bool
	}{
		"older":                     {dated("2001/01/01"), same, true},
		"two days before":           {dated("2018/04/29"), same, true},
		"within a day":              {dated("2018/04/30"), same, false},
		"without a day":             {dated(""), same, false},
		"in another form":           {dated("2001-01-01"), same, false},
		"a day of the owner's":      {dated("2001/01/01", field("Date_date", "2001/01/01")), same, false},
		"not proved":                {dated("2001/01/01", field("Date", "2001/01/02")), same, false},
		"in doubt":                  {dated("2001/01/01", pushed(document.PushDoubt)), same, false},
		"no record":                 {nil, same, false},
		"missing":                   {dated("2001/01/01"), func(c *document.Change) { c.Cause = document.CauseMissing }, false},
		"parked":                    {dated("2001/01/01"), func(c *document.Change) { c.State = document.Refused }, false},
		"a delete that is in doubt": {dated("2001/01/01"), func(c *document.Change) { c.Doubt = true }, false},
		"a delete that is repeated": {dated("2001/01/01"), func(c *document.Change) { c.Again = true }, false},
		"waiting":                   {dated("2001/01/01"), func(c *document.Change) { c.Needs = other }, false},
	} {
		c := &document.Change{Op: document.Delete, ID: page, Cause: document.CauseExpired, State: document.Planned}
		test.edit(c)
		if got := NewBulk("2018/05/02").Takes(c, test.rec); got != test.takes {
			t.Errorf("%s: %t", name, got)
		}
		if new(Bulk).Takes(c, test.rec) {
			t.Errorf("%s: goes by a bulk delete that is ruled out", name)
		}
	}
}

// TestBulkFilter: the filter is that of the specification.
func TestBulkFilter(t *testing.T) {
	if got := string(BulkFilter("2018/05/07")); got != `{"Date_date":{"operator":"Lt","values":["2018/05/07"]}}` {
		t.Error(got)
	}
}
