package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
)

const (
	partSize = 128 << 10 // bytes of a part of a file, or of a part of its list: see docs/decisions/fleet.md
	maxSize  = 64 << 30  // largest file, in bytes
)

// ErrDamaged says that the server has other bytes of a file than were stored.
var ErrDamaged = errors.New("it is not what was stored")

// sum is the beginning of the SHA-256 of a part as it is in the file.
type sum [16]byte

func sumOf(part []byte) sum {
	whole := sha256.Sum256(part)
	return sum(whole[:16])
}

type part struct {
	number uint64 // number of the lease that stored the part
	sum    sum
}

const entrySize = 8 + len(sum{})

func (p part) token() string { return hex.EncodeToString(p.sum[:]) }

func parts(size int64) int { return int((size + partSize - 1) / partSize) }

// list is the parts of a file, in order. It is stored by columns, because most parts have the same
// number, and equal numbers in a row pack well.
type list []part

func (l list) encode() []byte {
	raw := make([]byte, 0, len(l)*entrySize)
	for _, p := range l {
		raw = binary.BigEndian.AppendUint64(raw, p.number)
	}
	for _, p := range l {
		raw = append(raw, p.sum[:]...)
	}
	return raw
}

func (l list) sum() string {
	whole := sha256.Sum256(l.encode())
	return hex.EncodeToString(whole[:])
}

// wrap adds to an error what was to be done.
func wrap(err *error, to, kind, site string) {
	if *err != nil {
		*err = fmt.Errorf(to+": %w", kind, site, *err)
	}
}

// decodeList returns the list of a file that was stored under the lease with a number. It errs if raw is no
// list of n parts, or names a part of a later lease.
func decodeList(raw []byte, n int, number uint64) (list, error) {
	if n < 0 || len(raw) != n*entrySize {
		return nil, fmt.Errorf("%w: its list of parts has %d bytes in place of %d", ErrDamaged, len(raw), n*entrySize)
	}
	l := make(list, n)
	numbers, sums := raw[:8*n], raw[8*n:]
	for i := range l {
		l[i] = part{binary.BigEndian.Uint64(numbers[8*i:]), sum(sums[len(sum{})*i:])}
		if l[i].number > number {
			return nil, fmt.Errorf("%w: its list names a part of a later lease", ErrDamaged)
		}
	}
	return l, nil
}

// listTokens returns the names under which the list of a file is stored.
func listTokens(f lease.File) (tokens []string) {
	for at := 0; at < parts(f.Size)*entrySize; at += partSize {
		tokens = append(tokens, fmt.Sprintf("%s-%d", f.Sum, at/partSize))
	}
	return tokens
}

func (s *Store) putList(ctx context.Context, kind, site string, f lease.File, l list) error {
	raw := l.encode()
	for _, token := range listTokens(f) {
		piece := raw[:min(partSize, len(raw))]
		if err := s.write(ctx, bus.File(kind, site, f.Number, token), piece); err != nil {
			return err
		}
		raw = raw[len(piece):]
	}
	return nil
}

// list reads the list of a file, and checks it against what the state of the site says.
func (s *Store) list(ctx context.Context, kind, site string, f lease.File) (l list, err error) {
	defer wrap(&err, "read the list of parts of the %s of %s", kind, site)
	if sum, err := hex.DecodeString(f.Sum); err != nil || len(sum) != sha256.Size || f.Size < 0 || f.Size > maxSize {
		return nil, fmt.Errorf("%w: the state of the site names no file that can be", ErrDamaged)
	}
	rest := parts(f.Size) * entrySize
	raw := make([]byte, 0, rest)
	for _, token := range listTokens(f) {
		piece, err := s.read(ctx, bus.File(kind, site, f.Number, token), min(partSize, rest))
		if err != nil {
			return nil, err
		}
		raw, rest = append(raw, piece...), rest-len(piece)
	}
	l, err = decodeList(raw, parts(f.Size), f.Number)
	if err == nil && l.sum() != f.Sum {
		err = fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return l, err
}
