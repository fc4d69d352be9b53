package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/spool"
)

const (
	parallel      = 8
	partSize      = 128 << 10 // size of a part of a file: see docs/decisions/fleet.md
	listEntrySize = 24
	maxSize       = bus.MaxPart / listEntrySize * partSize // largest file: its list fits into one message
)

// ErrDamaged says that the server returned a file with other bytes than were stored.
var ErrDamaged = errors.New("it is not what was stored")

// sum is the first half of the SHA-256 of an uncompressed part.
type sum [16]byte

func sumOf(part []byte) sum {
	whole := sha256.Sum256(part)
	return sum(whole[:16])
}

type part struct {
	Number uint64 // number of the lease (right to run the site) that stored the part
	Sum    sum
}

func (p part) token() string { return hex.EncodeToString(p.Sum[:]) }

func parts(size int64) int { return int((size + partSize - 1) / partSize) }

// list holds the parts of a file, in order. The stream names a list by the SHA-256 of the encoded list.
type list []part

func (l list) encode() (raw []byte, token string) {
	raw, _ = binary.Append(nil, binary.BigEndian, l) // a part has a fixed size, so this never errs
	whole := sha256.Sum256(raw)
	return raw, hex.EncodeToString(whole[:])
}

// Store keeps files of sites, such as ledgers (what an index holds), in the stream bus.Files.
type Store struct {
	bus *bus.Bus
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// New returns a Store that uses the connection b.
func New(b *bus.Bus) *Store {
	// These options are valid, so the calls never err. The decoder refuses results of over MaxPart bytes.
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(parallel),
		zstd.WithWindowSize(partSize), zstd.WithEncoderCRC(false))
	dec, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(parallel), zstd.WithDecoderMaxMemory(bus.MaxPart))
	return &Store{bus: b, enc: enc, dec: dec}
}

// Put stores the file at path. number is the number of the caller's lease (right to run the site). previous
// is the file that the site's state names so far, or nil. Put reuses the parts of previous that the server
// still has. The caller must write the result f into the state, or nobody finds the file. Nobody may change
// the file at path meanwhile. Put errs if the file has more than 4 GiB.
func (s *Store) Put(
	ctx context.Context, kind, site string, number uint64, path string, previous *lease.File,
) (f lease.File, err error) {
	defer wrap(&err, "store the %s of %s", kind, site)
	in, err := os.Open(path) //nolint:gosec // the path comes from sitesync itself
	if err != nil {
		return f, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err == nil && info.Size() > maxSize {
		err = fmt.Errorf("it has more than %d GiB", maxSize>>30)
	}
	if err != nil {
		return f, err
	}
	known, err := s.known(ctx, kind, site, previous)
	if err != nil {
		return f, err
	}
	l, err := s.putParts(ctx, kind, site, number, io.NewSectionReader(in, 0, info.Size()), known)
	if err != nil {
		return f, err
	}
	raw, token := l.encode()
	f = lease.File{Number: number, Size: info.Size(), Sum: token}
	if previous != nil {
		f.Line = previous.Line
	}
	return f, s.write(ctx, bus.File(kind, site, number, token), raw)
}

func (s *Store) list(ctx context.Context, kind, site string, f lease.File) (l list, err error) {
	defer wrap(&err, "read the list of parts of the %s of %s", kind, site)
	if sum, err := hex.DecodeString(f.Sum); err != nil || len(sum) != sha256.Size || f.Size < 0 || f.Size > maxSize {
		return nil, fmt.Errorf("%w: the state of the site has a wrong size or checksum", ErrDamaged)
	}
	l = make(list, parts(f.Size))
	raw, err := s.read(ctx, bus.File(kind, site, f.Number, f.Sum), len(l)*listEntrySize)
	if err != nil {
		return nil, err
	}
	_, err = binary.Decode(raw, binary.BigEndian, l)
	if _, token := l.encode(); err == nil && token != f.Sum {
		err = fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return l, err
}

func (s *Store) known(ctx context.Context, kind, site string, previous *lease.File) (map[sum]part, error) {
	known := map[sum]part{}
	if previous == nil {
		return known, nil
	}
	l, err := s.list(ctx, kind, site, *previous)
	if errors.Is(err, bus.ErrMissing) || errors.Is(err, ErrDamaged) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	there, err := s.bus.ListFiles(ctx, kind, site)
	for _, tokens := range there {
		slices.Sort(tokens)
	}
	for _, p := range l {
		if _, found := slices.BinarySearch(there[p.Number], p.token()); found {
			known[p.Sum] = p
		}
	}
	return known, err
}

func (s *Store) putParts(
	ctx context.Context, kind, site string, number uint64, in *io.SectionReader, known map[sum]part,
) (list, error) {
	l := make(list, parts(in.Size()))
	err := together(ctx, len(l), func(ctx context.Context, i int) error {
		raw := make([]byte, min(partSize, in.Size()-int64(i)*partSize))
		if _, err := in.ReadAt(raw, int64(i)*partSize); err != nil {
			return err
		}
		p, found := known[sumOf(raw)]
		if found {
			l[i] = p
			return nil
		}
		l[i] = part{number, sumOf(raw)}
		return s.write(ctx, bus.File(kind, site, number, l[i].token()), raw)
	})
	return l, err
}

func together(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func (s *Store) write(ctx context.Context, subject string, raw []byte) error {
	return s.bus.PutFile(ctx, subject, s.enc.EncodeAll(raw, nil))
}

func (s *Store) read(ctx context.Context, subject string, size int) ([]byte, error) {
	packed, err := s.bus.GetFile(ctx, subject)
	if err != nil {
		return nil, err
	}
	raw, err := s.dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(raw) != size {
		return nil, fmt.Errorf("%w: it has %d bytes in place of %d", ErrDamaged, len(raw), size)
	}
	return raw, nil
}

// Get replaces the file at path by the stored file f, in one step. It fetches only parts in which the two
// differ. It errs with bus.ErrMissing or ErrDamaged if the server has lost a part or changed its bytes. After
// an error the file at path is unchanged.
func (s *Store) Get(ctx context.Context, kind, site string, f lease.File, path string) (err error) {
	defer wrap(&err, "fetch the %s of %s", kind, site)
	l, err := s.list(ctx, kind, site, f)
	if err != nil {
		return err
	}
	return spool.WriteFile(path, 0o600, func(w io.Writer) error {
		out, ok := w.(io.WriterAt)
		if !ok {
			return errors.ErrUnsupported
		}
		old, err := os.Open(path) //nolint:gosec // the path comes from sitesync itself
		if err == nil {
			defer old.Close() // before WriteFile renames: some systems can't replace an open file
		}
		return together(ctx, len(l), func(ctx context.Context, i int) error {
			p, at := l[i], int64(i)*partSize
			raw := make([]byte, min(partSize, f.Size-at))
			_, err := old.ReadAt(raw, at) // reading from a nil file errs
			if err != nil || sumOf(raw) != p.Sum {
				raw, err = s.read(ctx, bus.File(kind, site, p.Number, p.token()), len(raw))
			}
			if err == nil && sumOf(raw) != p.Sum {
				err = fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
			}
			if err != nil {
				return fmt.Errorf("part %d of %d: %w", i+1, len(l), err)
			}
			_, err = out.WriteAt(raw, at)
			return err
		})
	})
}

// Sweep removes the parts of one kind that a site no longer needs. It keeps the parts of the file keep, and
// all parts with a number above keep.Number. keep must be the file that was just committed to the site's
// state. If keep has no Sum, it has no parts.
//
// A late Sweep removes no part of a later file: such a part has a number above keep.Number, or is a part of
// keep too. This holds if files are committed in the order of their numbers, and if each file that Put gets
// as previous was committed.
func (s *Store) Sweep(ctx context.Context, kind, site string, keep lease.File) (err error) {
	defer wrap(&err, "sweep the %s of %s", kind, site)
	needed := map[string]bool{}
	if keep.Sum != "" {
		l, err := s.list(ctx, kind, site, keep)
		if errors.Is(err, bus.ErrMissing) {
			return nil // a later holder of the lease has swept already
		}
		if err != nil {
			return err
		}
		for _, p := range l {
			needed[bus.File(kind, site, p.Number, p.token())] = true
		}
		needed[bus.File(kind, site, keep.Number, keep.Sum)] = true
	}
	there, err := s.bus.ListFiles(ctx, kind, site)
	for number, tokens := range there {
		if number > keep.Number {
			continue
		}
		unused := slices.DeleteFunc(slices.Clone(tokens), func(token string) bool {
			return needed[bus.File(kind, site, number, token)]
		})
		if len(unused) == len(tokens) {
			unused = []string{"*"} // one call then removes all parts with this number
		}
		for _, token := range unused {
			if err == nil {
				err = s.bus.DropFiles(ctx, bus.File(kind, site, number, token))
			}
		}
	}
	return err
}

func wrap(err *error, to, kind, site string) {
	if *err != nil {
		*err = fmt.Errorf(to+": %w", kind, site, *err)
	}
}
