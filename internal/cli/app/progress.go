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
	every, show, end := lineEvery, a.lines(doing, unit, counts), func() {}
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

// lines returns what writes how far counts are as a message.
func (a *App) lines(doing, unit string, counts *crawl.Progress) (show func()) {
	log, before := a.messages(slog.LevelInfo), int64(0)
	return func() {
		if counts == nil {
			log.Info(doing)
			return
		}
		done := counts.Looked.Load()
		rate := float64(done-before) / lineEvery.Seconds()
		before = done
		digits := 0
		if rate < 10 {
			digits = 1
		}
		log.Info(fmt.Sprintf("%s: %s of %s, %.*f %ss/s", doing, document.Number(done), document.Count(int(counts.Found.Load()), unit), digits, rate, unit))
	}
}
