package run

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/work"
)

// maxCause bounds, in bytes, what the history keeps of an error.
const maxCause = 1000

// noteEnd tells the history of a run that ended with err before it sent anything. A
// ledger that is not there yet is not made for that, and one that another run holds or
// that is damaged is left alone.
func noteEnd(ctx context.Context, a *app.App, cfg *config.Config, s *session, err error) {
	var locked *work.LockedError
	info, statErr := os.Stat(cfg.Store.Path)
	if statErr != nil || info.Size() == 0 || errors.As(err, &locked) || errors.Is(err, diffstore.ErrLocked) || errors.Is(err, diffstore.ErrDamaged) || errors.Is(err, diffstore.ErrNewer) {
		return
	}
	noteErr := a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		run := document.Summary{Start: a.Now().Unix(), Stopped: cause(app.ExitCode(ctx, err), err)}
		if s != nil && s.work != nil { // the one that a later run may go on with
			run.Run, run.Start = s.work.State.Run, s.work.State.Start.Unix()
			return ledger.Note(run)
		}
		generation, err := ledger.Generation()
		if err != nil {
			return err
		}
		run.Run = work.RunID(time.Unix(run.Start, 0), cfg.Fingerprint(), generation)
		return ledger.Note(run)
	})
	if noteErr != nil {
		a.Logger().Debug("the history does not tell of this run", "why", noteErr)
	}
}

func cause(code int, err error) string {
	text := app.OneLine(err)
	switch {
	case code == app.ExitInterrupted:
		return "interrupted"
	case len(text) > maxCause:
		return strings.ToValidUTF8(text[:maxCause], "") + "…"
	}
	return text
}
