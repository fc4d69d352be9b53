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
	partSize  = 128 << 10                          // bytes of a part of a file: see docs/decisions/fleet.md
	entrySize = 24                                 // bytes of an encoded part
	maxSize   = bus.MaxPart / entrySize * partSize // largest file, in bytes: its list fits into one message
)

// ErrDamaged says that the server has other bytes of a file than were stored.
var ErrDamaged = errors.New("it is not what was stored")

// sum is the beginning of the SHA-256 of a part, before compression.
type sum [16]byte

func sumOf(part []byte) sum {
	whole := sha256.Sum256(part)
	return sum(whole[:16])
}

type part struct {
	Number uint64 // number of the lease that stored the part
	Sum    sum
}

func (p part) token() string { return hex.EncodeToString(p.Sum[:]) }

func parts(size int64) int { return int((size + partSize - 1) / partSize) }

// list is the parts of a file, in order. The SHA-256 of its encoding names it in the stream.
type list []part

func (l list) encode() (raw []byte, token string) {
	raw, _ = binary.Append(nil, binary.BigEndian, l) // a part has a fixed size, so this never errs
	whole := sha256.Sum256(raw)
	return raw, hex.EncodeToString(whole[:])
}

// wrap adds the failed operation to an error.
func wrap(err *error, to, kind, site string) {
	if *err != nil {
		*err = fmt.Errorf(to+": %w", kind, site, *err)
	}
}

// list reads the list of a file, and checks it against the state of the site.
func (s *Store) list(ctx context.Context, kind, site string, f lease.File) (l list, err error) {
	defer wrap(&err, "read the list of parts of the %s of %s", kind, site)
	if sum, err := hex.DecodeString(f.Sum); err != nil || len(sum) != sha256.Size || f.Size < 0 || f.Size > maxSize {
		return nil, fmt.Errorf("%w: the state of the site has a wrong size or checksum", ErrDamaged)
	}
	l = make(list, parts(f.Size))
	raw, err := s.read(ctx, bus.File(kind, site, f.Number, f.Sum), len(l)*entrySize)
	if err != nil {
		return nil, err
	}
	_, err = binary.Decode(raw, binary.BigEndian, l)
	if _, token := l.encode(); err == nil && token != f.Sum {
		err = fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return l, err
}
