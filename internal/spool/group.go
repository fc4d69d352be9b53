package spool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Group is an ordered list of logs. Flush writes the pending records of all its logs. A record may refer to
// records of logs that come earlier in the list. The zero value is an empty group.
type Group struct {
	mu    sync.Mutex
	logs  []*Log
	sizes *Log // nil unless OpenGroup made the group
}

// OpenGroup returns a group that stores, at path, the sizes of the logs that Add puts first. It errs with
// ErrCorrupt if one of these logs became shorter, because other logs may refer to the lost records.
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

// Close writes the pending records of all logs. The logs stay open.
func (g *Group) Close() error {
	err := g.Flush()
	if g.sizes == nil {
		return err
	}
	return cmp.Or(err, g.sizes.Close())
}

// Add adds log to the group: before all other logs if first is true, otherwise after them.
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

// Remove writes the pending records of all logs and removes log from the group.
func (g *Group) Remove(log *Log) error {
	err := g.Flush()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.logs = slices.DeleteFunc(g.logs, func(l *Log) bool { return l == log })
	return err
}

// Flush takes the pending records from the last log to the first, and writes them from the first log to the
// last. So it writes no record before those to which the record refers, even if goroutines append meanwhile.
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
			for _, later := range g.logs[i:] { // their records would refer to records that were not written
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
