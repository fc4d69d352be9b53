package ui

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/preview"
	"sitesync/internal/service"
	"sitesync/internal/tools"
	"sitesync/internal/wire"
)

// search returns the search before and after a plan, which works in dir.
func search(ctx context.Context, a *app.App, cfg *config.Config, dir string) *preview.Preview {
	engine := int64(max(1, cfg.Push.EngineID))
	o := preview.Options{
		Engine: engine, Facets: app.Facets(cfg), Ledger: cfg.Store.Path, Texts: cfg.Store.KeepText, Dir: dir,
		Room: func(dir string, need int64) error { return a.Room(dir, app.RoomFloor+need, "store.work") },
		Tools: func(add func(wire.Kind, []byte) error) error {
			var file tools.File
			err := config.ReadStrict(cfg.Tools.File, &file, file.Check)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			for _, tool := range file.Declared(engine) {
				if err == nil {
					err = add(tool.Kind, tool.Body)
				}
			}
			return err
		},
	}
	if cfg.Push.Local() && app.SizeOf(cfg.Serve.Path) > 0 {
		o.Stored = func(add func([]byte) error) error {
			local, err := service.Open(service.Options{Path: cfg.Serve.Path, APIKey: rand.Text()})
			if err != nil {
				return err
			}
			for doc, rowErr := range local.DocumentRows(int64(cfg.Push.CustomerID), cfg.Push.CrawlerID, "") {
				if err = cmp.Or(err, rowErr); err == nil {
					err = add(doc)
				}
			}
			return errors.Join(err, local.Close())
		}
	}
	return preview.New(ctx, o)
}
