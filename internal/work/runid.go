package work

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// RunID returns the identity of a run: a ULID of its start and of what it starts
// from, so that the same start from the same ledger has the same one.
func RunID(start time.Time, config string, generation uint64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", config, generation))
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(start)) // errs past the year 10889 only
	_ = id.SetEntropy(sum[:10])           // errs unless there are ten bytes
	return id.String()
}
