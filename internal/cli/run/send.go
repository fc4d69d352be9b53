package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sitesync/crawl"
	"sitesync/diffstore"
	"sitesync/diffstore/pages"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/apply"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/push"
)

// apply sends a plan (a file of changes) and records the answers. If summary.Run is empty, nothing was sent.
func (s *session) apply(
	ctx context.Context, client *push.Client, file *planfile.File, includeHeld bool,
) (summary document.Summary, err error) {
	if err := s.takeDetails(file); err != nil {
		return summary, err
	}
	ledger, err := patiently(ctx, func() (*diffstore.Ledger, error) {
		return diffstore.Open(s.cfg.Store.Path, s.cfg.Store.KeepText)
	})
	if err != nil {
		return summary, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	counts := &crawl.Progress{}
	counts.Found.Store(int64(file.Trailer.Summary.Counts.Calls()))
	bulk := apply.BulkSender(client)
	if w := s.app.Watch; w != nil && w.ByID {
		bulk = nil
	}
	applier := &apply.Applier{
		Header: file.Header, Trailer: file.Trailer, Plan: file, Book: ledger, Sender: client, Bulk: bulk,
		IncludeHeld: includeHeld, Progress: func(done int) { counts.Looked.Store(int64(done)) },
		End: func(run *document.Summary, stop error) {
			run.Took, run.Exit = max(1, time.Since(s.began).Milliseconds()), s.runCode(run)
			if stop != nil {
				run.Exit = app.ExitCode(ctx, stop)
			}
		},
	}
	defer s.app.ShowProgress("sending", "change", counts)()
	summary, err = applier.Apply(ctx)
	if summary.Run != "" && ctx.Err() == nil { // after an interrupt the user expects a quick end
		// A failure is only a warning: without these facts, the next run just deletes refused pages later.
		if err := pages.Write(pages.Path(s.cfg.Store.Path), file.Header.Start, file.Pages()); err != nil {
			s.app.Logger().Warn("list and report do not show all of this run: " + app.OneLine(err))
		}
	}
	return summary, err
}

// readersTries is the number of times that patiently tries to open a locked ledger (the record of the index).
// Each try takes about a second.
const readersTries = 60

// patiently opens a ledger, and waits while another process reads the ledger. Such a process may be a backup.
// The run must not fail and lose its crawl because of a backup.
func patiently(ctx context.Context, open func() (*diffstore.Ledger, error)) (ledger *diffstore.Ledger, err error) {
	for range readersTries {
		ledger, err = open()
		if !errors.Is(err, diffstore.ErrLocked) {
			return ledger, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// missLedger warns if the ledger is missing or empty, but its copy holds documents. The run would treat the
// site as new. missLedger ignores a damaged copy.
func (s *session) missLedger(ctx context.Context, ledger *diffstore.Ledger) (err error) {
	path := s.cfg.Store.Path
	known, err := ledger.HasDocuments()
	if err != nil || known || diffstore.CheckApart(ctx, diffstore.CopyPath(path)) != nil {
		return err
	}
	earlier, err := diffstore.OpenRead(diffstore.CopyPath(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, earlier.Close()) }()
	counts, err := earlier.Count()
	documents := counts[document.PushOK] + counts[document.PushDoubt]
	if err != nil || documents == 0 {
		return err
	}
	last, _, err := earlier.Run("")
	if err != nil {
		return err
	}
	s.lost = true
	text := fmt.Sprintf("the ledger %s holds no document, and run %s left %s in it; "+
		"this run starts as on a new site and deletes nothing: "+
		"stop it and run %s, or name a backup there, or carry on: what the site has is sent again, "+
		"and %s takes over the documents of pages that are gone", path, last.Run,
		document.Count(documents, "document"), s.app.Spell("sitesync restore"), s.app.Spell("sitesync adopt"))
	s.app.Speak()
	s.app.Logger().Warn(text)
	s.warned = append(s.warned, document.Warning{Kind: "ledger", Text: text})
	return nil
}
