package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"sitesync/diffstore"
	"sitesync/internal/apply"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/push"
)

// batches yields acknowledged records, some at a time, so that the ledger can be
// written between them.
type batches = iter.Seq2[[]*document.Record, error]

// documentsOf yields all acknowledged records.
func documentsOf(ledger *diffstore.Ledger) batches {
	return func(yield func([]*document.Record, error) bool) {
		after := ""
		for {
			records, err := ledger.Acknowledged(after, apply.AskAtOnce)
			if len(records) == 0 && err == nil || !yield(records, err) || err != nil {
				return
			}
			after = records[len(records)-1].ID
		}
	}
}

// sampleOf yields n random ones of the acknowledged records that fit, or all where
// there are not so many. The clock gives the seed.
func sampleOf(a *app.App, ledger *diffstore.Ledger, n int, fits func(*document.Record) bool) (batches, error) {
	rng := rand.New(rand.NewPCG(uint64(a.Now().UnixNano()), 0))
	var ids []string // a reservoir
	seen := 0
	err := ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil || rec.Push != document.PushOK || !fits(rec) {
			return err
		}
		seen++
		if at := rng.IntN(seen); len(ids) < n {
			ids = append(ids, id)
		} else if at < n {
			ids[at] = id
		}
		return nil
	})
	slices.Sort(ids)
	return func(yield func([]*document.Record, error) bool) {
		for chunk := range slices.Chunk(ids, apply.AskAtOnce) {
			records := make([]*document.Record, len(chunk))
			for i, id := range chunk {
				var err error
				if records[i], err = ledger.Get(id); err != nil {
					yield(nil, err)
					return
				}
			}
			if !yield(records, nil) {
				return
			}
		}
	}, err
}

// askFirst asks for push.verify_sample random documents, before anything is sent. It
// errs when several are not as they were acknowledged: then somebody else writes to
// the index. One alone is warned of. It returns what the next run is to put again.
func (s *session) askFirst(ctx context.Context, ledger *diffstore.Ledger, client *push.Client) (marks []document.Finding, err error) {
	n := s.cfg.Push.VerifySample
	if n <= 0 || s.cfg.Push.Mode == config.ModeQueue {
		return nil, nil
	}
	fresh, err := fresh(s.app, s.cfg, ledger)
	if err != nil {
		return nil, err
	}
	sample, err := sampleOf(s.app, ledger, n, func(rec *document.Record) bool { return !fresh(rec) })
	if err != nil {
		return nil, err
	}
	asked := 0
	var differ []document.Finding
	v := &apply.Verifier{
		Asker: client, Fresh: fresh, Repair: true,
		Mark: func(found []document.Finding) error { marks = append(marks, found...); return nil }, // later: the plan fits the ledger as it is
		Found: func(f document.Finding) error {
			asked++
			if f.Differs() {
				differ = append(differ, f)
			}
			return nil
		},
	}
	switch err := ask(ctx, v, sample); {
	case errors.Is(err, apply.ErrOnlyEchoes):
		s.warn("", "push.verify_sample is of no use here: "+err.Error())
	case err != nil:
		return nil, errors.Join(err, ledger.MarkFound(doubts(marks)))
	case len(differ) > 1: // and every run says so, until the owner has decided
		return nil, errors.Join(s.othersWrite(asked, differ), ledger.MarkFound(doubts(marks)))
	case len(differ) == 1:
		s.warn(differ[0].ID, fmt.Sprintf("is not in the index as it was acknowledged (%s: %s): something else may write to it; the next run puts it again", differ[0].Found, differ[0].Reason))
	}
	return marks, nil
}

// doubts returns the findings that may be the asking's own doing.
func doubts(found []document.Finding) []document.Finding {
	return slices.DeleteFunc(found, func(f document.Finding) bool { return !f.Doubt })
}

// othersWrite says that somebody else changes the index, and what to do about it.
func (s *session) othersWrite(asked int, differ []document.Finding) error {
	const most = 5
	var names []string
	for _, f := range differ[:min(len(differ), most)] {
		names = append(names, fmt.Sprintf("%s (%s: %s)", f.ID, f.Found, f.Reason))
	}
	if more := len(differ) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf("nothing was sent: of %d documents that were asked for (push.verify_sample) %d are not in the index as they were acknowledged: %s; something else writes to crawler %s: "+
		"give sitesync a crawler ID of its own whose schedule is off, then run sitesync verify --repair, and sync again", asked, len(differ), strings.Join(names, ", "), s.cfg.Push.CrawlerID)
}

// warn adds a warning to the result of a run whose plan is made.
func (s *session) warn(url, text string) {
	s.warned = append(s.warned, document.Warning{Kind: "drift", URL: url, Text: text})
}
