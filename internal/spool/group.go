package spool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Group flushes several logs so that a record in a later log never reaches the
// file before what was appended, earlier, to the logs before it. The zero value is ready.
type Group struct {
	mu    sync.Mutex
	logs  []*Log
	sizes *Log // how long those are that stand first; nil: nobody asks
}

// OpenGroup returns a group that notes at path how long the logs are that stand first. It
// errs with ErrCorrupt when one is shorter by now: what later logs refer to is lost.
func OpenGroup(path string) (*Group, error) {
	sizes, err := OpenLog(path)
	if err != nil {
		return nil, err
	}
	least := map[string]int64{}
	for _, record := range sizes.All() {
		least[string(record[8:])] = int64(binary.BigEndian.Uint64(record))
	}
	for name, size := range least {
		if info, err := os.Stat(name); err != nil || info.Size() < size {
			sizes.Keep(fmt.Errorf("read work file %s: %w; %w", name, errShort, ErrCorrupt))
		}
	}
	if sizes.Err() != nil {
		return nil, sizes.Close()
	}
	return &Group{sizes: sizes}, nil
}

// Close writes what is pending. The logs stay open.
func (g *Group) Close() error {
	err := g.Flush()
	if g.sizes == nil {
		return err
	}
	return cmp.Or(err, g.sizes.Close())
}

// Add puts log into the group, before all others when first is true, else
// behind them.
func (g *Group) Add(log *Log, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	log.isFirst = first
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
		if end := parts[i].at + int64(len(parts[i].bytes)); g.sizes != nil && log.isFirst && len(parts[i].bytes) > 0 {
			g.sizes.Append(append(binary.BigEndian.AppendUint64(nil, uint64(end)), log.file.Name()...))
		}
	}
	if g.sizes == nil {
		return nil
	}
	return g.sizes.Flush()
}
