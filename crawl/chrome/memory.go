package chrome

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	mostMemory = 768 << 20 // bytes of its own that a process of Chromium may take: each tab has one
	lookEvery  = 100 * time.Millisecond
)

// watchMemory ends the processes below the one of pid that take more than most bytes, until ctx is
// done: a page whose process is gone is unread, and the others go on. Linux alone tells.
func watchMemory(ctx context.Context, pid int, most int64) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			endLarge(pid, most)
		}
	}
}

func endLarge(pid int, most int64) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		raw, _ := os.ReadFile(list) //nolint:gosec // of the kernel
		for _, word := range strings.Fields(string(raw)) {
			var child int
			var size, resident, shared int64
			raw, _ = os.ReadFile("/proc/" + word + "/statm")         //nolint:gosec // of the kernel
			_, _ = fmt.Sscan(string(raw), &size, &resident, &shared) // one that ended has none
			_, _ = fmt.Sscan(word, &child)
			if process, err := os.FindProcess(child); err == nil && (resident-shared)*int64(os.Getpagesize()) > most {
				_ = process.Kill()
			}
			endLarge(child, most)
		}
	}
}
