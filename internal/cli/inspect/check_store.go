package inspect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"sitesync/crawl/chrome"
	"sitesync/crawl/scout"
	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/work"
)

// checkStore looks at the ledger and the work folder, and leaves both as they are.
func checkStore(ctx context.Context, a *app.App, cfg *config.Config) []scout.Finding {
	ledger := scout.Finding{Subject: "ledger", Of: cfg.Store.Path}
	folder := scout.Finding{Subject: "work folder", Of: app.WorkDir(cfg)}
	if holder := work.Held(app.WorkDir(cfg)); holder != nil {
		ledger.OK, ledger.Text = true, "in use"
		folder.OK, folder.Text = true, app.OneLine(holder)
		return []scout.Finding{ledger, folder}
	}
	text, schema, err := ledgerText(ctx, a, cfg)
	if err != nil {
		ledger.Text, ledger.Next = app.OneLine(err), "do what the text says, or name another store.path; nothing was changed"
	} else if err := app.CanWrite(cfg.Store.Path); err != nil {
		ledger.Text, ledger.Next = "can't be written: "+app.OneLine(err), "let this user write there, or name another store.path"
	} else {
		ledger.OK, ledger.Text = true, "can be written; "+text
	}
	if err := app.CanWrite(filepath.Join(app.WorkDir(cfg), "lock")); err != nil {
		folder.Text, folder.Next = "can't be written: "+app.OneLine(err), "let this user write there, or name another store.work"
	} else {
		folder.OK, folder.Text = true, "can be written; no run holds it"
		if free, known := a.FreeBytes(app.WorkDir(cfg)); known {
			folder.Text += "; " + app.Size(free) + " free"
		}
	}
	return append([]scout.Finding{ledger, folder}, checkCare(cfg.Store.Path, schema)...)
}

// checkCare returns notes on the ledger's schema and on what lies around it.
func checkCare(path string, schema uint64) (notes []scout.Finding) {
	note := func(of, text, next string) {
		notes = append(notes, scout.Finding{Subject: "ledger", Of: of, OK: true, Text: text, Next: next})
	}
	if dir := filepath.Dir(path); app.OpenFolder(path) != "" {
		note(dir, "others may write in this folder", "chmod go-w "+dir)
	}
	if damaged := app.NewestAside(path, app.AsideDamaged); damaged != "" {
		note(damaged, "was set aside", "sitesync rebuild takes over what can be read of it; else move it away")
	}
	if schema > 0 && schema < diffstore.Schema {
		note(path, fmt.Sprintf("its schema is %d", schema), fmt.Sprintf("the next sync makes it %d, and leaves a copy", diffstore.Schema))
	}
	return notes
}

// ledgerText says in words what the ledger holds, and returns its schema.
func ledgerText(ctx context.Context, a *app.App, cfg *config.Config) (text string, schema uint64, err error) {
	glimpse, err := diffstore.Examine(ctx, cfg.Store.Path)
	if err != nil {
		return "", glimpse.Schema, err
	}
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return "", glimpse.Schema, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	if err := app.SameTarget(ledger, cfg); err != nil {
		return "", glimpse.Schema, err
	}
	counts, err := ledger.Count()
	if err != nil {
		return "", glimpse.Schema, err
	}
	records := 0
	for _, n := range counts {
		records += n
	}
	last, found, err := ledger.Run("")
	if err == nil {
		err = a.RoomToCrawl(cfg)
	}
	if err != nil || !found {
		return fmt.Sprintf("%d records, no run yet", records), glimpse.Schema, err
	}
	return fmt.Sprintf("%d records, last run %s", records, app.RunLine(&last)), glimpse.Schema, nil
}

// checkBrowser looks for Chromium, where pages are to be rendered.
func checkBrowser(cfg *config.Config) []scout.Finding {
	if cfg.Fetch.Render == config.RenderNever {
		return nil
	}
	f := scout.Finding{Subject: "browser", Of: "fetch.render"}
	path, err := chrome.Find(cfg.Fetch.Browser)
	if err != nil {
		f.Text, f.Next = app.OneLine(err), `install Chromium (Debian: apt-get install chromium), name its path in fetch.browser, or set fetch.render = "never"`
		return []scout.Finding{f}
	}
	f.OK, f.Text = true, path
	return []scout.Finding{f}
}
