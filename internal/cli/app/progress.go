package app

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/schollz/progressbar/v3"

	"sitesync/crawl"
	"sitesync/internal/document"
)

const (
	barEvery  = 200 * time.Millisecond
	lineEvery = 30 * time.Second // where there is no terminal
)

// showsBar reports whether progress is a bar on a terminal.
func (a *App) showsBar() bool { return !a.noProgress && !a.Quiet && Terminal(a.Stderr) }

// ShowProgress shows how many of the units are done until stop is called once: a bar on a
// terminal, elsewhere a line now and then. Without counts it says only what is done.
func (a *App) ShowProgress(doing, unit string, counts *crawl.Progress) (stop func()) {
	if a.noProgress || a.Quiet {
		return func() {}
	}
	a.Logger().Debug(doing)
	log, before := a.messages(slog.LevelInfo), int64(0)
	every, end := lineEvery, func() {}
	show := func() {
		if counts == nil {
			log.Info(doing)
			return
		}
		done := counts.Looked.Load()
		rate, digits := float64(done-before)/lineEvery.Seconds(), 0
		if rate < 10 {
			digits = 1
		}
		before = done
		all := document.Count(int(counts.Found.Load()), unit)
		log.Info(fmt.Sprintf("%s: %s of %s, %.*f %ss/s", doing, document.Number(done), all, digits, rate, unit))
	}
	if a.showsBar() {
		every = barEvery
		show, end = a.showBar(doing, unit, counts)
	}
	ticker := time.NewTicker(every)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				end()
				return
			case <-ticker.C:
				show()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// showBar returns what shows a bar anew, and what takes it off the terminal.
func (a *App) showBar(doing, unit string, counts *crawl.Progress) (show, end func()) {
	screen, _ := a.Stderr.(*screen)
	options := []progressbar.Option{
		progressbar.OptionSetWriter(screen.device), progressbar.OptionSetDescription(doing), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
	}
	if counts != nil {
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit+"s"))
	}
	bar := progressbar.NewOptions64(-1, options...)
	a.bar.Store(bar)
	show = func() {
		if counts == nil {
			_ = bar.RenderBlank()
			return
		}
		bar.ChangeMax64(max(1, counts.Found.Load()))
		_ = bar.Set64(counts.Looked.Load())
	}
	return show, func() { a.bar.Store(nil); _ = bar.Finish() }
}
