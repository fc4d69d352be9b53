package diffstore_test

import (
	"fmt"
	"maps"
	"reflect"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// model is what a ledger must hold, kept in memory with the least of means.
type model struct {
	records map[string]document.Record
	texts   map[string]map[string]string
	entries int
}

func newModel() *model {
	return &model{records: map[string]document.Record{}, texts: map[string]map[string]string{}}
}

func (m *model) apply(run string, batch document.Batch) {
	for _, s := range batch.Settled {
		m.settle(run, s)
	}
	for _, c := range batch.Intents {
		was := m.records[c.ID]
		m.doubt(c.ID, fmt.Sprintf("%s begun in run %s, no answer recorded", c.Op, run), was.IsDocument())
	}
	for _, o := range batch.Observed {
		m.set(o.ID, o.Next)
	}
	m.entries += len(batch.Settled) + len(batch.Noted)
}

func (m *model) settle(run string, s document.Settled) {
	id, rec := s.Change.ID, m.records[s.Change.ID]
	switch {
	case s.Outcome.State == document.Refused:
		rec.ID, rec.Push, rec.Reason, rec.Strikes = id, document.PushRefused, s.Outcome.Reason, rec.Strikes+1
		if rec.Since == "" {
			rec.Since = run
		}
		m.records[id] = rec
	case s.Outcome.State != document.Acknowledged:
		m.doubt(id, s.Outcome.Reason, true)
	case s.Change.Op == document.Delete:
		m.set(id, s.Change.Next)
	default:
		fields := fieldsOf(s.Change)
		if text, kept := m.texts[id]; kept && s.Change.Op == document.Patch {
			maps.Copy(text, fields)
		} else if s.Change.Op == document.Put {
			m.texts[id] = fields
		}
		next := *s.Change.Next
		next.Push, next.By = document.PushOK, s.Outcome.By
		m.records[id] = next
	}
}

func (m *model) doubt(id, reason string, maybe bool) {
	rec := m.records[id]
	rec.ID, rec.Push, rec.Reason, rec.Maybe = id, document.PushDoubt, reason, maybe
	m.records[id] = rec
}

func (m *model) set(id string, next *document.Record) {
	delete(m.texts, id)
	delete(m.records, id)
	if next != nil {
		m.records[id] = *next
	}
}

// compare returns what differs in a ledger; empty when nothing does.
func (m *model) compare(ledger *diffstore.Ledger) string {
	seen := 0
	for rec, err := range ledger.Records() {
		if err != nil {
			return err.Error()
		}
		seen++
		want, known := m.records[rec.ID]
		if !known || !reflect.DeepEqual(*rec, want) {
			return fmt.Sprintf("%s: the ledger has %+v, expected %+v (%v)", rec.ID, rec, want, known)
		}
		if err := m.compareText(ledger, rec.ID); err != nil {
			return err.Error()
		}
	}
	if seen != len(m.records) {
		return fmt.Sprintf("%d records, expected %d", seen, len(m.records))
	}
	entries := 0
	for _, err := range ledger.Entries("run") {
		if err != nil {
			return err.Error()
		}
		entries++
	}
	if entries != m.entries {
		return fmt.Sprintf("%d entries, expected %d", entries, m.entries)
	}
	return ""
}

func (m *model) compareText(ledger *diffstore.Ledger, id string) error {
	text, found, err := ledger.Text(id)
	if err != nil {
		return err
	}
	if want, kept := m.texts[id]; found != kept || !maps.Equal(text.Fields, want) {
		return fmt.Errorf("%s: text %v (%v), expected %v", id, text.Fields, found, want)
	}
	return nil
}
