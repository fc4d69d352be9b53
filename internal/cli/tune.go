package cli

import (
	"runtime/debug"
)

const (
	// gcPercent trades memory, of which a run needs little, for time;
	gcPercent = 400
	// softLimit takes it back where the heap would grow past this many bytes.
	softLimit = 150 << 20
)

// Tune sets the garbage collector for a crawl. An owner's GOGC or GOMEMLIMIT wins.
func Tune(getenv func(string) string) {
	if getenv("GOGC") == "" && getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(softLimit)
	}
}
