package ui

import (
	"context"
	"errors"
	"io/fs"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/preview"
	"sitesync/internal/tools"
	"sitesync/internal/work"
)

// search returns the search before and after a plan.
func search(ctx context.Context, a *app.App, cfg *config.Config) *preview.Preview {
	engine := int64(max(1, cfg.Push.EngineID))
	return preview.New(ctx, preview.Options{
		Engine: engine, Ledger: cfg.Store.Path, Texts: cfg.Store.KeepText,
		Folder: func() (string, func() error, error) { return work.Scratch(app.WorkDir(cfg), a.Holder()) },
		Room:   func(dir string, need int64) error { return a.Room(dir, app.RoomFloor+need, "store.work") },
		Tools: func() (all []preview.Tool, err error) {
			var file tools.File
			err = config.ReadStrict(cfg.Tools.File, &file, file.Check)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			for _, tool := range file.Declared(engine) {
				all = append(all, preview.Tool{Kind: tool.Kind, Body: tool.Body})
			}
			return all, err
		},
	})
}
