package inspect

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cenkalti/backoff/v5"
	"github.com/spf13/cobra"

	"sitesync/crawl/chrome"
	"sitesync/crawl/pace"
	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
	"sitesync/internal/work"
	"sitesync/push"
)

func checkCommand(a *app.App) *cobra.Command {
	const short = "Check the configuration, the site, its certificates and the credentials"
	cmd := &cobra.Command{Use: "check", Short: short, Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := config.Load(a.ConfigFile, a.Getenv)
		if err == nil {
			err = cfg.NeedCrawl()
		}
		if err != nil {
			return app.Usage(err)
		}
		return check(cmd.Context(), a, cfg)
	}
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

const checkPage = `{{range .checks -}}
{{if not .OK}}FAULT{{else if or .Next (eq .Subject "warning")}}note {{else}}ok   {{end -}}
{{printf " %-13s" .Subject}} {{.Of}}: {{.Text}}{{with .Next}}; next: {{.}}{{end}}
{{end}}`

// check tests everything that a run needs and shows a line for each test. Its error holds the exit code.
func check(ctx context.Context, a *app.App, cfg *config.Config) error {
	site, err := checkSite(ctx, a, cfg)
	if err != nil {
		return err
	}
	service, serviceErr := checkService(ctx, a, cfg)
	if err := ctx.Err(); err != nil {
		return err
	}
	found := slices.Concat(checkConfig(a, cfg), site, checkBrowser(cfg), checkStore(ctx, cfg), []finding{service})
	err = a.Show(map[string]any{"checks": found}, checkPage)
	switch {
	case err != nil:
		return err
	case serviceErr != nil:
		return app.CodeError(app.ExitCode(ctx, serviceErr))
	case slices.ContainsFunc(found, func(f finding) bool { return !f.OK }):
		return app.CodeError(app.ExitFailed)
	}
	return nil
}

const checkPages = 10 // number of pages to request besides the start pages

func checkSite(ctx context.Context, a *app.App, cfg *config.Config) (found []finding, err error) {
	starts := map[string]finding{}
	states, targets := map[string]document.Seen{}, map[string]string{}
	g, err := look(ctx, a, cfg, len(cfg.Site.Start)+checkPages, func(g *glimpse, p *document.Page) error {
		states[p.URL], targets[p.URL] = p.Seen, p.Target
		if slices.Contains(g.site.Start, p.URL) {
			starts[p.URL] = startFinding(cfg, g, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	closed := map[string]bool{}
	for i := range g.survey.Hosts {
		h := &g.survey.Hosts[i]
		closed[h.Host] = h.State == document.HostRobotsOutage
		found = append(found, hostFindings(cfg, g, h, time.Now())...)
	}
	found = append(found, warningFindings(g.survey.Warnings)...)
	warned := map[string]string{}
	for _, w := range g.survey.Warnings {
		if w.Kind == "start" {
			warned[w.URL] = w.Text
		}
	}
	for _, url := range g.site.Start {
		f, looked := starts[url]
		if !looked {
			f = finding{"start page", url, true, "not looked at within " + longestLook.String(), ""}
		}
		to := targets[url]
		if state := states[to]; f.OK && state != "" && state != document.Read && targets[to] == "" {
			f.OK, f.Text, f.Next = false, f.Text+", which is "+string(state), "name another page in site.start"
		}
		if text := warned[url]; text != "" {
			if f.OK {
				f.Next = "mend that, or name another page in site.start"
			}
			f.OK, f.Text = false, text
		}
		if !closed[weburl.Origin(url)] {
			found = append(found, f)
		}
	}
	return found, nil
}

func warningFindings(warnings []document.Warning) (found []finding) {
	for _, w := range warnings {
		switch {
		case w.Kind == "start": // checkSite shows this warning
		case w.Kind == "link": // left out, because there may be many
		case strings.Contains(w.Text, pace.ErrOvertime.Error()): // left out: a run has more time
		case w.Kind == "sitemap":
			next := "repair the file, or take it out of robots.txt or site.sitemaps"
			found = append(found, finding{"sitemap", w.URL, false, w.Text, next})
		default:
			found = append(found, finding{Subject: "warning", Of: w.URL, OK: true, Text: w.Kind + ": " + w.Text})
		}
	}
	return found
}

func checkConfig(a *app.App, cfg *config.Config) []finding {
	var found []finding
	for _, warning := range cfg.Warnings() {
		found = append(found, finding{"configuration", a.ConfigFile, true, warning, "do what the message says"})
	}
	if len(found) == 0 {
		return []finding{{Subject: "configuration", Of: a.ConfigFile, OK: true, Text: "no faults"}}
	}
	return found
}

// describe returns the title and size of the document that a page becomes. next is advice, or empty.
func describe(cfg *config.Config, ex *extract.Extractor, p *document.Page) (text, next string) {
	draft, err := ex.Read(p)
	if err != nil {
		return err.Error(), "name a page in site.start that holds links"
	}
	doc := ex.Finish(draft, p.URL, nil)
	size := document.Count(utf8.RuneCountInString(doc.Fields["Content"]), "character")
	text = fmt.Sprintf("%q, %s of text", app.Shorten(doc.Fields["Title"]), size)
	switch {
	case doc.Fields["Title"] == "":
		text = "no title" + strings.TrimPrefix(text, `""`)
		next = "give the page a <title>"
	case slices.Contains(draft.Warn, extract.WarnNoContent):
		next = "extract.content matches nothing on it: look at the selector"
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) && cfg.Fetch.Render == config.RenderNever {
		next = `it shows nothing without JavaScript: set fetch.render = "auto"`
	}
	return text, next
}

// checkService tests the credentials with a request that changes nothing. It errs if the test fails.
func checkService(ctx context.Context, a *app.App, cfg *config.Config) (finding, error) {
	f := finding{Subject: "credentials", Of: cmp.Or(cfg.Push.BaseURL, "push.base_url")}
	if cfg.Push.Local() {
		f.OK, f.Text = true, "none needed: the service runs inside sitesync, and nothing leaves this machine"
		return f, nil
	}
	if err := cfg.NeedPush(); err != nil {
		f.Text, f.Next = app.OneLine(err), "fill in [push]; plan and explain work without it"
		return f, err
	}
	o, err := a.ClientOptions(cfg, cfg.Push.Base())
	o.Backoff = func() backoff.BackOff { return &backoff.StopBackOff{} }
	if err == nil {
		err = push.New(o).CheckCredentials(ctx)
	}
	switch {
	case err == nil:
		const text = "accepted; whether crawler %q exists can't be proven without a write, so the first sync shows it"
		f.OK, f.Text = true, fmt.Sprintf(text, cfg.Push.CrawlerID)
	case app.IsCredentials(err):
		f.Text = app.OneLine(err)
		f.Next = "compare push.customer_id, push.base_url and the key with the management console"
	default:
		f.Text, f.Next = app.OneLine(err), "is push.base_url the address of your region, and can this machine reach it?"
	}
	return f, err
}

// checkStore tests, but does not change, the ledger (the record of the index) and the work folder (temporary
// files).
func checkStore(ctx context.Context, cfg *config.Config) []finding {
	path, dir := cfg.Store.Path, app.WorkDir(cfg)
	if holder := work.Held(dir); holder != nil {
		return []finding{{"ledger", path, true, "in use", ""}, {"work folder", dir, true, app.OneLine(holder), ""}}
	}
	ledgerErr := diffstore.CheckApart(ctx, path)
	if ledgerErr == nil {
		ledgerErr = app.ReadLedger(cfg, func(ledger *diffstore.Ledger) error { return app.SameTarget(ledger, cfg) })
	}
	found := []finding{
		storeFinding("ledger", path, path, "store.path", ledgerErr),
		storeFinding("work folder", dir, filepath.Join(dir, "lock"), "store.work", work.Check(dir)),
	}
	if text := app.OpenFolder(path); text != "" {
		found = append(found, finding{"warning", path, true, text, ""})
	}
	return found
}

// storeFinding returns a finding about a part of the store: a fault if err is not nil or file can't be
// written. key is the configuration key that the user should change.
func storeFinding(subject, of, file, key string, err error) finding {
	if err != nil {
		return finding{subject, of, false, app.OneLine(err), "do what the message says; nothing was changed"}
	}
	if err := app.CanWrite(file); err != nil {
		next := "let this user write there, or name another " + key
		return finding{subject, of, false, "can't be written: " + app.OneLine(err), next}
	}
	return finding{subject, of, true, "can be written", ""}
}

func checkBrowser(cfg *config.Config) []finding {
	if cfg.Fetch.Render == config.RenderNever {
		return nil
	}
	f := finding{Subject: "browser", Of: "fetch.render"}
	path, err := chrome.Find(cfg.Fetch.Browser)
	if err != nil {
		f.Text = app.OneLine(err)
		f.Next = "install Chromium (Debian: apt-get install chromium), name its path in fetch.browser, " +
			`or set fetch.render = "never"`
		return []finding{f}
	}
	f.OK, f.Text = true, path
	return []finding{f}
}
