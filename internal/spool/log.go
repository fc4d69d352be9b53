package spool

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
)

// headerSize is the length and the CRC-32C in front of every record.
const headerSize = 8

// maxRecord bounds one record, so that a damaged length is not believed.
const maxRecord = 256 << 20

// ErrCorrupt is returned where a record's bytes do not match its checksum.
var ErrCorrupt = errors.New("the record is damaged")

// Log is an append-only file of records. Appends are buffered until Flush, or
// the group's Flush, writes them.
type Log struct {
	mu      sync.Mutex
	file    *os.File
	pending []byte
	spare   []byte // a buffer that was written, for the next records
	size    int64  // bytes of all records, written or pending
}

// OpenLog opens the log at path, creating it with mode 0600. A torn tail is cut
// off; what stands before it is kept.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open work file: %w", err)
	}
	end := scan(file, 0, func(int64, []byte) bool { return true })
	if err := file.Truncate(end); err != nil {
		return nil, errors.Join(fmt.Errorf("cut torn tail of %s: %w", path, err), file.Close())
	}
	return &Log{file: file, size: end}, nil
}

// Append adds one record and returns its offset, to be given to Read.
func (l *Log) Append(record []byte) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.size
	l.pending = binary.LittleEndian.AppendUint32(l.pending, uint32(len(record)))
	l.pending = binary.LittleEndian.AppendUint32(l.pending, checksum(record))
	l.pending = append(l.pending, record...)
	l.size += headerSize + int64(len(record))
	return at
}

// Pending returns how many bytes wait to be written.
func (l *Log) Pending() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pending)
}

// Size returns how many bytes the log has, those that wait to be written too.
func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}

// take hands over what is pending and where in the file it belongs.
func (l *Log) take() ([]byte, int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pending := l.pending
	l.pending, l.spare = l.spare, nil
	return pending, l.size - int64(len(pending))
}

func (l *Log) write(pending []byte, at int64) error {
	if len(pending) == 0 {
		return nil
	}
	if _, err := l.file.WriteAt(pending, at); err != nil {
		return fmt.Errorf("write work file: %w", err)
	}
	l.mu.Lock()
	l.spare = pending[:0]
	l.mu.Unlock()
	return nil
}

// Flush writes what is pending. It must not run beside another Flush of the same
// log; a Group sees to that for its own.
func (l *Log) Flush() error {
	pending, at := l.take()
	return l.write(pending, at)
}

// Read returns the flushed record at the offset that Append gave. It errs with
// ErrCorrupt when the bytes there are no whole record.
func (l *Log) Read(at int64) ([]byte, error) {
	var header [headerSize]byte
	_, err := l.file.ReadAt(header[:], at)
	if size := binary.LittleEndian.Uint32(header[:4]); err == nil && size <= maxRecord {
		record := make([]byte, size)
		if _, err := l.file.ReadAt(record, at+headerSize); err == nil && checksum(record) == binary.LittleEndian.Uint32(header[4:]) {
			return record, nil
		}
	}
	return nil, fmt.Errorf("read %s at %d: %w", l.file.Name(), at, ErrCorrupt)
}

// All yields every flushed record with its offset, in order. The bytes are valid
// until the next step.
func (l *Log) All() iter.Seq2[int64, []byte] { return l.Since(0) }

// Since is All from the record at an offset on.
func (l *Log) Since(at int64) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) { scan(l.file, at, yield) }
}

// Close flushes and closes the log.
func (l *Log) Close() error {
	return errors.Join(l.Flush(), l.file.Close())
}

// scan yields the records of f from an offset on and returns where the last whole
// one ends.
func scan(f io.ReaderAt, at int64, yield func(int64, []byte) bool) int64 {
	in := bufio.NewReaderSize(io.NewSectionReader(f, at, 1<<62), 1<<18)
	var header [headerSize]byte
	var record []byte
	for {
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return at
		}
		size := binary.LittleEndian.Uint32(header[:4])
		if size > maxRecord {
			return at
		}
		if cap(record) < int(size) {
			record = make([]byte, size)
		}
		record = record[:size]
		if _, err := io.ReadFull(in, record); err != nil || checksum(record) != binary.LittleEndian.Uint32(header[4:]) {
			return at
		}
		if !yield(at, record) {
			return at
		}
		at += headerSize + int64(size)
	}
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

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
			return err
		}
	}
	return nil
}
