package run

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/notify"
	"sitesync/internal/report"
)

// tell reports the end of a run, as the configuration sections notify and metrics ask. err is the error that
// ended the run, or nil. After an interrupt by the user, tell writes the metrics but sends no message. If a
// report fails, tell only logs a warning.
func (s *session) tell(ctx context.Context, err error) {
	a, cfg := s.app, s.cfg
	if w := a.Watch; w != nil && w.Ended != nil {
		var summary *document.Summary
		if s.told != nil {
			summary = &s.told.Summary
		}
		w.Ended(summary, err)
	}
	m := s.message(ctx, err)
	if metricsErr := s.writeMetrics(m); metricsErr != nil {
		a.Logger().Warn("the figures could not be written: metrics.file", "error", metricsErr)
	}
	if m.Exit == app.ExitInterrupted {
		return
	}
	n, notifyErr := a.Notifier(cfg)
	switch {
	case notifyErr != nil:
		a.Logger().Warn("nobody was told of this run", "error", notifyErr)
		return
	case n == nil:
		return
	}
	wanted := m.Result == notify.Problems || cfg.Notify.On == config.OnChanges && m.Result == notify.Changes ||
		cfg.Notify.On != config.OnProblems && cfg.Notify.On != config.OnChanges
	if wanted {
		for _, sent := range n.Send(ctx, m) {
			if sent.Err != nil {
				a.Logger().Warn("not everybody was told of this run: "+sent.Key, "error", app.OneLine(sent.Err))
			}
		}
	}
	// The ping (a request to a monitoring service) reports a failure only if the run did not reach its end.
	failed := m.Exit != app.ExitDone && m.Exit != app.ExitNewFailures && m.Exit != app.ExitHeld
	if pingErr := n.Alive(ctx, failed); pingErr != nil {
		a.Logger().Warn("the ping failed", "error", pingErr)
	}
}

func (s *session) message(ctx context.Context, err error) *notify.Message {
	m := &notify.Message{
		Site: app.SiteName(s.cfg), Start: s.began.UTC(), Duration: time.Since(s.began).Milliseconds(),
		Exit: app.ExitCode(ctx, err), Result: notify.Fine, Problems: []string{}, Held: []document.Tripped{},
	}
	if s.told != nil {
		summarise(s.app, m, s.told)
		m.Report, m.HTML = s.mailText.String(), s.mailHTML.String()
	}
	if err != nil && err.Error() != "" {
		m.Problems = append([]string{report.Clean(app.OneLine(err))}, m.Problems...)
	}
	if s.told == nil {
		why := strings.Join(m.Problems, "; ")
		m.Sentence = fmt.Sprintf("%s, %s: failed: %s", m.Site, s.began.Format("2 January"), why)
		m.Report = m.Sentence + "\n"
	}
	if m.Exit != app.ExitDone {
		m.Result = notify.Problems
	}
	m.Text = strings.Join(append([]string{m.Sentence}, m.Problems...), "\n")
	return m
}

func summarise(a *app.App, m *notify.Message, r *report.Run) {
	s := &r.Summary
	m.Run, m.Counts, m.Held = s.Run, s.Counts, append(m.Held, s.Brakes...)
	m.Sentence = report.Clean(report.Sentence(r))
	if s.Counts.Calls() > 0 {
		m.Result = notify.Changes
	}
	problem := func(format string, args ...any) {
		m.Problems = append(m.Problems, report.Clean(fmt.Sprintf(format, args...)))
	}
	for _, h := range s.Hosts {
		if h.State != document.HostOK {
			problem("%s is %s: %s", h.Host, h.State, h.Reason)
		}
		for _, alarm := range h.Alarms {
			problem("%s: %s", h.Host, alarm)
		}
	}
	if s.New > 0 {
		problem("%s could not be read or sent that did not fail before", document.Count(s.New, "page"))
	}
	if n := s.Counts.Held; n > 0 {
		problem("brakes hold %s; %s shows them", document.Count(n, "change"), a.Spell("sitesync held"))
	}
}

// note keeps the result of a run, which the method tell reports later. If notify.mail names a recipient, it
// also keeps the result as text and HTML. It skips dry runs.
func (s *session) note(r *report.Run) error {
	if r.Dry {
		return nil
	}
	s.told = r
	if len(s.cfg.Notify.Mail.To) == 0 {
		return nil
	}
	if err := report.Text(&s.mailText, r, report.TextOptions{Rest: s.out.rest, Spell: s.app.Spell}); err != nil {
		return err
	}
	return report.HTML(&s.mailHTML, r)
}

// mailPage is an HTML page for mail. It stops growing once it exceeds notify.MaxPage bytes, because notify
// leaves such a page out of the mail.
type mailPage struct{ bytes.Buffer }

func (p *mailPage) Write(part []byte) (int, error) {
	if p.Len() <= notify.MaxPage {
		p.Buffer.Write(part)
	}
	return len(part), nil
}

func (s *session) writeMetrics(m *notify.Message) error {
	cfg := s.cfg
	if err := cfg.Require("metrics"); err != nil || cfg.Metrics.File == "" {
		return err
	}
	end := time.Now()
	f := notify.Figures{Site: m.Site, End: end, Duration: end.Sub(s.began), Exit: m.Exit, Documents: -1}
	if s.told != nil {
		f.Counted, f.Summary = true, s.told.Summary
	}
	_ = app.ReadLedger(cfg, func(ledger *diffstore.Ledger) error { // on an error the metrics have no count
		counts, err := ledger.Count()
		if err == nil {
			f.Documents = counts[document.PushOK]
		}
		return err
	})
	return notify.WriteMetrics(cfg.Metrics.File, f)
}
