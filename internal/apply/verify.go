package apply

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// AskAtOnce is how many records Verifier.Check is best given at once.
const AskAtOnce = 100

// ErrOnlyEchoes says that a service's answers can't be compared with the ledger.
var ErrOnlyEchoes = errors.New("the service gives back nothing but what it is sent, so it can't tell whether it holds what the ledger says; " +
	"what it was asked for is in doubt, and the next run puts it again")

// Asker asks the service what it holds.
type Asker interface {
	Ask(ctx context.Context, questions []document.Question) ([]document.Answer, error)
}

// Verifier compares what the service holds with records that it acknowledged.
//
// A question may make an empty document where the document is missing. Its record goes to
// doubt, so that the next run puts the document again. Nothing is deleted.
type Verifier struct {
	Asker  Asker
	Fresh  func(*document.Record) bool // sent so lately that the index need not show it
	Found  func(document.Finding) error
	Mark   func([]document.Finding) error // the records of what is not as they say, to be put again
	Repair bool                           // mark whatever differs; else only what a question may have done

	shows bool // the service gives back values that no question named
	marks []document.Finding
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
	answers = slices.DeleteFunc(answers, func(a document.Answer) bool { return a.State == document.Planned })
	findings := make([]document.Finding, len(answers))
	for i, a := range answers {
		findings[i] = judge.Compare(byID[a.ID], a)
		v.shows = v.shows || findings[i].Found == document.FoundSame || findings[i].Found == document.FoundAltered
	}
	var err error
	for _, f := range findings {
		if f.Found == document.FoundMissing && f.Doubt && !v.shows {
			f.Found, f.Reason = document.FoundUnknown, "nothing but what was sent came back"
			stop = cmp.Or(stop, ErrOnlyEchoes)
		}
		if f.Differs() && v.Fresh(byID[f.ID]) {
			f.Found, f.Fields, f.Reason = document.FoundNotYet, nil, "sent a few minutes ago"
		}
		err = cmp.Or(err, v.report(f)) // each is noted
	}
	marks := v.marks
	v.marks = nil
	return cmp.Or(stop, err, v.Mark(marks))
}

// report reports a finding, and notes it where its record is to be marked.
func (v *Verifier) report(f document.Finding) error {
	if f.Doubt || v.Repair && f.Differs() {
		v.marks = append(v.marks, f)
	}
	return v.Found(f)
}
