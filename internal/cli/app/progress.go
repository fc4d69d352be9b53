package app

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"sitesync/crawl"
)

// ShowProgress shows on a terminal how many of the units are done until stop is called once.
// Without counts it says only what is done.
func (a *App) ShowProgress(doing, unit string, counts *crawl.Progress) (stop func()) {
	if a.noProgress || a.Quiet {
		return func() {}
	}
	a.Logger().Debug(doing)
	if !Terminal(a.Stderr) {
		return func() {}
	}
	screen, _ := a.Stderr.(*screen)
	options := []progressbar.Option{
		progressbar.OptionSetWriter(screen.device), progressbar.OptionSetDescription(doing), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(counts != nil), progressbar.OptionSetElapsedTime(false),
	}
	if counts != nil {
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit+"s"))
	}
	bar := progressbar.NewOptions64(-1, options...)
	a.bar.Store(bar)
	ticker := time.NewTicker(200 * time.Millisecond)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				a.bar.Store(nil)
				_ = bar.Finish()
				return
			case <-ticker.C:
			}
			if counts == nil {
				_ = bar.RenderBlank()
				continue
			}
			bar.ChangeMax64(max(1, counts.Found.Load()))
			_ = bar.Set64(counts.Looked.Load())
		}
	}()
	return func() { close(done); <-ended }
}
