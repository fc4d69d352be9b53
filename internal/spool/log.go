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

// headerSize is the length, the CRC-32C of the length and that of the record, in front of
// every record. Only because the length has its own can a tail that a kill tore off be
// told from damage.
const headerSize = 12

// maxRecord bounds one record, so that a damaged length is not believed.
const maxRecord = 256 << 20

// ErrCorrupt is returned where a work file does not hold what was written to it, or can't
// be read.
var ErrCorrupt = errors.New("check the disk, or name another store.work")

var (
	errTorn    = errors.New("its last record is cut")
	errDamaged = errors.New("the record is damaged")
	errShort   = errors.New("the file is shorter than what was written to it")
)

// Log is an append-only file of records. Appends are buffered until Flush, or
// the group's Flush, writes them. The first error of reading in a row or of writing stays:
// every Flush returns it, and nothing more is written.
type Log struct {
	mu      sync.Mutex
	file    *os.File
	pending []byte
	size    int64 // bytes of all records, written or pending
	written int64 // bytes that the file has to have
	err     error
	isFirst bool // in its group
}

// OpenLog opens the log at path, creating it with mode 0600. A torn tail is cut
// off; what stands before it is kept. It errs with ErrCorrupt when that is damaged.
func OpenLog(path string) (*Log, error) { return openLog(path, os.O_RDWR|os.O_CREATE) }

// ReadLog opens the log at path for reading and changes nothing.
func ReadLog(path string) (*Log, error) { return openLog(path, os.O_RDONLY) }

// IsLog reports whether a file begins as a log does.
func IsLog(head []byte) bool {
	return len(head) >= headerSize && checksum(head[:4]) == binary.LittleEndian.Uint32(head[4:])
}

func openLog(path string, flag int) (*Log, error) {
	file, err := os.OpenFile(path, flag, 0o600) //nolint:gosec // a file of our own
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

// Append adds one record, in parts, and returns its offset, to be given to Read.
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
	l.pending = nil
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

// Flush writes what is pending. It must not run beside another Flush of the same
// log; a Group sees to that for its own.
func (l *Log) Flush() error {
	pending, at := l.take()
	return l.write(pending, at)
}

// Keep keeps an error, unless there is one, so that every Flush returns it.
func (l *Log) Keep(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, err)
}

// Err returns the first error of writing, or of All and Since, which then ended early.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Read returns the flushed record at the offset that Append gave. It errs with
// ErrCorrupt when the bytes there are no whole record.
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

// All yields every flushed record with its offset, in order. The bytes are valid
// until the next step. Where it ends before the last one, Err says why.
func (l *Log) All() iter.Seq2[int64, []byte] { return l.Since(0) }

// Since is All from the record at an offset on.
func (l *Log) Since(at int64) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		if err := l.scan(at, 1<<18, yield); err != nil {
			l.Keep(err)
		}
	}
}

// scan yields what was flushed, from an offset on, with a buffer of so many bytes.
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

// Close flushes and closes the log.
func (l *Log) Close() error {
	return cmp.Or(l.Flush(), l.file.Close())
}

// remove closes and deletes the file, of which nothing is worth an error.
func (l *Log) remove() {
	_ = l.file.Close()
	_ = os.Remove(l.file.Name())
}

// scan yields the records of f between two offsets and returns where the last whole one
// ends. It errs with errTorn where the last one is not whole.
func scan(f io.ReaderAt, at, end int64, buffer int, yield func(int64, []byte) bool) (int64, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(f, at, end-at), int(min(int64(buffer), end-at)))
	var header [headerSize]byte
	var record []byte
	for at < end {
		if end-at < headerSize {
			return at, errTorn
		}
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return at, err
		}
		size := int64(binary.LittleEndian.Uint32(header[:]))
		switch {
		case checksum(header[:4]) != binary.LittleEndian.Uint32(header[4:]), size > maxRecord:
			return at, errDamaged
		case headerSize+size > end-at:
			return at, errTorn
		}
		record = slices.Grow(record[:0], int(size))[:size]
		if _, err := io.ReadFull(in, record); err != nil {
			return at, err
		}
		if checksum(record) != binary.LittleEndian.Uint32(header[8:]) {
			return at, errDamaged
		}
		if !yield(at, record) {
			return at, nil
		}
		at += headerSize + size
	}
	return at, nil
}

// unreadable returns why a work file can't be read from an offset on.
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
