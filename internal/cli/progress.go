package cli

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"sitesync/crawl"
)

// progress shows how far a run is, on a terminal only: cron output has none.
type progress struct {
	counts *crawl.Progress
	app    *app
	bar    *progressbar.ProgressBar
	done   chan struct{}
	ended  chan struct{}
}

func (a *app) progress() *progress { return &progress{counts: &crawl.Progress{}, app: a} }

// start shows the bar until stop; off a terminal it does nothing.
func (p *progress) start(what string) {
	if p.app.noProgress || p.app.quiet || !terminal(p.app.stderr) {
		return
	}
	p.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(p.app.stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish())
	p.done, p.ended = make(chan struct{}), make(chan struct{})
	go p.run()
}

func (p *progress) run() {
	defer close(p.ended)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			_ = p.bar.Finish()
			return
		case <-tick.C:
			p.bar.ChangeMax64(max(1, p.counts.Found.Load()))
			_ = p.bar.Set64(p.counts.Looked.Load())
		}
	}
}

func (p *progress) stop() {
	if p.bar == nil {
		return
	}
	close(p.done)
	<-p.ended
	p.bar = nil
}
