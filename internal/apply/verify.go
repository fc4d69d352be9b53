package apply

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// AskAtOnce is the recommended number of records for one call of Verifier.Check.
const AskAtOnce = 100

// ErrOnlyEchoes means that the service returns only what it was sent, which proves nothing about the index.
var ErrOnlyEchoes = errors.New("the service gives back nothing but what it is sent, " +
	"so it can't tell whether it holds what the ledger says; " +
	"what it was asked for is in doubt, and the next run puts it again")

// Asker asks the search service what its index holds of documents.
type Asker interface {
	Ask(ctx context.Context, questions []document.Question) ([]document.Answer, error)
}

// Verifier compares documents in the index with their records in the ledger (the database of what the index
// should hold). It deletes nothing. But a question about a missing document may create an empty document with
// that ID. Mark is then called for the record, so that the next run puts the document again.
type Verifier struct {
	Asker Asker
	Fresh func(*document.Record) bool // reports whether the document was sent too recently to be visible
	Found func(document.Finding) error
	// Mark marks the records of findings as in doubt: the next run puts their documents again.
	Mark   func([]document.Finding) error
	Repair bool // mark every document that differs, not only those that a question may have changed

	shows bool // an answer had fields that its question did not send
	marks []document.Finding
}

// Check compares records with the index. It errs if the service only repeats questions (ErrOnlyEchoes), if
// Asker, Found or Mark errs, and if ctx ends. Findings before the error are reported and marked.
func (v *Verifier) Check(ctx context.Context, records []*document.Record) error {
	var questions []document.Question
	byID := make(map[string]*document.Record, len(records))
	for _, rec := range records {
		if rec.Fields["Url"] != document.HashOf(rec.ID) { // the question must not change Url
			unknown := document.Finding{ID: rec.ID, Found: document.FoundUnknown, Reason: "its Url field is not its ID"}
			if err := v.report(unknown); err != nil {
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
		err = cmp.Or(err, v.report(f))
	}
	marks := v.marks
	v.marks = nil
	return cmp.Or(stop, err, v.Mark(marks))
}

func (v *Verifier) report(f document.Finding) error {
	if f.Doubt || v.Repair && f.Differs() {
		v.marks = append(v.marks, f)
	}
	return v.Found(f)
}
