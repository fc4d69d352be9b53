package app

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"sitesync/crawl"
)

// Progress shows how far a run is, on a terminal only: cron output has none.
type Progress struct {
	Counts *crawl.Progress
	app    *App
	bar    *progressbar.ProgressBar
	done   chan struct{}
	ended  chan struct{}
}

func (a *App) Progress() *Progress { return &Progress{Counts: &crawl.Progress{}, app: a} }

// Start shows the bar until stop; off a terminal it does nothing.
func (p *Progress) Start(what string) {
	if p.app.NoProgress || p.app.Quiet || !Terminal(p.app.Stderr) {
		return
	}
	p.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(p.app.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionClearOnFinish())
	p.done, p.ended = make(chan struct{}), make(chan struct{})
	go p.run()
}

func (p *Progress) run() {
	defer close(p.ended)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			_ = p.bar.Finish()
			return
		case <-tick.C:
			p.bar.ChangeMax64(max(1, p.Counts.Found.Load()))
			_ = p.bar.Set64(p.Counts.Looked.Load())
		}
	}
}

func (p *Progress) Stop() {
	if p.bar == nil {
		return
	}
	close(p.done)
	<-p.ended
	p.bar = nil
}
