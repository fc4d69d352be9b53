package run

import (
	"fmt"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/work"
)

const warnLedger = "ledger"

// missLedger tells at once, before the crawl, where the ledger is missing or empty although
// an earlier run left documents in it: from then on the site would count as new.
func (s *session) missLedger(ledger *diffstore.Ledger) error {
	path := s.cfg.Store.Path
	left := work.Left(app.WorkDir(s.cfg), path)
	if left.Documents == 0 {
		return nil
	}
	known, err := ledger.HasDocuments()
	if err != nil || known {
		return err
	}
	s.lost = true
	text := fmt.Sprintf("the ledger %s holds no document, and run %s left %s in it; this run starts as on a new site and deletes nothing: "+
		"stop it and run %s, or name a backup there, or carry on: what the site has is sent again, and %s takes over the documents of pages that are gone",
		path, left.Run, document.Count(left.Documents, "document"), s.app.Spell("sitesync restore"), s.app.Spell("sitesync adopt"))
	s.app.Speak()
	s.app.Logger().Warn(text)
	s.warned = append(s.warned, document.Warning{Kind: warnLedger, Text: text})
	return nil
}

// leaveTrace keeps what the next run needs to notice that the ledger is lost. While a lost
// one has no document yet, the trace of the earlier one stays. After a night on which
// nothing was put or deleted the documents are not counted again.
func (s *session) leaveTrace(ledger *diffstore.Ledger, done *document.Summary) error {
	dir, path := app.WorkDir(s.cfg), s.cfg.Store.Path
	identity, err := ledger.Identity()
	if err != nil {
		return err
	}
	trace, c := work.Left(dir, path), done.Counts
	if trace.Ledger != identity || c.Put+c.Delete+c.BulkDelete+c.Queue+c.Refused > 0 || done.Stopped != "" {
		documents, err := ledger.Documents()
		if err != nil || s.lost && documents == 0 {
			return err
		}
		trace = work.Trace{Ledger: identity, Documents: documents}
	}
	trace.Run = done.Run
	return work.Leave(dir, path, trace)
}
