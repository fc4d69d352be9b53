package spool

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
)

// Group is an ordered list of logs whose pending records Flush writes together. A record may refer to earlier
// records in the logs before its own log. The zero value is an empty group.
type Group struct {
	mu    sync.Mutex
	logs  []*Log
	sizes *Log // nil unless OpenGroup made the group
}

// OpenGroup returns a group that stores the sizes of the logs added as first, in a log at path. It errs with
// ErrCorrupt if such a log is now shorter than its stored size: other logs may refer to its lost records.
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

// Flush writes the pending records of all logs, in the order of the group. It collects the records in the
// opposite order. So a record is written after all records to which it refers.
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
