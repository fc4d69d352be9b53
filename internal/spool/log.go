package spool

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"
)

// headerSize is the size of a record's header: the record's length, the CRC-32C of the length, and the
// CRC-32C of the record. The length's checksum tells a damaged length from an incomplete last record.
const headerSize = 12

const maxRecord = 256 << 20

// ErrCorrupt is returned if a log can't be read, or does not hold the records that were written to the log.
var ErrCorrupt = errors.New("check the disk, or name another store.work")

var (
	errTorn    = errors.New("its last record is cut")
	errDamaged = errors.New("the record is damaged")
	errShort   = errors.New("the file is shorter than what was written to it")
)

// Log is an append-only file of records. Appended records are pending until Flush or Group.Flush writes them.
// After an error of Flush, All or Since, the log writes no more records, and every Flush returns that error.
type Log struct {
	mu      sync.Mutex
	file    *os.File
	pending []byte
	size    int64 // bytes of all records, written or pending
	written int64
	err     error
	isFirst bool
}

// OpenLog opens the log at path, or creates it with mode 0600. It removes an incomplete last record. It errs
// with ErrCorrupt if any other record is damaged.
func OpenLog(path string) (*Log, error) { return openLog(path, os.O_RDWR|os.O_CREATE) }

// ReadLog opens the log at path for reading. It does not change the file.
func ReadLog(path string) (*Log, error) { return openLog(path, os.O_RDONLY) }

// IsLog reports whether head is the beginning of a log file with at least one record.
func IsLog(head []byte) bool {
	return len(head) >= headerSize && checksum(head[:4]) == binary.LittleEndian.Uint32(head[4:])
}

func openLog(path string, flag int) (*Log, error) {
	file, err := os.OpenFile(path, flag, 0o600) //nolint:gosec // the path comes from the configuration
	if err != nil {
		return nil, fmt.Errorf("open work file: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open work file: %w", err), file.Close())
	}
	end, err := scan(file, 0, info.Size(), 1<<18, func(int64, []byte) bool { return true })
	if err == errTorn {
		err = nil
		if flag != os.O_RDONLY {
			err = file.Truncate(end)
		}
	}
	if err != nil {
		return nil, errors.Join(unreadable(file, end, err), file.Close())
	}
	return &Log{file: file, size: end, written: end}, nil
}

// Append appends one record that consists of parts. It returns the record's offset for Read.
func (l *Log) Append(parts ...[]byte) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, begin := l.size, len(l.pending)
	l.pending = append(l.pending, make([]byte, headerSize)...)
	for _, part := range parts {
		l.pending = append(l.pending, part...)
	}
	header, record := l.pending[begin:begin+headerSize], l.pending[begin+headerSize:]
	binary.LittleEndian.PutUint32(header, uint32(len(record)))
	binary.LittleEndian.PutUint32(header[4:], checksum(header[:4]))
	binary.LittleEndian.PutUint32(header[8:], checksum(record))
	l.size += headerSize + int64(len(record))
	return at
}

// Pending returns the size of the pending records, in bytes.
func (l *Log) Pending() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pending)
}

// Size returns the size of all records, written and pending, in bytes.
func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}

func (l *Log) take() (pending []byte, at int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pending, l.pending = l.pending, nil
	return pending, l.size - int64(len(pending))
}

func (l *Log) write(pending []byte, at int64) error {
	if err := l.Err(); err != nil || len(pending) == 0 {
		return err
	}
	if _, err := l.file.WriteAt(pending, at); err != nil {
		err = fmt.Errorf("write work file: %w", err)
		l.Keep(err)
		return err
	}
	l.mu.Lock()
	l.written = at + int64(len(pending))
	l.mu.Unlock()
	return nil
}

// Flush writes the pending records. Calls must not overlap. For logs in a group, call only Group.Flush.
func (l *Log) Flush() error {
	pending, at := l.take()
	return l.write(pending, at)
}

// Keep stores err as the log's error, unless the log already has an error. Every Flush returns that error.
func (l *Log) Keep(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, err)
}

// Err returns the first error of writing, of All or of Since. All and Since end early on an error.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Read returns the written record at an offset from Append, or ErrCorrupt if no complete record begins there.
func (l *Log) Read(at int64) (record []byte, err error) {
	found := false
	err = l.scan(at, 1<<10, func(_ int64, bytes []byte) bool {
		record, found = bytes, true
		return false
	})
	if err == nil && !found {
		err = unreadable(l.file, at, errShort)
	}
	return record, err
}

// All yields the offset and bytes of every written record, in order. The bytes are valid until the next
// iteration. If All ends early, Err returns the reason.
func (l *Log) All() iter.Seq2[int64, []byte] { return l.Since(0) }

// Since is like All, but begins with the record at offset.
func (l *Log) Since(offset int64) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		if err := l.scan(offset, 1<<18, yield); err != nil {
			l.Keep(err)
		}
	}
}

func (l *Log) scan(at int64, buffer int, yield func(int64, []byte) bool) error {
	l.mu.Lock()
	end := l.written
	l.mu.Unlock()
	at, err := scan(l.file, at, end, buffer, yield)
	if err != nil {
		return unreadable(l.file, at, err)
	}
	return nil
}

// Close writes the pending records and closes the file.
func (l *Log) Close() error { return cmp.Or(l.Flush(), l.file.Close()) }

func (l *Log) remove() {
	_ = l.file.Close()
	_ = os.Remove(l.file.Name())
}

// scan calls yield for each record of f between offset and end. It returns the end of the last complete
// record, and errTorn if an incomplete record follows.
func scan(f io.ReaderAt, offset, end int64, buffer int, yield func(int64, []byte) bool) (int64, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(f, offset, end-offset), int(min(int64(buffer), end-offset)))
	var header [headerSize]byte
	var record []byte
	for offset < end {
		if end-offset < headerSize {
			return offset, errTorn
		}
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return offset, err
		}
		size := int64(binary.LittleEndian.Uint32(header[:]))
		switch {
		case checksum(header[:4]) != binary.LittleEndian.Uint32(header[4:]), size > maxRecord:
			return offset, errDamaged
		case headerSize+size > end-offset:
			return offset, errTorn
		}
		record = slices.Grow(record[:0], int(size))[:size]
		if _, err := io.ReadFull(in, record); err != nil {
			return offset, err
		}
		if checksum(record) != binary.LittleEndian.Uint32(header[8:]) {
			return offset, errDamaged
		}
		if !yield(offset, record) {
			return offset, nil
		}
		offset += headerSize + size
	}
	return offset, nil
}

func unreadable(f *os.File, at int64, why error) error {
	if e, ok := errors.AsType[*fs.PathError](why); ok {
		why = e.Err
	}
	if why == io.EOF || why == io.ErrUnexpectedEOF {
		why = errShort
	}
	return fmt.Errorf("read work file %s at byte %d: %w; %w", f.Name(), at, why, ErrCorrupt)
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
