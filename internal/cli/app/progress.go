package app

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"sitesync/crawl"
)

// ShowProgress shows how far counts are until stop is called once, on a terminal only:
// cron output has none.
func (a *App) ShowProgress(doing string, counts *crawl.Progress) (stop func()) {
	if a.noProgress || a.Quiet || !Terminal(a.Stderr) {
		return func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(a.Stderr), progressbar.OptionSetDescription(doing),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish())
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				_ = bar.Finish()
				return
			case <-tick.C:
				bar.ChangeMax64(max(1, counts.Found.Load()))
				_ = bar.Set64(counts.Looked.Load())
			}
		}
	}()
	return func() { close(done); <-ended }
}
