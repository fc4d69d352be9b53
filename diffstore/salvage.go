package diffstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// A salvage has a child process read the file, since that can end a process, and
// writes what the child sends. It starts another child behind the place where one
// ended.
const (
	salvageChildren = 100              // at most
	salvagePatience = 20 * time.Second // a child that sends nothing new for so long goes round in a circle,
	salvageMemory   = 512 << 20        // and one that needs so much
	salvageEntries  = 5000             // in one transaction, or
	salvageBytes    = 8 << 20
)

// entry is what the child sends: a key of a bucket and its value. The last one has no
// key, and the number of places that could not be read.
type entry struct {
	_      struct{} `cbor:",toarray"`
	Bucket string
	Key    []byte
	Value  []byte
	Lost   int
}

// salvageable returns the buckets that a salvage reads, in order. Approvals are those
// of another time.
func salvageable() []string {
	return slices.DeleteFunc(slices.Clone(buckets[:]), func(name string) bool { return name == bucketApprovals })
}

// serveEntries sends what can be read of the ledger at path, from a key of a bucket on.
func serveEntries(path, bucket, from string, out io.Writer) error {
	key, err := hex.DecodeString(from)
	if err != nil {
		return err
	}
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			if memory.HeapAlloc > salvageMemory {
				os.Exit(1)
			}
		}
	}()
	debug.SetPanicOnFault(true)
	r := &reader{out: cbor.NewEncoder(out)}
	db, err := openFile(path, true, lockWait)
	if err == nil {
		r.tx, err = db.Begin(false)
	}
	if err != nil {
		return r.out.Encode(entry{Lost: 1})
	}
	names := salvageable()
	for _, r.bucket = range names[max(0, slices.Index(names, bucket)):] {
		r.all(append([]byte{}, key...))
		key = nil
	}
	return r.out.Encode(entry{Lost: r.lost})
}

// reader sends what a cursor can read of a bucket.
type reader struct {
	tx     *bolt.Tx
	out    *cbor.Encoder
	bucket string
	lost   int // places that could not be read
}

// all sends the bucket's entries from a key on. Where the cursor can't go on, it is
// set behind that place, and sends what lies between backwards. In a damaged tree a
// cursor can land before the key that it was set to; from only ever grows.
func (r *reader) all(from []byte) {
	for {
		last, whole := r.walk(from, nil)
		if whole {
			return
		}
		r.lost++
		if bytes.Compare(last, from) >= 0 && last != nil {
			from = append(last, 0)
		}
		for next, found := behind(bytes.TrimSuffix(from, []byte{0})), false; !found; next = behind(next) {
			last, whole = r.walk(next, from)
			if next == nil {
				return
			}
			found = whole || last != nil
			if found {
				from = next
			}
		}
	}
}

// walk sends entries, from a key on or, with a floor, from there back to the floor;
// where no key is so large, from the last one back. It returns the farthest key that it
// sent, and whether it came to the end.
func (r *reader) walk(from, floor []byte) (last []byte, whole bool) {
	defer func() {
		if recover() != nil {
			whole = false
		}
	}()
	b := r.tx.Bucket([]byte(r.bucket))
	if b == nil {
		return nil, true
	}
	c := b.Cursor()
	step, order := c.Next, 1
	if floor != nil {
		step, order = c.Prev, -1
	}
	falls := 0 // keys out of order: a damaged key is one, too many are a circle
	var k, v []byte
	if from != nil {
		k, v = c.Seek(from)
	}
	if k == nil && floor != nil {
		k, v = c.Last()
	}
	for ; k != nil && bytes.Compare(k, floor) >= 0; k, v = step() {
		forth := last == nil || bytes.Compare(k, last) == order
		if !forth {
			falls++
		}
		if falls > 10 {
			return last, false
		}
		e := entry{Bucket: r.bucket, Key: bytes.Clone(k), Value: bytes.Clone(v)}
		if err := r.out.Encode(e); err != nil {
			os.Exit(1) // nobody reads it
		}
		if forth {
			last = e.Key
		}
	}
	return last, true
}

// behind returns a key farther on: near at first, then farther and farther. It is nil
// where there is none.
func behind(key []byte) []byte {
	for n := len(key) - 1; n >= 0; n-- {
		if key[n] < 'z' {
			next := bytes.Clone(key[:n+1])
			next[n]++
			return next
		}
	}
	return nil
}

// Salvaged is the outcome of a salvage.
type Salvaged struct {
	Records   int // that were added
	Documents int // of those
	Lost      int // places in the file that could not be read
}

// Salvage adds what bbolt can read of the ledger's file from, and this ledger does
// not know: records of documents in doubt for the given reason, texts, hosts, profile,
// runs; no approvals. Nothing that is there is changed except the generation, which is
// at least the given one, and beyond its own and that of the file; and every page is
// read in full in the next run. A child process does the reading, as in CheckApart. It
// errs where from can't be read or the ledger not be written; what was added until
// then stays.
func (l *Ledger) Salvage(ctx context.Context, from string, generation uint64, reason string) (Salvaged, error) {
	s := &salvage{ledger: l, reason: reason, command: self(), patience: salvagePatience}
	file, err := os.Open(from) //nolint:gosec // a file of our own
	if err != nil {
		return s.done, fmt.Errorf("read ledger: %w", err)
	}
	_ = file.Close()
	err = l.update(func(tx *bolt.Tx) error {
		now, err := numberIn(tx, "generation")
		if err != nil {
			return err
		}
		if err := putNumber(tx, "generation", max(now+1, generation)); err != nil {
			return err
		}
		return forgetFollowed(tx)
	})
	if err == nil {
		err = s.readAll(ctx, from)
	}
	return s.done, err
}

// salvage writes what children send, as soon as a transaction is full.
type salvage struct {
	ledger   *Ledger
	reason   string
	command  []string // starts a child
	patience time.Duration

	bucket string // where the next child begins; empty: at the start
	key    []byte
	wait   []entry
	size   int
	done   Salvaged
}

// readAll starts children until one comes to the end, or there were too many. The next
// one begins behind the last entry or, where a child sent none, farther on.
func (s *salvage) readAll(ctx context.Context, from string) error {
	for n := 0; n < salvageChildren; n++ {
		bucket, key := s.bucket, s.key
		whole, err := s.read(ctx, from)
		if err != nil {
			return err
		}
		if whole {
			break
		}
		s.done.Lost++
		if bucket != s.bucket || !bytes.Equal(key, s.key) {
			continue
		}
		s.key = behind(s.key[:len(s.key)*3/4])
		if s.key != nil {
			continue
		}
		names := salvageable()
		next := max(0, slices.Index(names, s.bucket)) + 1
		if next == len(names) {
			break
		}
		s.bucket = names[next]
	}
	return s.flush()
}

// read takes what one child sends, and reports whether that was all.
func (s *salvage) read(ctx context.Context, from string) (whole bool, err error) {
	child, err := startChild(ctx, s.patience, s.command, from, s.bucket, hex.EncodeToString(s.key))
	if err != nil {
		return false, fmt.Errorf("read ledger %s: %w", from, err)
	}
	whole, err = s.take(child.out, func() { child.timer.Reset(s.patience) })
	child.kill() // unless it has ended
	_, _ = child.wait()
	return whole, errors.Join(err, ctx.Err())
}

// take takes entries until the last one, of which it reports that it came, or until
// something else comes.
func (s *salvage) take(in io.Reader, alive func()) (whole bool, err error) {
	for entries := cbor.NewDecoder(in); err == nil; {
		var e entry
		if entries.Decode(&e) != nil {
			return false, nil
		}
		if e.Key == nil {
			s.done.Lost += e.Lost
			return true, nil
		}
		if e.Bucket != s.bucket || bytes.Compare(e.Key, s.key) >= 0 {
			alive()
			s.bucket, s.key = e.Bucket, append(e.Key, 0)
		}
		err = s.add(e)
	}
	return false, err
}

// add takes an entry where it is what its bucket holds.
func (s *salvage) add(e entry) error {
	if !slices.Contains(salvageable(), e.Bucket) || len(e.Key) == 0 || len(e.Key) > bolt.MaxKeySize || s.ledger.checkValue(e.Bucket, string(e.Key), e.Value) != nil {
		return nil
	}
	s.wait, s.size = append(s.wait, e), s.size+len(e.Key)+len(e.Value)
	if len(s.wait) < salvageEntries && s.size < salvageBytes {
		return nil
	}
	return s.flush()
}

func (s *salvage) flush() error {
	entries := s.wait
	s.wait, s.size = nil, 0
	if len(entries) == 0 {
		return nil
	}
	return s.ledger.update(func(tx *bolt.Tx) error {
		for _, e := range entries {
			if err := s.put(tx, e.Bucket, string(e.Key), e.Value); err != nil {
				return err
			}
		}
		return nil
	})
}

// put writes an entry that the ledger does not have.
func (s *salvage) put(tx *bolt.Tx, bucket, key string, value []byte) error {
	if bucket == bucketMeta && key == "generation" { // go beyond that of the file
		now, err := numberIn(tx, "generation")
		if err != nil {
			return err
		}
		return putNumber(tx, "generation", max(now, binary.BigEndian.Uint64(value)+1))
	}
	if bucket == bucketMeta && key != "target" || rawIn(tx, bucket, key) != nil && !s.ofNone(tx, bucket, key) {
		return nil
	}
	switch bucket {
	case bucketRecords:
		rec, err := decodeRecord(key, value, false)
		if err != nil || !strings.Contains(key, "://") {
			return nil // it is not one
		}
		if rawIn(tx, bucket, key) != nil && !rec.IsDocument() {
			return nil
		}
		s.done.Records++
		if rec.IsDocument() {
			s.done.Documents++
			rec.Push, rec.Reason = document.PushDoubt, s.reason
		}
		return writeRecord(tx, key, rec)
	case bucketText:
		rec, err := readRecord(tx, key)
		if err != nil || rec.Push != document.PushDoubt || rec.Reason != s.reason || !s.ledger.keepsText {
			return err
		}
	case bucketHosts:
		var memory document.HostMemory
		if err := decodeValue(value, &memory); err != nil {
			return err
		}
		memory.Followed = ""
		return putIn(tx, bucketHosts, key, memory)
	}
	return putRaw(tx, bucket, key, value)
}

// ofNone reports whether the ledger has a record that is of no document: that of an
// address which is not there any more must not hide the document that the index holds.
func (s *salvage) ofNone(tx *bolt.Tx, bucket, key string) bool {
	if bucket != bucketRecords {
		return false
	}
	rec, err := readRecord(tx, key)
	return err == nil && !rec.IsDocument()
}
