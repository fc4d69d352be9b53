package spool

import (
	"slices"
	"sync"
)

// Group flushes several logs so that a record in a later log never reaches the
// file before what was appended, earlier, to the logs before it.
type Group struct {
	mu   sync.Mutex
	logs []*Log
}

// Add puts log into the group, before all others when first is true, else
// behind them.
func (g *Group) Add(log *Log, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if first {
		g.logs = slices.Insert(g.logs, 0, log)
		return
	}
	g.logs = append(g.logs, log)
}

// Remove flushes the group and takes log out of it.
func (g *Group) Remove(log *Log) error {
	err := g.Flush()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.logs = slices.DeleteFunc(g.logs, func(l *Log) bool { return l == log })
	return err
}

// Flush writes what is pending in every log. What is pending is taken from the
// last log to the first and written from the first to the last: a record that
// was taken finds its predecessors taken as well, and written before it.
func (g *Group) Flush() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	type part struct {
		bytes []byte
		at    int64
	}
	parts := make([]part, len(g.logs))
	for i, log := range slices.Backward(g.logs) {
		parts[i].bytes, parts[i].at = log.take()
	}
	for i, log := range g.logs {
		if err := log.write(parts[i].bytes, parts[i].at); err != nil {
			for _, later := range g.logs[i:] { // which would refer to what is lost
				later.Keep(err)
			}
			return err
		}
	}
	return nil
}
