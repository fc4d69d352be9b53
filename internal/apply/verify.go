package apply

import (
	"cmp"
	"context"
	"errors"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// AskAtOnce is how many records Verifier.Check is best given at once.
const AskAtOnce = 100

// maxLater bounds what is asked for again; of more, the first answer holds.
const maxLater = 10 * AskAtOnce

// ErrOnlyEchoes says that a service's answers can't be compared with the ledger.
var ErrOnlyEchoes = errors.New("the service gives back nothing but what it is sent, so it can't tell whether it holds what the ledger says; " +
	"what it was asked for is in doubt, and the next run puts it again")

// Asker asks the service what it holds, and sends the deletes of stubs.
type Asker interface {
	Sender
	Ask(ctx context.Context, questions []document.Question) ([]document.Answer, error)
}

// Verifier compares what the service holds with records that it acknowledged. Give
// records to Check, then call Finish.
//
// A question may make a stub where the document is missing. What shows nothing but the
// question's own field is taken for one, and deleted, only once the same service was
// seen to give back a value that no question named: one that answers just what it is
// sent would else lose every document it is asked for.
type Verifier struct {
	Asker  Asker
	Fresh  func(*document.Record) bool // sent so lately that the index need not show it
	Found  func(document.Finding) error
	Mark   func([]document.Finding) error // the records of what is not as they say, to be put again
	Repair bool                           // mark whatever differs; else only what a question may have done
	Wait   time.Duration                  // how long what is fresh is asked for again
	After  func(time.Duration) <-chan time.Time

	proved bool               // the service gives back what it holds
	bare   []document.Finding // that show nothing but what was sent, while nothing is proved
	later  []*document.Record
	marks  []document.Finding
}

// Check asks for records. It errs when the sending must stop, when the ledger can't be
// written, with ErrOnlyEchoes, and when ctx is done; what was found until then is
// reported and marked.
func (v *Verifier) Check(ctx context.Context, records []*document.Record) error {
	var questions []document.Question
	byID := make(map[string]*document.Record, len(records))
	for _, rec := range records {
		if rec.Fields["Url"] != document.HashOf(rec.ID) { // asking would change it
			if err := v.report(document.Finding{ID: rec.ID, Found: document.FoundUnknown, Reason: "its Url field is not its ID"}); err != nil {
				return err
			}
			continue
		}
		byID[rec.ID] = rec
		questions = append(questions, document.Question{ID: rec.ID, Type: rec.Type, URL: rec.ID})
	}
	answers, stop := v.Asker.Ask(ctx, questions)
	for _, a := range answers {
		if a.State == document.Planned {
			continue
		}
		v.proved = v.proved || judge.Proves(byID[a.ID], a)
		if err := v.take(byID[a.ID], a); err != nil {
			return cmp.Or(stop, err)
		}
	}
	if stop == nil && !v.proved && len(v.bare) >= AskAtOnce {
		stop = ErrOnlyEchoes
	}
	err := v.conclude(ctx, stop != nil)
	return cmp.Or(stop, err)
}

// take puts one answer where it belongs.
func (v *Verifier) take(rec *document.Record, a document.Answer) error {
	f, certain := judge.Compare(rec, a)
	known := f.Found == document.FoundSame || f.Found == document.FoundUnknown
	switch {
	case known || certain && !v.Fresh(rec):
		return v.report(f)
	case v.Fresh(rec) && len(v.later) < maxLater:
		v.later = append(v.later, rec)
	case v.Fresh(rec):
		return v.report(notYet(f.ID))
	default:
		v.bare = append(v.bare, f)
	}
	return nil
}

func notYet(id string) document.Finding {
	return document.Finding{ID: id, Found: document.FoundNotYet, Reason: "sent a few minutes ago"}
}

// report reports a finding, and notes it where its record is to be marked.
func (v *Verifier) report(f document.Finding) error {
	if f.Doubt || v.Repair && f.Differs() {
		v.marks = append(v.marks, f)
	}
	return v.Found(f)
}

// conclude decides on what shows nothing but what was sent, where that can be decided or
// the asking ends, and marks records.
func (v *Verifier) conclude(ctx context.Context, end bool) (err error) {
	if v.proved || end {
		bare := v.bare
		v.bare = nil
		if v.proved {
			v.clean(ctx, bare)
		}
		for _, f := range bare {
			if !v.proved {
				f.Found, f.Fields, f.Reason, f.Doubt = document.FoundUnknown, nil, "nothing but what was sent came back", true
			}
			err = cmp.Or(err, v.report(f)) // each is noted
		}
	}
	marks := v.marks
	v.marks = nil
	return cmp.Or(err, v.Mark(marks))
}

// clean deletes the stubs among findings, and notes the outcome of each.
func (v *Verifier) clean(ctx context.Context, findings []document.Finding) {
	var deletes []document.Change
	stubs := map[string]*document.Finding{}
	for i := range findings {
		if f := &findings[i]; judge.IsStub(*f) {
			deletes = append(deletes, document.Change{Op: document.Delete, ID: f.ID, Doubt: true})
			f.Found, f.Fields, f.Doubt = document.FoundStub, nil, true
			f.Reason = "it was missing; what the service made of the question could not be taken away"
			stubs[f.ID] = f
		}
	}
	if len(deletes) == 0 {
		return
	}
	_ = v.Asker.Apply(ctx, document.Delete, deletes, func(outcomes []document.Outcome) error { // what is left of them is put again
		for _, o := range outcomes {
			if f := stubs[o.ID]; o.State == document.Acknowledged {
				f.Doubt, f.Reason = false, "it was missing; what the service made of the question is deleted"
			}
		}
		return nil
	})
}

// Finish asks again, for as long as Wait, for what was too fresh to be judged, and
// decides on what was left open. It errs as Check does.
func (v *Verifier) Finish(ctx context.Context) error {
	for pause := time.Second; len(v.later) > 0 && v.Wait > 0; pause *= 2 {
		pause = min(pause, v.Wait)
		v.Wait -= pause
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.After(pause):
		}
		again := v.later
		v.later = nil
		if err := v.Check(ctx, again); err != nil {
			return err
		}
	}
	var err error
	for _, rec := range v.later {
		err = cmp.Or(err, v.report(notYet(rec.ID)))
	}
	v.later = nil
	return cmp.Or(err, v.conclude(ctx, true))
}
