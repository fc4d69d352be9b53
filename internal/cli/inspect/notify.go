package inspect

import (
	"context"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/notify"
)

// testMessage sends a test by mail, hook and command, as [notify] names them. It returns what
// was sent where. The ping is not called.
func testMessage(ctx context.Context, a *app.App, cfg *config.Config) (found []finding) {
	n, err := a.Notifier(cfg)
	if err != nil {
		return []finding{{Subject: "notify", Of: a.ConfigFile, Text: app.OneLine(err), Next: "mend it"}}
	}
	text := app.SiteName(cfg) + ": a test message of sitesync check --notify; no run was made"
	m := &notify.Message{Text: text, Site: app.SiteName(cfg), Start: a.Now(), Result: notify.Test, Sentence: text, Problems: []string{}, Held: []document.Tripped{}, Report: text + "\n"}
	if n != nil {
		for _, sent := range n.Send(ctx, m) {
			f := finding{Subject: sent.Key, Of: sent.To, OK: sent.Err == nil, Text: "a test message was sent"}
			if sent.Err != nil {
				f.Text, f.Next = sent.Err.Error(), "mend "+sent.Key
			}
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		found = append(found, finding{Subject: "notify", Of: a.ConfigFile, Text: "nobody is to be told", Next: "name a mail, a hook or a command in [notify]"})
	}
	return found
}
